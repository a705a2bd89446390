/**
 * Advances a reply, from one effect or wait to the next, in one transaction. The conversation is locked, then the
 * reply; an effect's result is accepted only under the claim and epoch (a fencing token of the reply's input) that
 * requested it. The next decision is written, and its effect runs after the commit.
 */
import type { Transaction } from 'kysely'
import type { AnsweredProposal } from '../connections/process-proposal-answer.ts'
import { confirmedTransaction } from '../../infra/database/confirmed-transaction.ts'
import type { DB } from '../../infra/database/tables.ts'
import { COULD_NOT_CHECK } from '../../rules/calls/action-answer.ts'
import type { OutcomeState } from '../../rules/calls/state-outcome.ts'
import type { GuardOutcome } from '../../core/vocabulary/reply-guard.ts'
import { decideNext } from './decide-next.ts'
import { executeDecision } from './execute-decision.ts'
import type { ClaimedReply } from './reply-queue.ts'
import { lockReply, loadReply } from './load-reply.sql.ts'
import type { ReplyRow, StepRow } from './reply.ts'
import {
  writeAnswerData,
  writeFailureData,
  writeToolData,
  readToolData,
  type ToolData,
} from './step-data.ts'
import { storeTranscripts } from './store-transcripts.ts'
import { recoverInterruptedStep } from './recover-interrupted-step.ts'
import type { EffectResult, ReplyEffect, ReplyAdvanceDeps, ReplyContext } from './reply-context.ts'
import { closeStep } from './record-steps.ts'

const CLAIM_LOST: ReplyEffect = { kind: 'idle', queued: [], hasClaim: false }

/**
 * Advances a claimed reply with the result of its last effect, and returns the next effect. Spec: Assistant › States
 * of a reply.
 */
export async function advanceReply(
  deps: ReplyAdvanceDeps & { stopping: AbortSignal },
  claimed: ClaimedReply,
  result: EffectResult | null,
): Promise<ReplyEffect> {
  const outcomes: GuardOutcome[] = []
  async function advance(tx: Transaction<DB>): Promise<ReplyEffect> {
    outcomes.length = 0
    const now = deps.clock.now()
    const reply = await lockReply(tx, claimed)
    if (!reply) return CLAIM_LOST
    const loaded = await loadReply(tx, reply, deps)
    const context: ReplyContext = { tx, deps, loaded, now }
    // Model usage counts even if the response is discarded.
    if (result?.kind === 'answer') loaded.pending.used = result.used
    await applyEffectResult(context, result)
    for (;;) {
      const decision = decideNext(loaded, now)
      outcomes.push(...(decision.outcomes ?? []))
      const effect = await executeDecision(context, decision)
      if (effect) return effect
    }
  }
  const next = await confirmedTransaction(deps.db, advance, { stopping: deps.stopping })
  for (const verdict of outcomes) deps.guard.note(verdict)
  return next
}

/** Applies the result to the open step; a step without a result was interrupted. */
async function applyEffectResult(
  context: ReplyContext,
  result: EffectResult | null,
): Promise<void> {
  const { loaded, now } = context
  const { reply } = loaded
  const open = loaded.steps.find(({ state }) => state === 'started')
  if (!open) return
  if (result?.epoch !== open.epoch || result.number !== open.number) {
    return recoverInterruptedStep(context, open)
  }
  open.endedAt = now
  if (result.kind === 'transcribed') {
    await storeTranscripts(context, open, result.notes)
  } else if (result.kind === 'answered') {
    applyProposalAnswer(reply, open, result.answered)
  } else if (result.kind === 'result') {
    const { text, hasEffect, isDone, does, mayBeReported, handsOver, says, proposalId, data } =
      result.result
    const begun = readToolData(open)
    const kept: ToolData = {
      ...begun,
      isDone,
      hasEffect,
      ...(does && { does }),
      ...(mayBeReported && { mayBeReported }),
      ...(handsOver && { handsOver }),
      ...(says !== undefined && { says }),
      ...(proposalId !== undefined && { proposalId }),
      ...(data && { data: { ...data } }),
    }
    Object.assign(open, { state: 'done', result: text, data: writeToolData(kept) })
    reply.hasEffect = hasEffect || begun.hadEffect === true
  } else if (result.answer.ok) {
    const { text, calls, finish, usage, thought } = result.answer
    const { tried, offered } = result
    Object.assign(open, {
      state: 'done',
      name: result.model,
      result: text,
      data: writeAnswerData({
        calls: [...calls],
        finish,
        tried: [...tried],
        offered: [...offered],
        thought,
      }),
      tokensIn: usage.tokensIn,
      tokensOut: usage.tokensOut,
    })
    reply.carried = result.carried
    reply.modelRequests += 1
    reply.tokensIn += usage.tokensIn
    reply.tokensOut += usage.tokensOut
  } else {
    const { tried, offered } = result
    const data = writeFailureData(tried, offered)
    Object.assign(open, {
      state: 'failed',
      name: result.model,
      failure: result.answer.failure,
      data,
    })
  }
  closeStep(loaded, open)
}

/** Applies the customer's answer, which code has read and, if they agreed, executed. */
function applyProposalAnswer(reply: ReplyRow, open: StepRow, answered: AnsweredProposal): void {
  const { hadEffect = false } = readToolData(open)
  const result = answered.kind === 'agreed' ? answered.result : null
  const data: ToolData = {
    callId: '',
    isDone: result?.kind === 'called' && result.isDone,
    hasEffect: result?.kind === 'called' && result.hasEffect,
    hadEffect,
    ...(answered.kind !== 'none' && answered.does && { does: answered.does }),
    ...(result?.kind === 'called' &&
      result.mayBeReported !== '' && { mayBeReported: result.mayBeReported }),
    answered:
      answered.kind === 'none'
        ? { kind: 'none', proposalId: null }
        : {
            kind: answered.kind,
            proposalId: answered.proposalId,
            tool: answered.tool,
            what: answered.what,
            state: outcomeState(answered),
            ...(result && { isCalled: result.kind === 'called' }),
          },
  }
  Object.assign(open, {
    state: 'done',
    result: result?.text ?? (answered.kind === 'withdrawn' ? answered.why : answered.kind),
    data: writeToolData(data),
  })
  reply.hasEffect = hadEffect || (result?.kind === 'called' && result.hasEffect)
}

function outcomeState(answered: Exclude<AnsweredProposal, { kind: 'none' }>): OutcomeState {
  if (answered.kind === 'ask_again') return 'unclear'
  if (answered.kind === 'withdrawn') return answered.why === 'too_late' ? 'late' : answered.why
  const { result } = answered
  // Nothing was called, because the proposal no longer holds.
  if (result.kind !== 'called') return 'withdrawn'
  if (result.isDone) return 'agreed'
  return result.hasEffect && result.text === COULD_NOT_CHECK ? 'unknown' : 'failed'
}
