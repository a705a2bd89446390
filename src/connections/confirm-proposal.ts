import type { Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { ACTION_LIMITS } from '../limits/calls.ts'
import { COULD_NOT_CHECK } from '../rules/calls/action-answer.ts'
import { readArguments, writeArguments } from '../rules/calls/action-arguments.ts'
import { tellNoCallLeft, type ActionTold } from './call-action.ts'
import { findAgreement } from './find-agreement.sql.ts'
import { loadAction } from './load-action.ts'
import { loadActionTurn, ownerIn } from './load-action-turn.ts'
import type { CallDeps } from './make-call.ts'
import type { Reply } from './offer-actions.ts'
import { sendInReply, writeAfterCall, type ActionInHand } from './send-action.ts'
import { takeActionPlace } from './take-action-place.sql.ts'

const REFUSED = {
  unknown: 'There is no such proposal in this conversation. Propose it first.',
  changed: 'That is not what you proposed, or it has changed since. Propose it again.',
  not_agreed:
    'Nothing was called: the customer has not written since you proposed it. Ask them, and wait for their answer.',
  too_late: `Nothing was called: an agreement counts for ${ACTION_LIMITS.confirmationMs / 60_000} minutes after the proposal. Propose it again.`,
  not_here: 'This action cannot be used in this conversation any more. Go on without it.',
  done: 'This was done already, once. To do it again, propose it again.',
} as const

type Claimed = { ok: true; hand: ActionInHand; withinMs: number } | { ok: false; told: ActionTold }

const refused = (reason: keyof typeof REFUSED): Claimed => ({
  ok: false,
  told: { kind: 'refused', text: REFUSED[reason] },
})

/**
 * Calls what was proposed, when a message of the customer came after it: once, with the arguments that
 * were stated, at most 15 minutes after the proposal. That there was such a message is read from the
 * store, whatever the assistant says; whether it says yes is for the assistant to read.
 *
 * The proposal is claimed in a transaction before the call goes out. One that was claimed and never
 * ended, because the process died, is told as not checked and is never called again.
 *
 * Spec: Calls › Confirmation; States › Proposal of an AI action; reading C13.
 */
export async function confirmProposal(
  deps: CallDeps,
  reply: Reply,
  { proposalId, args }: { proposalId: string; args: unknown },
): Promise<ActionTold> {
  const { db, clock } = deps
  let claimed: Claimed
  try {
    claimed = await transaction(db, (tx) =>
      claim(tx, reply, { proposalId, args, now: clock.now() }),
    )
  } catch (error) {
    return tellNoCallLeft(error)
  }
  if (!claimed.ok) return claimed.told
  const { outcome, text } = await sendInReply(deps, reply, claimed.hand, claimed.withinMs)
  await writeAfterCall(deps, () =>
    db.kysely
      .updateTable('actionProposal')
      .set({ state: outcome === 'success' ? 'done' : 'failed', endedAt: clock.now() })
      .where('id', '=', proposalId)
      .where('companyId', '=', reply.companyId)
      .where('state', '=', 'started')
      .execute(),
  )
  return { kind: 'called', text }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function claim(
  tx: Transaction<DB>,
  { companyId, conversationId, replyId }: Reply,
  { proposalId, args, now }: { proposalId: string; args: unknown; now: Date },
): Promise<Claimed> {
  if (!UUID.test(proposalId)) return refused('unknown')
  const proposal = await tx
    .selectFrom('actionProposal')
    .selectAll()
    .where('id', '=', proposalId)
    .where('companyId', '=', companyId)
    .where('conversationId', '=', conversationId)
    .forUpdate()
    .executeTakeFirst()
  if (!proposal) return refused('unknown')
  if (proposal.state === 'done') return refused('done')
  if (proposal.state !== 'proposed')
    return { ok: false, told: { kind: 'called', text: COULD_NOT_CHECK } }

  const turn = await loadActionTurn(tx, { companyId, conversationId }, now)
  const action = await loadAction(tx, { companyId, actionId: proposal.actionId })
  if (!turn?.isAssistants || !action) return refused('not_here')
  const { definition } = action
  const owner = ownerIn(turn, definition.identity)
  const read = readArguments(definition.parameters, args, definition.request)
  const isSame =
    action.revision === proposal.revision &&
    read.ok &&
    writeArguments(read.value) === proposal.arguments &&
    (owner?.value ?? null) === proposal.identity
  if (!isSame) return refused('changed')

  const agreement = await findAgreement(tx, proposal, now)
  if (agreement !== 'agreed') return refused(agreement)
  const withinMs = await takeActionPlace(tx, { companyId, replyId, customer: turn.customer, now })
  await tx
    .updateTable('actionProposal')
    .set({ state: 'started', startedAt: now })
    .where('id', '=', proposalId)
    .where('companyId', '=', companyId)
    .execute()
  return { ok: true, hand: { action, args: read.value, owner }, withinMs }
}
