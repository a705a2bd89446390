/**
 * What one turn of a run comes to: a pure function of what it finds. It walks until the run must send or
 * call, waits or has ended, and gathers all that is to be written.
 */
import { leaseEnd } from '../../../infra/database/queues/queue.ts'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { InlineEffectOutcome } from '../../../flow-kinds/steps/run-state.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import {
  interpret,
  callAt,
  failed,
  afterMutation,
  type Interpreted,
  type NextMove,
  type RunEnd,
  type RunInput,
} from './interpret-flow.ts'
import { interruptedCall, lostMs, mayCallAgain, type InterruptedCall } from './interrupted-call.ts'
import type { SilentEnd } from './end-run.ts'
import { FLOW_DELETED, whyRunMustStop, isOfErased, whyMutationBlocked } from './stop-conditions.ts'
import type { Called } from './make-step-call.ts'
import { runContextOf, contactOf, stateOf } from './run-context.ts'
import type { LoadedRun } from './load-runs.sql.ts'
import { addStep, closeSend, logTries, startStep } from './run-history.ts'
import { undelivered, readResumeCause, type ResumeCause } from './read-resume-cause.ts'
import type { RunPlan } from './planned-turn.ts'
import type { RunChange } from './planned-turn.ts'

/**
 * @param called what came of the call that the turn before asked for.
 * @param wasAccepted the provider has just taken the run's message. A receipt may have told since that it
 *   failed: the run goes on, but waits for no reply to it.
 */
export function planAdvance(
  hand: LoadedRun,
  definition: FlowDefinition,
  called: Called | null,
  now: Date,
  wasAccepted = false,
): RunPlan {
  const plan = beginPlan(hand, definition)
  const { run, last } = hand
  if (called) plan.closed.push(called.closed)
  const isAtSend = !called && last && (run.status === 'running' || run.waitKind === 'sent')
  if (isAtSend) logTries(plan, now)
  const happened: ResumeCause = called
    ? { kind: 'called', call: called.outcome }
    : readResumeCause(hand, definition, now)
  if (wasAccepted && happened.kind === 'send_failed' && last) {
    return afterAccepted(plan, happened.detail, now)
  }
  const interrupted = run.status === 'running' ? null : whyRunMustStop(hand, now)
  if (interrupted) return endTurn(plan, interrupted, now)
  if (happened.kind === 'reply') plan.consumed.push(hand.replies[0]!.id)
  return goOn(plan, happened, now)
}

/** The provider took the message and has told since that it failed: only a run that waits for a reply learns it. */
function afterAccepted(plan: RunPlan, detail: Fact, now: Date): RunPlan {
  const sent = beginPlan(plan.hand, plan.definition)
  logTries(sent, now)
  closeSend(sent, 'done', null)
  const gone = walk(sent, { kind: 'sent' }, now)
  if (gone.change?.waitKind !== 'reply') return gone
  closeSend(plan, 'failed', detail)
  return walkOn(plan, { kind: 'send_failed', detail: undelivered(plan.hand.last!.message) }, now)
}

/** Plans what follows from what happened, in a turn that nothing interrupts so far. */
function goOn(plan: RunPlan, happened: ResumeCause, now: Date): RunPlan {
  const { hand } = plan
  const { last } = hand
  switch (happened.kind) {
    case 'nothing':
      // What a run that was cancelled has not said yet is not said.
      if (hand.run.cancelDetail !== null && last?.message.status === 'queued') {
        return endTurn(plan, whyRunMustStop(hand, now)!, now)
      }
      return letGo(plan, { dueAt: happened.dueAt })
    case 'send_unknown':
      closeSend(plan, 'interrupted', fact('send_unknown'))
      plan.givesUp = isOpen(hand)
      if (hand.isFlowDeleted) return endTurn(plan, FLOW_DELETED, now)
      return restAt(plan, 'sent', RUN_LIMITS.unknownSendMs, now)
    case 'send_refused_for_now': {
      closeSend(plan, 'failed', happened.detail)
      const stop = whyRunMustStop(hand, now)
      if (stop) return endTurn(plan, stop, now)
      const dueAt = happened.againAt > now ? happened.againAt : null
      return letGo(plan, { dueAt, sendFailures: last!.message.attempt! })
    }
    case 'send_not_allowed':
      closeSend(plan, 'failed', happened.detail)
      return walkUnsent(plan, happened.detail, now)
    case 'undelivered': {
      const { messageId, stepId } = last!.step
      plan.closed.push({ messageId, status: 'failed', detail: happened.detail })
      plan.state.stepId = stepId
      return walk(plan, { kind: 'send_failed', detail: happened.detail }, now)
    }
    case 'call_cut_off':
      return afterCutOff(plan, happened.cutOff, now)
    case 'sent':
      closeSend(plan, 'done', null)
      return walkOn(plan, happened, now)
    case 'send_failed':
      if (last) closeSend(plan, 'failed', happened.detail)
      return walkOn(plan, happened, now)
    case 'called':
      return walkOn(plan, happened, now)
    case 'start':
    case 'reply':
    case 'timeout':
      return walk(plan, happened, now)
  }
}

/**
 * Takes on a run whose effect outside is over. Who took the conversation over meanwhile, or left, is not
 * met by what its further steps would do to either.
 */
function walkOn(plan: RunPlan, happened: RunInput, now: Date): RunPlan {
  const interrupted = whyRunMustStop(plan.hand, now)
  return interrupted ? endTurn(plan, interrupted, now) : walk(plan, happened, now)
}

function beginPlan(hand: LoadedRun, definition: FlowDefinition): RunPlan {
  return {
    hand,
    definition,
    state: stateOf(hand),
    acts: [],
    added: [],
    closed: [],
    consumed: [],
    givesUp: false,
    change: null,
    end: null,
    send: null,
    call: null,
    errand: null,
  }
}

/**
 * Lets the engine decide, and feeds it a reply that came early when it begins to wait. Of a contact that was
 * erased meanwhile nothing is kept that a call or a reply has brought.
 */
function walk(plan: RunPlan, first: RunInput, now: Date): RunPlan {
  if (isOfErased(plan.hand.run)) return endTurn(plan, whyRunMustStop(plan.hand, now)!, now)
  const around = runContextOf(plan.hand, now)
  let input: RunInput | null = first
  let next: Interpreted['next'] | null = null
  while (input) {
    const advanced = interpret(plan.definition, plan.state, input, {
      contact: contactAfter(plan),
      around,
    })
    plan.state = advanced.state
    plan.acts.push(...advanced.acts)
    for (const record of advanced.records) addStep(plan, record, now)
    next = advanced.next
    const listens = next.kind === 'wait' && next.forReply
    const reply = listens ? plan.hand.replies[plan.consumed.length] : undefined
    if (reply) plan.consumed.push(reply.id)
    input = reply ? { kind: 'reply', ...reply } : null
  }
  return follow(plan, next!, null, now)
}

/** The customer as the steps of this turn have left them. */
function contactAfter({ hand, acts }: RunPlan) {
  return acts.reduce(afterMutation, contactOf(hand))
}

function follow(plan: RunPlan, next: NextMove, cutOff: InterruptedCall | null, now: Date): RunPlan {
  const { hand } = plan
  switch (next.kind) {
    case 'send': {
      const refusal = whyMutationBlocked(hand, now)
      if (refusal) return refuseStep(plan, next.stepId, next.stepKind, refusal, now)
      plan.send = next
      return plan
    }
    case 'errand': {
      const refusal = whyMutationBlocked(hand, now)
      if (refusal) return refuseStep(plan, next.stepId, next.stepKind, refusal, now)
      plan.errand = next
      return plan
    }
    case 'call': {
      const refusal = whyMutationBlocked(hand, now)
      if (!refusal) return callNow(plan, next, cutOff, now)
      if (!cutOff) return refuseStep(plan, next.stepId, next.step.kind, refusal, now)
      plan.closed.push(interruptedCall(next.step, cutOff).closed)
      return endTurn(plan, refusal, now)
    }
    case 'wait': {
      // Whoever left or took over while the run was at work found nothing to wake.
      const interrupted = whyRunMustStop(hand, now)
      return interrupted
        ? endTurn(plan, interrupted, now)
        : restAt(plan, next.forReply ? 'reply' : 'time', next.timeoutMs, now)
    }
    case 'end':
      return endTurn(plan, hand.isFlowDeleted ? FLOW_DELETED : next, now)
  }
}

function afterCutOff(plan: RunPlan, cutOff: InterruptedCall, now: Date): RunPlan {
  const { state, definition } = plan
  const stepId = state.stepId!
  const step = callAt(definition, stepId)
  if (!step) return endTurn(plan, failed('error', fact('step_gone', { step: stepId })), now)
  state.callsSinceReplyMs += lostMs(cutOff, now)
  const withinMs = CALL_LIMITS.inOneGoMs - state.callsSinceReplyMs
  if (mayCallAgain(step, cutOff) && withinMs > 0) {
    return follow(plan, { kind: 'call', stepId, step, withinMs }, cutOff, now)
  }
  const { outcome, closed } = interruptedCall(step, cutOff)
  plan.closed.push(closed)
  return walkOn(plan, { kind: 'called', call: outcome }, now)
}

/** What a step was to send cannot go out: the run goes the step's way for that, or fails. Reading F33. */
export function refuseSend(plan: RunPlan, detail: Fact, now: Date): RunPlan {
  const { stepId, stepKind } = plan.send!
  plan.send = null
  addStep(plan, { stepId, kind: stepKind, status: 'failed', detail }, now)
  return walk(plan, { kind: 'send_failed', detail }, now)
}

/** Takes on a turn whose errand is done. */
export function afterInlineEffect(plan: RunPlan, outcome: InlineEffectOutcome, now: Date): RunPlan {
  plan.errand = null
  return walk(plan, { kind: 'errand_done', outcome }, now)
}

function walkUnsent(plan: RunPlan, detail: Fact, now: Date): RunPlan {
  const refusal = whyMutationBlocked(plan.hand, now)
  return refusal ? endTurn(plan, refusal, now) : walk(plan, { kind: 'send_failed', detail }, now)
}

/** The send of a step is refused before it is queued, and the run ends. */
export function refuseStep(
  plan: RunPlan,
  stepId: string,
  kind: string,
  end: RunEnd | SilentEnd,
  now: Date,
): RunPlan {
  addStep(plan, { stepId, kind, status: 'failed', detail: end.detail }, now)
  return endTurn(plan, end, now)
}

/** The message of a step is queued: nobody has the run in hand until it is told what came of it. */
export function awaitSend(plan: RunPlan, messageId: string): RunPlan {
  const { stepId, stepKind } = plan.send!
  startStep(plan, { stepId, kind: stepKind, messageId, callAttempts: null })
  plan.change = {
    ...unchanged(plan),
    ...AT_REST,
    status: 'running',
    dueAt: null,
    hasSent: true,
    sendFailures: 0,
  }
  return plan
}

/** The run is at work on a call: it keeps its claim, whose lease begins anew. */
function callNow(
  plan: RunPlan,
  { stepId, step, withinMs }: Extract<NextMove, { kind: 'call' }>,
  cutOff: InterruptedCall | null,
  now: Date,
): RunPlan {
  const { run } = plan.hand
  const number =
    cutOff?.number ?? startStep(plan, { stepId, kind: step.kind, messageId: null, callAttempts: 0 })
  const { variables } = plan.state
  const attemptsBefore = cutOff?.attempts ?? 0
  plan.call = { stepId, number, step, variables, withinMs, attemptsBefore }
  plan.change = {
    ...unchanged(plan),
    ...AT_REST,
    status: 'running',
    claimId: run.claimId,
    leaseExpiresAt: leaseEnd(RUN_LIMITS, now),
    sendFailures: 0,
  }
  return plan
}

function restAt(
  plan: RunPlan,
  waitKind: 'reply' | 'time' | 'sent',
  forMs: number,
  now: Date,
): RunPlan {
  const waitUntil = new Date(now.getTime() + forMs)
  // A reply for which this turn had no room is read in the next.
  const hasMore = waitKind === 'reply' && plan.consumed.length === RUN_LIMITS.repliesInTurn
  plan.change = {
    ...unchanged(plan),
    ...AT_REST,
    status: 'waiting',
    waitKind,
    waitUntil,
    waitingSince: now,
    dueAt: hasMore ? now : waitUntil,
    sendFailures: 0,
  }
  return plan
}

/** Gives the claim back without moving the run on. */
function letGo(plan: RunPlan, change: { dueAt: Date | null; sendFailures?: number }): RunPlan {
  plan.change = { ...unchanged(plan), ...change, claimId: null, leaseExpiresAt: null }
  return plan
}

function endTurn(plan: RunPlan, end: RunEnd | SilentEnd, now: Date): RunPlan {
  plan.end = end
  plan.givesUp = isOpen(plan.hand)
  plan.change = {
    ...unchanged(plan),
    ...AT_REST,
    status: end.status,
    endReason: end.endReason,
    endDetail: end.detail && serializeFact(end.detail),
    endedAt: now,
    stepId: null,
    dueAt: null,
  }
  return plan
}

/** Whether the send that the run was at last may still go out, or be tried again. */
function isOpen({ last }: LoadedRun): boolean {
  if (!last) return false
  const { status, dueAt } = last.message
  return status === 'queued' || status === 'sending' || dueAt !== null
}

const AT_REST = {
  waitKind: null,
  waitUntil: null,
  waitingSince: null,
  claimId: null,
  leaseExpiresAt: null,
}

function unchanged({ hand: { run }, state, added }: RunPlan): RunChange {
  return {
    ...run,
    ...state,
    variables: JSON.stringify(state.variables),
    offered: state.offered && JSON.stringify(state.offered),
    steps: run.steps + added.length,
  }
}
