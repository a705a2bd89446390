import type { Transaction } from 'kysely'
import { cancelAppointments, type CancelOutcome } from '../appointments/cancel-appointment.ts'
import { lockAppointments } from '../appointments/lock-appointments.sql.ts'
import type { DB } from '../../infra/database/tables.ts'
import { confirmedTransaction } from '../../infra/database/confirmed-transaction.ts'
import { retryWhileUnavailable } from '../../infra/database/retry-while-unavailable.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { COULD_NOT_CHECK } from '../../rules/calls/action-answer.ts'
import { toCallResult, noCallLeftResult, type ActionResult } from './call-action.ts'
import { lockConversation } from './draft-proposal.ts'
import { loadAction } from './load-action.ts'
import { loadActionContext, customerValueIn } from './load-action-context.ts'
import type { CallDeps } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { findOpenProposal } from './open-proposal.ts'
import { lockProposal, type ProposalRow } from './proposal.ts'
import { readAnswerToProposal } from './read-answer-to-proposal.sql.ts'
import { sendInReply, writeAfterCall, type ActionInvocation } from './send-action.ts'
import { readTimeLeft, reserveActionCall } from './reserve-action-call.sql.ts'
import { readStoredArguments } from './render-confirmation.ts'
import { withdrawProposals } from './withdraw-proposals.ts'

const REFUSED = {
  unknown: 'Nothing was done: there is no such proposal in this conversation.',
  not_agreed: 'Nothing was done: the customer has not agreed to it.',
  too_late: `Nothing was done: an agreement counts for ${ACTION_LIMITS.confirmationMs / MINUTE_MS} minutes after it was asked for. Propose it again.`,
  changed: 'Nothing was done: what was proposed has changed since. Propose it again.',
  not_here: 'Nothing was done: this cannot be done in this conversation any more.',
  done: 'This was done already, once. To do it again, propose it again.',
} as const

const UNCHECKED: ActionResult = {
  kind: 'called',
  text: COULD_NOT_CHECK,
  isDone: false,
  hasEffect: true,
  does: null,
  mayBeReported: '',
}

type Agreed =
  | { kind: 'result'; result: ActionResult }
  | { kind: 'call'; invocation: ActionInvocation; customer: string; withinMs: number }

const refused = (reason: keyof typeof REFUSED): Agreed => ({
  kind: 'result',
  result: { kind: 'refused', text: REFUSED[reason] },
})

/**
 * Executes a stated proposal, a call or the cancellation of an appointment, if the customer has agreed to it: at most
 * once, and with the stated arguments. Otherwise returns why nothing was done. The agreement is read from the store
 * here, whatever the assistant claims.
 *
 * A call is claimed in the last transaction before it is sent. An error until then leaves the proposal open, so that
 * the next attempt sends it. A claimed call without an outcome, after a crash, is reported as unchecked and never
 * repeated. An appointment is cancelled within the first transaction.
 *
 * Isolation: the conversation is locked first, so that a concurrent `STOP` or takeover either commits before and is
 * seen here, or waits until the proposal is claimed.
 * Spec: Calls › Confirmation; States › Proposal of an AI action; reading C13.
 */
export async function confirmProposal(
  deps: CallDeps,
  reply: Reply,
  proposalId: string,
): Promise<ActionResult> {
  const { db, clock } = deps
  const agreed = await confirmedTransaction(db, (tx) => readAgreed(tx, deps, reply, proposalId))
  if (agreed.kind === 'result') return agreed.result
  const { invocation, withinMs } = agreed
  const claimed: { refusal?: ActionResult | null } = {}
  const claim = async (state: 'started' | 'failed') => {
    claimed.refusal = await claimCall(deps, reply, proposalId, state)
    return claimed.refusal === null
  }
  const sent = await sendInReply(deps, reply, invocation, {
    withinMs,
    claim: () => claim('started'),
  })
  // A call that was not allowed ends the proposal as well.
  if (claimed.refusal === undefined) await claim('failed')
  if (claimed.refusal) return claimed.refusal
  const record = () =>
    db.kysely
      .updateTable('actionProposal')
      .set({ state: sent.outcome === 'success' ? 'done' : 'failed', endedAt: clock.now() })
      .where('id', '=', proposalId)
      .where('companyId', '=', reply.companyId)
      .where('state', '=', 'started')
      .execute()
  await writeAfterCall(deps, () => retryWhileUnavailable(record))
  return toCallResult(invocation.action, sent)
}

/**
 * Claims an agreed call, unless the agreement no longer holds. `failed` ends the proposal of a call that is not made.
 * Returns null, or the result of a call that must not be made.
 */
async function claimCall(
  deps: CallDeps,
  reply: Reply,
  proposalId: string,
  state: 'started' | 'failed',
): Promise<ActionResult | null> {
  const { companyId, replyId } = reply
  try {
    return await confirmedTransaction(deps.db, async (tx) => {
      const agreed = await readAgreed(tx, deps, reply, proposalId)
      if (agreed.kind === 'result') return agreed.result
      const now = deps.clock.now()
      await reserveActionCall(tx, { companyId, replyId, customer: agreed.customer, now })
      const endedAt = state === 'failed' ? now : null
      await start(tx, { companyId, replyId }, proposalId, { state, startedAt: now, endedAt })
      return null
    })
  } catch (error) {
    return noCallLeftResult(error)
  }
}

/** Reads whether the customer has agreed, and to what. Cancels an appointment. Otherwise returns why nothing was done. */
async function readAgreed(
  tx: Transaction<DB>,
  { ids, clock }: Pick<CallDeps, 'ids' | 'clock'>,
  reply: Reply,
  proposalId: string,
): Promise<Agreed> {
  await lockConversation(tx, reply)
  const now = clock.now()
  const proposal = await lockProposal(tx, reply, proposalId)
  const state = proposal?.state
  if (!proposal || state === 'drafted' || state === 'withdrawn') return refused('unknown')
  if (state === 'done' && proposal.confirmedBy !== reply.replyId) return refused('done')
  // It was claimed before. If its state is `started`, the process ended before it recorded the outcome.
  if (state !== 'proposed') return { kind: 'result', result: earlierResult(proposal) }
  // Waits for a concurrent move of the appointment: the customer has not agreed to another time.
  if (proposal.appointmentId !== null) {
    const { companyId } = reply
    await lockAppointments(tx, [{ companyId, appointmentId: proposal.appointmentId }])
  }
  const open = await findOpenProposal(tx, reply, now)
  if (!open) return refused('changed')
  const answer = await readAnswerToProposal(tx, reply, open, now)
  if (answer === 'too_late') return refused('too_late')
  if (answer !== 'agrees') return refused('not_agreed')
  return proposal.appointmentId === null
    ? readAgreedCall(tx, reply, proposal, now)
    : cancelAgreed(tx, { ids, now }, reply, { id: proposal.id, of: proposal.appointmentId })
}

function earlierResult({ appointmentId, state }: ProposalRow): ActionResult {
  if (appointmentId === null) return UNCHECKED
  return state === 'done' ? asCancelled('cancelled') : asCancelled('over')
}

async function readAgreedCall(
  tx: Transaction<DB>,
  { companyId, conversationId, replyId }: Reply,
  proposal: ProposalRow,
  now: Date,
): Promise<Agreed> {
  const context = await loadActionContext(tx, { companyId, conversationId }, now)
  const action = await loadAction(tx, { companyId, actionId: proposal.actionId! })
  if (!context?.isAssistantHandling || !action) return refused('not_here')
  const owner = customerValueIn(context, action.definition.identity)
  if ((owner?.value ?? null) !== proposal.identity) {
    await withdrawProposals(tx, { companyId, proposalId: proposal.id }, 'customer_changed', now)
    return refused('changed')
  }
  return {
    kind: 'call',
    invocation: { action, args: readStoredArguments(proposal), owner },
    customer: context.customer,
    withinMs: await readTimeLeft(tx, { companyId, replyId }),
  }
}

const CANCELLED = 'The appointment is cancelled.'
const NOT_CANCELLED = 'The appointment could not be cancelled: it has begun, or it is over.'

function asCancelled(outcome: CancelOutcome): ActionResult {
  const isDone = outcome === 'cancelled'
  const text = isDone ? CANCELLED : NOT_CANCELLED
  return { kind: 'called', text, isDone, hasEffect: isDone, does: ['cancels'], mayBeReported: '' }
}

async function cancelAgreed(
  tx: Transaction<DB>,
  { ids, now }: { ids: CallDeps['ids']; now: Date },
  { companyId, replyId }: Reply,
  proposal: { id: string; of: string },
): Promise<Agreed> {
  const [outcome] = await cancelAppointments(tx, { ids, now }, [
    { companyId, appointmentId: proposal.of, by: 'assistant', reason: null, actorId: null },
  ])
  await start(tx, { companyId, replyId }, proposal.id, {
    state: outcome === 'cancelled' ? 'done' : 'failed',
    startedAt: now,
    endedAt: now,
  })
  return { kind: 'result', result: asCancelled(outcome!) }
}

async function start(
  tx: Transaction<DB>,
  { companyId, replyId }: { companyId: string; replyId: string },
  proposalId: string,
  columns: { state: 'started' | 'done' | 'failed'; startedAt: Date; endedAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('actionProposal')
    .set({ ...columns, confirmedBy: replyId })
    .where('id', '=', proposalId)
    .where('companyId', '=', companyId)
    .execute()
}
