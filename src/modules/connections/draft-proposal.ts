import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { writeArguments } from '../../rules/calls/action-arguments.ts'
import type { Reply } from './offer-actions.ts'
import type { ActionInvocation } from './send-action.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

/** The subject of a proposal: an action with its arguments, or the cancellation of an appointment. */
type ToPropose = ActionInvocation | { appointment: { id: string; version: number } }

/** A drafted proposal, with the text for the assistant. */
export type Drafted = { kind: 'drafted'; proposalId: string; text: string }

/** The result text of a drafted proposal for the model, which neither states the proposal nor reads the agreement. */
export const DRAFTED =
  'Nothing was done yet. The service itself now tells the customer exactly what would be done and asks whether they agree, below your text. Do not state it or ask for it yourself, and do not say that it was done. You are told in a later turn what came of it.'

/**
 * Stores a proposal, which will be stated to the customer: the current action with its exact arguments, or the
 * cancellation of an appointment. A conversation has one proposal: an earlier unconfirmed one is withdrawn. The customer
 * can agree only once the provider has accepted the message that states it.
 *
 * Isolation: the conversation is locked, so that concurrent drafts are serialised.
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

/** Locks a conversation until the transaction ends. The lock order requires it before rows that depend on it. */
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
