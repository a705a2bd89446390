import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Outbound } from '../channels/channel-adapter.ts'
import type { Context } from '../../infra/context.ts'
import type { SendReply, SentReply, TemplateToSend } from '../../contract/dashboard/conversation.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { lockFilesToSend } from '../files/files-to-send.ts'
import { fillTemplate } from '../messaging/fill-template.ts'
import { toSend } from '../messaging/may-send.ts'
import { newMessageId, queueMessages } from '../messaging/queue-message.ts'
import { prepareMedia } from '../messaging/prepare-media.ts'
import { readTemplatesToSend } from '../messaging/read-templates-to-send.sql.ts'
import { whyNotSent, type SendRefusal } from '../../rules/messaging/may-send.ts'
import { findUnfilled } from '../../rules/text/placeholders.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { makeChange } from './assignment.ts'
import { lockConversation, type OwnedConversation } from './lock-conversation.ts'
import { readSendTarget, type SendTarget } from './read-send-target.ts'
import { viewConversation } from './view-conversations.ts'
import { viewMessages, type MessageRow } from './view-messages.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { formatFact: FormatFact }

/**
 * Queues a member's reply. Staff handles the conversation from then on; its assignee stays. A request with the key of an
 * earlier one returns the message that the earlier one has queued.
 *
 * @throws not_found, not_sendable, channel_unavailable, opted_out, outside_service_window; invalid for a text that is
 * too long or not filled in, and for a template that cannot be sent.
 *
 * Spec: Inbox › Allowed messages; readings B8, B10.
 */
export async function sendReply(
  { db, ids, clock, formatFact }: Deps,
  actor: Actor,
  { companyId, conversationId, ...reply }: OwnedConversation & SendReply,
): Promise<SentReply> {
  const now = clock.now()
  const owned = { companyId, conversationId }
  const { row, isNew } = await transaction(db, async (tx) => {
    await lockConversation(tx, owned)
    return queueReply(tx, { ids, now }, actor, { ...owned, ...reply, takesOver: true })
  })
  const conversation = await viewConversation(db.kysely, owned, now)
  const [message] = await viewMessages({ db, formatFact }, companyId, [row])
  return { message: message!, conversation, isNew }
}

/**
 * Queues a reply in a conversation that the caller has locked. Returns the earlier message when the key has queued one.
 * @throws as `sendReply`
 */
export async function queueReply(
  tx: Transaction<DB>,
  { ids, now }: { ids: Context['ids']; now: Date },
  actor: Actor,
  {
    key,
    text,
    template,
    fileId,
    caption,
    takesOver,
    ...owned
  }: OwnedConversation &
    SendReply & {
      /** True when staff handles the conversation from then on. */
      takesOver: boolean
    },
): Promise<{ row: MessageRow; isNew: boolean }> {
  const sendKey = `reply:${owned.conversationId}:${key}`
  const earlier = await findByKey(tx, sendKey)
  if (earlier) return { row: earlier, isNew: false }
  const target = await readSendTarget(tx, owned)
  const id = newMessageId(ids)
  // The check whether anything may be sent comes first: errors of a template or a file matter only after it.
  const first = template ? ({ kind: 'template' } as const) : ({ kind: 'text', text: '' } as const)
  const closed = whyNotSent(target.facts, 'member', first, now)
  if (closed) throw sendError(closed)
  const prepared = template
    ? await prepareTemplate(tx, target, template, id)
    : fileId === undefined
      ? { content: { kind: 'text', text: requireFilled(text!) } satisfies Outbound, text: text! }
      : await prepareFile(tx, target, owned.companyId, fileId, requireFilled(caption ?? ''))
  const refusal = whyNotSent(target.facts, 'member', toSend(prepared.content), now)
  if (refusal) throw sendError(refusal)
  if (takesOver) {
    await makeChange(tx, { ids, now }, actor, owned, { kind: 'take_over', assigneeId: null })
  }
  await queueMessages(tx, { now, eagerClaimFor: () => null }, [
    {
      ...owned,
      ...prepared,
      id,
      channel: target.channel,
      by: { kind: 'member', personId: actor.personId },
      key: sendKey,
      templateSend: null,
    },
  ])
  notifyAfterCommit(tx, 'sends')
  return { row: (await findByKey(tx, sendKey))!, isNew: true }
}

function findByKey(tx: Transaction<DB>, sendKey: string): Promise<MessageRow | undefined> {
  return tx
    .selectFrom('message')
    .selectAll()
    .where('sendKey', '=', sendKey)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the text unchanged. @throws invalid when it has a placeholder that the member overlooked */
function requireFilled(text: string): string {
  const placeholder = findUnfilled(text)
  if (placeholder !== null) throw wrongField('text', fact('placeholder_left', { placeholder }))
  return text
}

/** Returns the message of an approved template with its values filled in. @throws invalid */
async function prepareTemplate(
  tx: Transaction<DB>,
  { channel, contact }: SendTarget,
  { name, language, ...values }: TemplateToSend,
  messageId: string,
) {
  const versions = await readTemplatesToSend(tx, [{ channelId: channel.id, name }])
  const approved = versions.find(({ status }) => status === 'APPROVED')
  const languages =
    language === undefined ? [contact?.language ?? null, approved?.language ?? null] : [language]
  const filled = fillTemplate(
    { name, languages, ...values },
    versions,
    (index) => `sent:${messageId}:${index}`,
  )
  if (!filled.ok) throw wrongField('template', filled.why)
  return filled.value
}

/** Reserves an uploaded file and returns its message. @throws invalid */
async function prepareFile(
  tx: Transaction<DB>,
  { channel }: SendTarget,
  companyId: string,
  fileId: string,
  caption: string,
) {
  const [file] = await lockFilesToSend(tx, [{ companyId, fileId }])
  if (!file) throw wrongField('fileId', fact('no_such_file'))
  const prepared = prepareMedia(file, { channelType: channel.type, caption })
  if (!prepared.ok) throw wrongField('fileId', prepared.reason)
  return { content: prepared.content, text: prepared.content.caption }
}

/** Creates the error for a message that may not be sent. */
function sendError({ code, detail }: SendRefusal): ServiceError {
  return code === 'too_long' ? wrongField('text', detail) : new ServiceError(code, detail)
}
