import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { readAgreement } from '../../rules/assistant/agreement-reading.ts'
import type { OpenProposal } from './open-proposal.ts'
import { agreePayload, declinePayload, type InConversation } from './proposal.ts'

type Row = {
  type: string
  text: string | null
  transcript: string | null
  buttonPayload: string | null
  createdAt: Date
  isInTime: boolean
  isAmongOthers: boolean
}

/** `too_late` also where nothing was said in time. */
export type AnswerToProposal = 'agrees' | 'refuses' | 'unclear' | 'too_late'

/**
 * What the customer has said to a proposal since it was stated, as code reads it. A message counts that was
 * both written and saved after the provider took the statement, at most 15:00.000 after it; the same time
 * again an agreement may wait to be taken. Providers tell in whole seconds when it was written: words of the
 * second of the statement count that were saved after it. A button that was pressed was there to be read. What a
 * run took is for the run. Where we said more after the statement, or in its second as the provider tells it, words
 * may answer that: they refuse, but only its button agrees; so do words that quote anything but the statement. A
 * button of another proposal never agrees.
 *
 * Isolation: the caller holds the conversation and the proposal. A message that commits meanwhile counts the
 * next time. Spec: Calls › Confirmation; reading C13.
 */
export async function readAnswerToProposal(
  tx: Transaction<DB>,
  { companyId, conversationId }: InConversation,
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
          -- The parts of its own reply came before it, whenever the provider says it sent them.
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
