/**
 * A turn of a reply, from one effect or wait to the next, in one transaction: the conversation is locked,
 * then the reply; what came back is taken only by the claim and epoch that asked for it; what is next is
 * decided and written. The effect follows outside, after the commit.
 */
import type { ProposalAnswered } from '../connections/answer-proposal.ts'
import { transaction } from '../database/transaction.ts'
import { advanceReply } from './advance-reply.ts'
import { carryOut } from './carry-out.ts'
import type { ClaimedReply } from './claim-replies.sql.ts'
import { lockReply, readHand } from './read-reply.sql.ts'
import type { ReplyRow, StepRow, ToolData } from './reply.ts'
import { takeInHeard } from './take-in-heard.ts'
import { takeInCutOff } from './take-in-cut-off.ts'
import type { CameBack, ReplyTurn, ReplyTurnDeps, Turning } from './turning.ts'
import { closeStep } from './note-steps.ts'

const NOT_OURS: ReplyTurn = { kind: 'rest', queued: [], isOurs: false }

/** Spec: Assistant › States of a reply. */
export async function takeReplyTurn(
  deps: ReplyTurnDeps,
  claimed: ClaimedReply,
  came: CameBack | null,
): Promise<ReplyTurn> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const reply = await lockReply(tx, claimed)
    if (!reply) return NOT_OURS
    const hand = await readHand(tx, reply, deps)
    const turning: Turning = { tx, deps, hand, now }
    // Whatever becomes of the answer, it was used.
    if (came?.kind === 'answer') hand.unwritten.used = came.used
    await takeIn(turning, came)
    for (;;) {
      const turn = await carryOut(turning, advanceReply(hand, now))
      if (turn) return turn
    }
  })
}

/** What came back of the open step; where nothing did, it was cut off. */
async function takeIn(turning: Turning, came: CameBack | null): Promise<void> {
  const { hand, now } = turning
  const { reply } = hand
  const open = hand.steps.find(({ state }) => state === 'started')
  if (!open) return
  if (came?.epoch !== open.epoch || came.number !== open.number) {
    return takeInCutOff(turning, open)
  }
  open.endedAt = now
  if (came.kind === 'heard') {
    await takeInHeard(turning, open, came.heard)
  } else if (came.kind === 'answered') {
    takeInAnswered(reply, open, came.answered)
  } else if (came.kind === 'told') {
    const { text, hasEffect, isDone, handsOver, says, proposalId, data } = came.told
    const begun = JSON.parse(open.data!) as ToolData
    const kept: ToolData = {
      ...begun,
      isDone,
      hasEffect,
      ...(handsOver && { handsOver }),
      ...(says !== undefined && { says }),
      ...(proposalId !== undefined && { proposalId }),
      ...(data && { data }),
    }
    Object.assign(open, { state: 'done', told: text, data: JSON.stringify(kept) })
    reply.hasEffect = hasEffect || begun.hadEffect === true
  } else if (came.answer.ok) {
    const { text, calls, finish, usage } = came.answer
    Object.assign(open, {
      state: 'done',
      name: came.model,
      told: text,
      data: JSON.stringify({ calls, finish, tried: came.tried, offered: came.offered }),
      tokensIn: usage.tokensIn,
      tokensOut: usage.tokensOut,
    })
    reply.modelRequests += 1
    reply.tokensIn += usage.tokensIn
    reply.tokensOut += usage.tokensOut
  } else {
    const { tried, offered } = came
    const data = JSON.stringify({ calls: [], finish: 'stop', tried, offered })
    Object.assign(open, { state: 'failed', name: came.model, failure: came.answer.failure, data })
  }
  closeStep(hand, open)
}

/** Code has read whether the customer agreed, and done it if so: the model only words what came of it. */
function takeInAnswered(reply: ReplyRow, open: StepRow, answered: ProposalAnswered): void {
  const { hadEffect = false } = JSON.parse(open.data!) as ToolData
  const proposalId = answered.kind === 'none' ? null : answered.proposalId
  const told = answered.kind === 'agreed' ? answered.told : null
  const data: ToolData = {
    callId: '',
    isDone: told?.kind === 'called' && told.isDone,
    hasEffect: told?.kind === 'called' && told.hasEffect,
    hadEffect,
    answered: {
      kind: answered.kind,
      proposalId,
      ...(answered.kind === 'agreed' && {
        tool: answered.tool,
        isCalled: answered.told.kind === 'called',
      }),
    },
  }
  Object.assign(open, {
    state: 'done',
    told: told?.text ?? (answered.kind === 'withdrawn' ? answered.why : answered.kind),
    data: JSON.stringify(data),
  })
  reply.hasEffect = hadEffect || (told?.kind === 'called' && told.hasEffect)
}
