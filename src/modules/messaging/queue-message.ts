/**
 * The one way by which the business sends: whoever has something to say queues it in the transaction of
 * the fact that makes them say it. The row is the job (daemon/send-messages), from `queued` until its
 * outcome is known. A process that can send it at once has it in hand from birth.
 */
import { sql, type Transaction } from 'kysely'
import type { Outbound } from '../channels/channel-adapter.ts'
import { noteClaims, notifyAfterCommit } from '../../infra/database/after-commit.ts'
import { leaseEnd } from '../../infra/database/queues/queue.ts'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import { SEND_LIMITS } from '../../core/limits/messaging.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { gapsOf, recordThrottle } from './keep-pace.sql.ts'
import { lastTextOf } from './conversation.ts'
import type { TemplateSend } from './template-allowance.ts'

export type MessageToQueue = {
  id: string
  companyId: string
  conversationId: string
  channel: SendingChannel
  by: MessageAuthor
  /** What it is said for: under one key one message is sent, whatever happens. */
  key: string
  /** Of the send of its key, where it was tried before. */
  attempt?: number
  content: Outbound
  /** What the customer will read; null of a file without words. */
  text: string | null
  /** The places of the allowances that a template has taken. */
  templateSend: TemplateSend | null
}

/** Who says it. */
export type MessageAuthor =
  | { kind: 'flow_run'; runId: string }
  | { kind: 'member'; personId: string }
  | { kind: 'assistant'; replyId: string }
  /** Null of a test, which is part of no count. */
  | { kind: 'broadcast'; broadcastId: string | null }
  /** The service itself, of an appointment. */
  | { kind: 'notice' }

/** What of a channel goes first. */
const LANES = {
  member: 1,
  assistant: 2,
  flow_run: 3,
  notice: 3,
  broadcast: 4,
} as const satisfies Record<MessageAuthor['kind'], number>
const SENDERS = {
  member: 'staff',
  assistant: 'assistant',
  flow_run: 'flow',
  broadcast: 'broadcast',
  notice: 'notice',
} as const satisfies Record<MessageAuthor['kind'], string>

/** A channel as far as its pace depends on it. */
export type SendingChannel = { id: string; type: string; isCoexistence: boolean }

/** A message that a process has in hand. */
export type ClaimedMessage = {
  id: string
  accountId: string
  companyId: string
  /** The lower goes first. */
  lane: number
  channel: SendingChannel
  claimId: string
}

/** The claim for a message that can go at once; null where it waits in the table. */
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
  lane: number
  outbound: string
  claimId: string | null
  leaseExpiresAt: Date | null
}

/** The id of a message that is to be queued: the reference that the provider is given. */
export function newMessageId(ids: Ids): string {
  return `o_${ids.uuid().replaceAll('-', '')}`
}

/**
 * Queues messages. What comes back is to be handed to the duty that sends, once the transaction has
 * committed: it holds the claims of those that can go at once.
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
    // Whose turn it is on a channel that keeps a distance is seen when it may send.
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
      lane: LANES[message.by.kind],
      outbound: JSON.stringify(content),
      claimId,
      leaseExpiresAt: claimId === null ? null : leaseExpiresAt,
    }
  })
  noteClaims(
    tx,
    rows.flatMap(({ claimId }) => claimId ?? []),
  )
  const paced = messages.filter(({ channel }) => gapsOf(channel.type))
  if (paced.length > 0) {
    await recordThrottle(
      tx,
      paced.map(({ channel }) => channel.id),
      now,
    )
    notifyAfterCommit(tx, 'sends')
  }
  const accounts = await write(tx, now, rows, messages)
  return rows.flatMap(({ id, companyId, lane, claimId }, place) => {
    if (claimId === null) return []
    const accountId = accounts.get(companyId)!
    return [{ id, accountId, companyId, lane, claimId, channel: messages[place]!.channel }]
  })
}

/**
 * Writes the messages, the places of their templates, and what they make of their conversations. Returns the accounts of
 * the companies.
 */
async function write(
  tx: Transaction<DB>,
  now: Date,
  rows: readonly QueuedRow[],
  messages: readonly MessageToQueue[],
): Promise<Map<string, string>> {
  const of = <Key extends keyof QueuedRow>(key: Key) => rows.map((row) => row[key])
  const sends = messages.flatMap(({ id, templateSend }) =>
    templateSend ? [{ id, ...templateSend }] : [],
  )
  const last = [...new Map(rows.map((row) => [row.conversationId, row])).values()]
  const { rows: companies } = await sql<{ id: string; accountId: string }>`
    with queued as (
      insert into message (id, company_id, conversation_id, channel_id, sender, type, text,
        file_id, template_name, template_language, run_id, author_id, broadcast_id, reply_id, send_key, attempt,
        lane, outbound, claim_id, lease_expires_at, direction, status, due_at, occurred_at, created_at)
      select *, 'out', 'queued', ${now}, ${now}, ${now} from unnest(
        ${of('id')}::text[], ${of('companyId')}::uuid[], ${of('conversationId')}::text[],
        ${of('channelId')}::uuid[], ${of('sender')}::text[], ${of('type')}::text[],
        ${of('text')}::text[], ${of('fileId')}::uuid[], ${of('templateName')}::text[],
        ${of('templateLanguage')}::text[],
        ${of('runId')}::uuid[], ${of('authorId')}::uuid[], ${of('broadcastId')}::uuid[],
        ${of('replyId')}::uuid[], ${of('sendKey')}::text[],
        ${of('attempt')}::smallint[], ${of('lane')}::smallint[], ${of('outbound')}::text[], ${of('claimId')}::uuid[],
        ${of('leaseExpiresAt')}::timestamptz[]) as row
    ), placed as (
      insert into template_send (message_id, account_id, company_id, contact_id, run_id, sent_at)
      select *, ${now} from unnest(
        ${sends.map(({ id }) => id)}::text[], ${sends.map(({ accountId }) => accountId)}::uuid[],
        ${sends.map(({ companyId }) => companyId)}::uuid[],
        ${sends.map(({ contactId }) => contactId)}::uuid[],
        ${sends.map(({ runId }) => runId)}::uuid[]) as send
    ), touched as (
    update conversation set last_message_at = greatest(last_message_at, ${now}),
      last_text = told.text, last_sender = told.sender, last_author_id = told.author_id,
      -- Who waits for an answer has none by what the service sends by itself.
      waiting_since = case when told.sender in ('broadcast', 'notice') then waiting_since end
    from unnest(${last.map(({ conversationId }) => conversationId)}::text[],
      ${last.map(({ text }) => lastTextOf(text))}::text[],
      ${last.map(({ sender }) => sender)}::text[],
      ${last.map(({ authorId }) => authorId)}::uuid[]) as told (id, text, sender, author_id)
    where conversation.id = told.id
    )
    select id, account_id from company
    where id = any(${[...new Set(of('companyId'))]}::uuid[])`.execute(tx)
  return new Map(companies.map(({ id, accountId }) => [id, accountId]))
}
