import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { readAgreement } from '../../rules/assistant/agreement-reading.ts'
import type { OpenProposal } from './open-proposal.ts'
import { agreePayload, declinePayload, type ConversationKey } from './proposal.ts'

type Row = {
  type: string
  text: string | null
  transcript: string | null
  buttonPayload: string | null
  createdAt: Date
  isInTime: boolean
  isAmongOthers: boolean
}

/** The customer's answer to a proposal; `too_late` also when they wrote nothing in time. */
export type AnswerToProposal = 'agrees' | 'refuses' | 'unclear' | 'too_late'

/**
 * Reads from the customer's messages whether they agreed to a stated proposal. A message counts when it was written and
 * saved after the provider accepted the statement, up to 15 min after it; an agreement may wait another 15 min to be
 * processed. Provider times have whole seconds: in the statement's second the order of saving decides. Messages that a
 * run consumed are ignored. After a later message of this service, or one in the same second, text may answer that one:
 * text can refuse, but only the proposal's button agrees. The same applies to text that quotes another message. Another
 * proposal's button never agrees.
 *
 * Isolation: the caller has locked the conversation and the proposal. A message that commits meanwhile counts the next
 * time. Spec: Calls › Confirmation; reading C13.
 */
export async function readAnswerToProposal(
  tx: Transaction<DB>,
  { companyId, conversationId }: ConversationKey,
  {
    id,
    kind,
    stated,
    confirmationSentAt,
  }: Pick<OpenProposal, 'id' | 'kind' | 'stated' | 'confirmationSentAt'>,
  now: Date,
): Promise<AnswerToProposal> {
  const endsAt = new Date(confirmationSentAt.getTime() + ACTION_LIMITS.confirmationMs)
  const statedSecond = sql`date_trunc('second', ${confirmationSentAt}::timestamptz)`
  const isPressed = sql`button_payload in (${agreePayload(id)}, ${declinePayload(id)})`
  const { rows } = await sql<Row>`
    select type, text, transcript, button_payload, created_at, created_at <= ${endsAt} as is_in_time,
      button_payload is null and (reply_to_provider_id is not null and not exists (
        select from message quoted
        where quoted.conversation_id = message.conversation_id and quoted.direction = 'out'
          and quoted.provider_message_id = message.reply_to_provider_id
          and quoted.text = proposal.stated_text
      ) or exists (
        select from message ours
        where ours.conversation_id = message.conversation_id and ours.direction = 'out'
          and ours.occurred_at > ${confirmationSentAt}::timestamptz - interval '1 day'
          and ours.status in ('sending', 'unknown', 'accepted', 'sent', 'delivered', 'read')
          and ours.created_at < message.created_at
          -- Parts of the same reply precede it, whatever times the provider reports.
          and (ours.created_at > coalesce(proposal.queued_at, ${confirmationSentAt})
            or ours.sender <> 'assistant' and ours.sent_at >= ${statedSecond})
      )) as is_among_others
    from message, (
      select stated.created_at as queued_at, stated.text as stated_text
      from action_proposal left join message stated on stated.id = confirmation_message_id
      where action_proposal.id = ${id}
    ) proposal
    where conversation_id = ${conversationId} and company_id = ${companyId}
      and direction = 'in' and sender = 'customer' and not is_imported and message.deleted_at is null
      and occurred_at > ${confirmationSentAt}::timestamptz - interval '1 hour'
      and (${isPressed} or created_at > ${confirmationSentAt} and occurred_at >= ${statedSecond})
      and (button_payload is null or ${isPressed} or button_payload !~ '^(agree|decline):')
      and not exists (select from flow_run_reply where message_id = message.id)
      and not exists (select from flow_run where trigger_message_id = message.id)
    order by occurred_at, arrival
  `.execute(tx)
  const inTime = rows.filter(({ isInTime }) => isInTime)
  const last = Math.max(...inTime.map(({ createdAt }) => createdAt.getTime()))
  if (inTime.length === 0) return rows.length > 0 || now > endsAt ? 'too_late' : 'unclear'
  const proposal = { id, kind, stated }
  if (readAgreement(inTime, proposal) === 'refuses') return 'refuses'
  const answer = readAgreement(
    inTime.filter(({ isAmongOthers }) => !isAmongOthers),
    proposal,
  )
  const isStale = now.getTime() - last > ACTION_LIMITS.confirmationMs
  return answer === 'agrees' && isStale ? 'too_late' : answer
}
