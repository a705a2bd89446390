/**
 * The only way to send a message: a caller queues it in the transaction of its cause (outbox). The row is the job of
 * `workers/messages`, from `queued` until its outcome is known. A process with free capacity inserts it with its own
 * claim (eager dispatch).
 */
import { sql, type Transaction } from 'kysely'
import type { Outbound } from '../channels/channel-adapter.ts'
import { registerClaims, notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import { oldestIdAt, type Ids } from '../../core/ids.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { gapsOf, recordThrottle } from './channel-throttle.sql.ts'
import { lastTextOf } from './conversation.ts'
import type { TemplateSend } from './template-allowance.ts'

/** A message to put into the outbox. */
export type MessageToQueue = {
  id: string
  companyId: string
  conversationId: string
  channel: SendingChannel
  by: MessageAuthor
  /** The idempotency key: at most one message is sent per key. */
  key: string
  /** The number of this attempt under its key, from 1. */
  attempt?: number
  content: Outbound
  /** The text as the customer will read it; null for a file without a caption. */
  text: string | null
  /** The template allowances that were reserved for it. */
  templateSend: TemplateSend | null
}

/** The author of a message. */
export type MessageAuthor =
  | { kind: 'flow_run'; runId: string }
  | { kind: 'member'; personId: string }
  | { kind: 'assistant'; replyId: string }
  /** A broadcast; null for its test, which no count includes. */
  | { kind: 'broadcast'; broadcastId: string | null }
  /** The service itself, about an appointment. */
  | { kind: 'notice' }

/** The priority of each author within a channel; lower goes first. */
const PRIORITIES = {
  member: 1,
  assistant: 2,
  flow_run: 3,
  notice: 3,
  broadcast: 4,
} as const satisfies Record<MessageAuthor['kind'], number>
/** The `sender` of each author's messages. */
const SENDERS = {
  member: 'staff',
  assistant: 'assistant',
  flow_run: 'flow',
  broadcast: 'broadcast',
  notice: 'notice',
} as const satisfies Record<MessageAuthor['kind'], string>

/** The part of a channel on which its send rate depends. */
export type SendingChannel = { id: string; type: string; isCoexistence: boolean }

/** A message claimed by this process. */
export type ClaimedMessage = {
  id: string
  accountId: string
  companyId: string
  /** The priority; lower goes first. */
  priority: number
  channel: SendingChannel
  claimId: string
}

/** Returns a claim for a message that can be sent immediately, or null when it has to wait in the queue. */
export type ClaimForChannel = (channelId: string) => string | null

type Deps = { now: Date; eagerClaimFor: ClaimForChannel }

type QueuedRow = {
  id: string
  companyId: string
  conversationId: string
  channelId: string
  sender: string
  type: string
  text: string | null
  fileId: string | null
  templateName: string | null
  templateLanguage: string | null
  runId: string | null
  authorId: string | null
  broadcastId: string | null
  replyId: string | null
  sendKey: string
  attempt: number
  priority: number
  outbound: string
  claimId: string | null
  leaseExpiresAt: Date | null
}

/** Returns a new message id, which is also the reference that the provider gets. */
export function newMessageId(ids: Ids): string {
  return toMessageId(ids.uuid())
}

/** Returns the lowest message id of a time. */
export const oldestMessageIdAt = (time: Date): string => toMessageId(oldestIdAt(time))

const toMessageId = (uuid: string): string => `o_${uuid.replaceAll('-', '')}`

/**
 * Inserts messages into the outbox, from which the worker sends them. Returns the claims of those that can be sent
 * immediately: pass them to the send worker once the transaction has committed.
 */
export async function queueMessages(
  tx: Transaction<DB>,
  { now, eagerClaimFor }: Deps,
  messages: readonly MessageToQueue[],
): Promise<ClaimedMessage[]> {
  if (messages.length === 0) return []
  const leaseExpiresAt = leaseEnd(SEND_LIMITS, now)
  const rows = messages.map((message): QueuedRow => {
    const { content, channel } = message
    // A throttled channel decides at the send whose message is next.
    const claimId = gapsOf(channel.type) ? null : eagerClaimFor(channel.id)
    return {
      id: message.id,
      companyId: message.companyId,
      conversationId: message.conversationId,
      channelId: channel.id,
      sender: SENDERS[message.by.kind],
      type: content.kind === 'media' ? content.mediaKind : 'text',
      text: message.text === null ? null : cleanText(message.text),
      fileId: content.kind === 'media' ? content.fileId : null,
      templateName: content.kind === 'template' ? content.name : null,
      templateLanguage: content.kind === 'template' ? content.language : null,
      runId: message.by.kind === 'flow_run' ? message.by.runId : null,
      authorId: message.by.kind === 'member' ? message.by.personId : null,
      broadcastId: message.by.kind === 'broadcast' ? message.by.broadcastId : null,
      replyId: message.by.kind === 'assistant' ? message.by.replyId : null,
      sendKey: message.key,
      attempt: message.attempt ?? 1,
      priority: PRIORITIES[message.by.kind],
      outbound: JSON.stringify(content),
      claimId,
      leaseExpiresAt: claimId === null ? null : leaseExpiresAt,
    }
  })
  registerClaims(
    tx,
    rows.flatMap(({ claimId }) => claimId ?? []),
  )
  const throttled = messages.filter(({ channel }) => gapsOf(channel.type))
  if (throttled.length > 0) {
    await recordThrottle(
      tx,
      throttled.map(({ channel }) => channel.id),
      now,
    )
    notifyAfterCommit(tx, 'sends')
  }
  const accounts = await write(tx, now, rows, messages)
  return rows.flatMap(({ id, companyId, priority, claimId }, index) => {
    if (claimId === null) return []
    const accountId = accounts.get(companyId)!
    return [{ id, accountId, companyId, priority, claimId, channel: messages[index]!.channel }]
  })
}

/**
 * Writes the messages, their reserved allowances, and the last message of their conversations. Returns the companies'
 * accounts.
 */
async function write(
  tx: Transaction<DB>,
  now: Date,
  rows: readonly QueuedRow[],
  messages: readonly MessageToQueue[],
): Promise<Map<string, string>> {
  const column = <Key extends keyof QueuedRow>(key: Key) => rows.map((row) => row[key])
  const sends = messages.flatMap(({ id, templateSend }) =>
    templateSend ? [{ id, ...templateSend }] : [],
  )
  const last = [...new Map(rows.map((row) => [row.conversationId, row])).values()]
  const { rows: companies } = await sql<{ id: string; accountId: string }>`
    with queued as (
      insert into message (id, company_id, conversation_id, channel_id, sender, type, text,
        file_id, template_name, template_language, run_id, author_id, broadcast_id, reply_id, send_key, attempt,
        priority, outbound, claim_id, lease_expires_at, direction, status, due_at, occurred_at, created_at)
      select *, 'out', 'queued', ${now}, ${now}, ${now} from unnest(
        ${column('id')}::text[], ${column('companyId')}::uuid[], ${column('conversationId')}::text[],
        ${column('channelId')}::uuid[], ${column('sender')}::text[], ${column('type')}::text[],
        ${column('text')}::text[], ${column('fileId')}::uuid[], ${column('templateName')}::text[],
        ${column('templateLanguage')}::text[],
        ${column('runId')}::uuid[], ${column('authorId')}::uuid[], ${column('broadcastId')}::uuid[],
        ${column('replyId')}::uuid[], ${column('sendKey')}::text[],
        ${column('attempt')}::smallint[], ${column('priority')}::smallint[], ${column('outbound')}::text[], ${column('claimId')}::uuid[],
        ${column('leaseExpiresAt')}::timestamptz[]) as row
    ), reserved as (
      insert into template_send (message_id, account_id, company_id, contact_id, sent_at)
      select *, ${now} from unnest(
        ${sends.map(({ id }) => id)}::text[], ${sends.map(({ accountId }) => accountId)}::uuid[],
        ${sends.map(({ companyId }) => companyId)}::uuid[],
        ${sends.map(({ contactId }) => contactId)}::uuid[]) as send
    ), touched as (
    update conversation set last_message_at = greatest(last_message_at, ${now}),
      last_text = given.text, last_sender = given.sender, last_author_id = given.author_id,
      -- Automatic messages are no answer to a waiting customer.
      waiting_since = case when given.sender in ('broadcast', 'notice') then waiting_since end
    from unnest(${last.map(({ conversationId }) => conversationId)}::text[],
      ${last.map(({ text }) => lastTextOf(text))}::text[],
      ${last.map(({ sender }) => sender)}::text[],
      ${last.map(({ authorId }) => authorId)}::uuid[]) as given (id, text, sender, author_id)
    where conversation.id = given.id
    )
    select id, account_id from company
    where id = any(${[...new Set(column('companyId'))]}::uuid[])`.execute(tx)
  return new Map(companies.map(({ id, accountId }) => [id, accountId]))
}
