import { sql, type Kysely } from 'kysely'
import type { ComposerView, ConversationDetail } from '../../contract/dashboard/conversation.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { OPTED_OUT_REPLY_LIMITS } from '../../core/limits/messaging.ts'
import { capabilitiesOf, windowEndsAt } from '../../rules/messaging/channel-capabilities.ts'
import { whyNotSent, type SendInputs } from '../../rules/messaging/may-send.ts'
import { contactsLikeVisitor } from './contacts-like-visitor.sql.ts'
import type { OwnedConversation } from './lock-conversation.ts'
import { readSendTarget } from './read-send-target.ts'
import { viewConversation } from './view-conversations.ts'

/**
 * Returns a conversation, the messages that a member may write in it now, and the contacts that a visitor may be.
 * @throws not_found
 */
export async function showConversation(
  { db, clock, formatFact }: Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact },
  owned: OwnedConversation,
): Promise<ConversationDetail> {
  const now = clock.now()
  const shown = await viewConversation(db.kysely, owned, now)
  const { facts } = await readSendTarget(db.kysely, owned)
  const ahead = await countAhead(db.kysely, shown.channelId)
  const isVisitor = shown.contact === null && !shown.isErased
  const hints = isVisitor ? await contactsLikeVisitor(db.kysely, owned) : []
  return { ...shown, composer: viewComposer(facts, ahead, formatFact, now), hints }
}

/**
 * Returns what a member may write now, and when it would be sent.
 * @param ahead number of messages that wait on the channel
 * Spec: Inbox › Allowed messages.
 */
function viewComposer(
  facts: SendInputs,
  ahead: number,
  formatFact: FormatFact,
  now: Date,
): ComposerView {
  const capabilities = capabilitiesOf(facts.channel.type)
  const refusal = whyNotSent(facts, 'member', { kind: 'text', text: '' }, now)
  const { pacing } = capabilities
  const isPaced = pacing?.kind === 'gaps'
  return {
    mayText: refusal === null,
    mayTemplate: whyNotSent(facts, 'member', { kind: 'template' }, now) === null,
    whyNot: refusal && formatFact(refusal.detail),
    until: refusal === null ? (textUntil(facts)?.toISOString() ?? null) : null,
    longest: capabilities.longestText,
    unit: capabilities.textUnit,
    place: isPaced ? ahead + 1 : 1,
    paceEta: isPaced
      ? new Date(now.getTime() + ahead * ((pacing.gapMinMs + pacing.gapMaxMs) / 2)).toISOString()
      : null,
  }
}

/** Returns the time until which a text may be sent if the customer writes nothing more; null without an end. */
function textUntil({ channel, lastCustomerAt, optedOutAt }: SendInputs): Date | null {
  if (lastCustomerAt === null) return null
  const ends = [windowEndsAt(capabilitiesOf(channel.type), lastCustomerAt)?.getTime()]
  if (optedOutAt !== null)
    ends.push(lastCustomerAt.getTime() + OPTED_OUT_REPLY_LIMITS.afterOptOutMs)
  const first = Math.min(...ends.map((end) => end ?? Infinity))
  return first === Infinity ? null : new Date(first)
}

/** Counts the messages of staff on the channel that wait to be sent. */
async function countAhead(db: Kysely<DB>, channelId: string): Promise<number> {
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from (
      select from message
      where channel_id = ${channelId} and priority = 1 and status = 'queued'
        and due_at is not null and claim_id is null
      limit ${INBOX_LIMITS.maxCounted}
    ) waiting`.execute(db)
  return rows[0]!.ahead
}
