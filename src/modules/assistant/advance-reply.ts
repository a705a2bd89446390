/**
 * A turn of a reply, from one effect or wait to the next, in one transaction: the conversation is locked,
 * then the reply; what came back is taken only by the claim and epoch that asked for it; what is next is
 * decided and written. The effect follows outside, after the commit.
 */
import type { ProposalAnswered } from '../connections/answer-proposal.ts'
import { surely } from '../../infra/database/surely.ts'
import { COULD_NOT_CHECK } from '../../rules/calls/action-answer.ts'
import type { OutcomeState } from '../../rules/calls/state-outcome.ts'
import type { Judged } from '../../core/vocabulary/reply-guard.ts'
import { decideNext } from './decide-next.ts'
import { executeDecision } from './execute-decision.ts'
import type { ClaimedReply } from './reply-queue.ts'
import { lockReply, loadReply } from './load-reply.sql.ts'
import type { ReplyRow, StepRow } from './reply.ts'
import { answerData, failureData, toolData, toolDataOf, type ToolData } from './step-data.ts'
import { takeInHeard } from './store-transcripts.ts'
import { takeInCutOff } from './recover-interrupted-step.ts'
import type { EffectResult, ReplyEffect, ReplyAdvanceDeps, ReplyContext } from './reply-context.ts'
import { closeStep } from './record-steps.ts'

const NOT_OURS: ReplyEffect = { kind: 'rest', queued: [], isOurs: false }

/** Spec: Assistant › States of a reply. */
export async function advanceReply(
  deps: ReplyAdvanceDeps,
  claimed: ClaimedReply,
  came: EffectResult | null,
): Promise<ReplyEffect> {
  const judged: Judged[] = []
  const next = await surely(deps.db, async (tx) => {
    judged.length = 0
    const now = deps.clock.now()
    const reply = await lockReply(tx, claimed)
    if (!reply) return NOT_OURS
    const hand = await loadReply(tx, reply, deps)
    const turning: ReplyContext = { tx, deps, hand, now }
    // Whatever becomes of the answer, it was used.
    if (came?.kind === 'answer') hand.unwritten.used = came.used
    await takeIn(turning, came)
    for (;;) {
      const decision = decideNext(hand, now)
      judged.push(...(decision.judged ?? []))
      const turn = await executeDecision(turning, decision)
      if (turn) return turn
    }
  })
  for (const one of judged) deps.guard.note(one)
  return next
}

/** What came back of the open step; where nothing did, it was cut off. */
async function takeIn(turning: ReplyContext, came: EffectResult | null): Promise<void> {
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
    const { text, hasEffect, isDone, does, mayBeTold, handsOver, says, proposalId, data } =
      came.told
    const begun = toolDataOf(open)
    const kept: ToolData = {
      ...begun,
      isDone,
      hasEffect,
      ...(does && { does }),
      ...(mayBeTold && { mayBeTold }),
      ...(handsOver && { handsOver }),
      ...(says !== undefined && { says }),
      ...(proposalId !== undefined && { proposalId }),
      ...(data && { data: { ...data } }),
    }
    Object.assign(open, { state: 'done', told: text, data: toolData(kept) })
    reply.hasEffect = hasEffect || begun.hadEffect === true
  } else if (came.answer.ok) {
    const { text, calls, finish, usage, thought } = came.answer
    const { tried, offered } = came
    Object.assign(open, {
      state: 'done',
      name: came.model,
      told: text,
      data: answerData({
        calls: [...calls],
        finish,
        tried: [...tried],
        offered: [...offered],
        thought,
      }),
      tokensIn: usage.tokensIn,
      tokensOut: usage.tokensOut,
    })
    reply.carried = came.carried
    reply.modelRequests += 1
    reply.tokensIn += usage.tokensIn
    reply.tokensOut += usage.tokensOut
  } else {
    const { tried, offered } = came
    const data = failureData(tried, offered)
    Object.assign(open, { state: 'failed', name: came.model, failure: came.answer.failure, data })
  }
  closeStep(hand, open)
}

/** Code has read whether the customer agreed, and done it if so. */
function takeInAnswered(reply: ReplyRow, open: StepRow, answered: ProposalAnswered): void {
  const { hadEffect = false } = toolDataOf(open)
  const told = answered.kind === 'agreed' ? answered.told : null
  const data: ToolData = {
    callId: '',
    isDone: told?.kind === 'called' && told.isDone,
    hasEffect: told?.kind === 'called' && told.hasEffect,
    hadEffect,
    ...(answered.kind !== 'none' && answered.does && { does: answered.does }),
    ...(told?.kind === 'called' && told.mayBeTold !== '' && { mayBeTold: told.mayBeTold }),
    answered:
      answered.kind === 'none'
        ? { kind: 'none', proposalId: null }
        : {
            kind: answered.kind,
            proposalId: answered.proposalId,
            tool: answered.tool,
            what: answered.what,
            state: outcomeState(answered),
            ...(told && { isCalled: told.kind === 'called' }),
          },
  }
  Object.assign(open, {
    state: 'done',
    told: told?.text ?? (answered.kind === 'withdrawn' ? answered.why : answered.kind),
    data: toolData(data),
  })
  reply.hasEffect = hadEffect || (told?.kind === 'called' && told.hasEffect)
}

function outcomeState(answered: Exclude<ProposalAnswered, { kind: 'none' }>): OutcomeState {
  if (answered.kind === 'ask_again') return 'unclear'
  if (answered.kind === 'withdrawn') return answered.why === 'too_late' ? 'late' : answered.why
  const { told } = answered
  // Nothing was called: what it stood on is gone.
  if (told.kind !== 'called') return 'withdrawn'
  if (told.isDone) return 'agreed'
  return told.hasEffect && told.text === COULD_NOT_CHECK ? 'unknown' : 'failed'
}
