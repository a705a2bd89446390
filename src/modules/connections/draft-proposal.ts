import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { writeArguments } from '../../rules/calls/action-arguments.ts'
import type { Reply } from './offer-actions.ts'
import type { ActionInvocation } from './send-action.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/** What is proposed: an action with its arguments, or that an appointment is cancelled. */
type ToPropose = ActionInvocation | { appointment: { id: string; version: number } }

export type Drafted = { kind: 'drafted'; proposalId: string; text: string }

/** For the assistant: the statement is not its to write, nor the agreement its to read. */
export const DRAFTED =
  'Nothing was done yet. The service itself now tells the customer exactly what would be done and asks whether they agree, below your text. Do not state it or ask for it yourself, and do not say that it was done. You are told in a later turn what came of it.'

/**
 * Writes down what is to be stated to the customer: the action as it is now and the exact arguments. A
 * conversation has one proposal: an earlier one that was not agreed to is withdrawn. A draft cannot be agreed
 * to; it can once the provider took the message that states it.
 *
 * Isolation: the conversation is locked, so that two who draft in it take turns.
 * Spec: States › Proposal of an AI action.
 */
export async function draftProposal(
  { db, clock, ids }: Pick<Context, 'db' | 'clock' | 'ids'>,
  reply: Reply,
  what: ToPropose,
): Promise<Drafted> {
  const { companyId, conversationId, replyId } = reply
  const proposalId = ids.uuid()
  const now = clock.now()
  await transaction(db, async (tx) => {
    await lockConversation(tx, reply)
    await withdrawProposals(tx, { companyId, conversationId }, 'replaced', now)
    const isAction = 'action' in what
    await tx
      .insertInto('actionProposal')
      .values({
        id: proposalId,
        companyId,
        conversationId,
        actionId: isAction ? what.action.id : null,
        appointmentId: isAction ? null : what.appointment.id,
        revision: isAction ? what.action.revision : what.appointment.version,
        arguments: writeArguments(isAction ? what.args : {}),
        identity: isAction ? (what.owner?.value ?? null) : null,
        draftedBy: replyId,
        state: 'drafted',
        createdAt: now,
      })
      .execute()
  })
  return { kind: 'drafted', proposalId, text: DRAFTED }
}

/** Law: the conversation before what hangs on it. */
export async function lockConversation(
  tx: Transaction<DB>,
  { companyId, conversationId }: Pick<Reply, 'companyId' | 'conversationId'>,
): Promise<void> {
  await tx
    .selectFrom('conversation')
    .select('id')
    .where('id', '=', conversationId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .execute()
}
