/**
 * Plans one advance of a run: a pure function of its loaded inputs. It proceeds until the run must send or call,
 * waits or has ended, and collects everything to write.
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
  type RunAction,
  type RunEnd,
  type RunInput,
} from './interpret-flow.ts'
import {
  closeInterruptedCall,
  lostMs,
  mayRetryCall,
  type InterruptedCall,
} from './interrupted-call.ts'
import type { SilentEnd } from './end-run.ts'
import { FLOW_DELETED, whyRunMustStop, isOfErased, whyEffectBlocked } from './stop-conditions.ts'
import type { StepCallResult } from './make-step-call.ts'
import { runContextOf, contactOf, stateOf } from './run-context.ts'
import type { LoadedRun } from './load-runs.sql.ts'
import { addStep, closeSend, recordNewAttempt, startStep } from './run-history.ts'
import { undelivered, readResumeCause, type ResumeCause } from './read-resume-cause.ts'
import type { RunPlan } from './run-plan.ts'
import type { RunChange } from './run-plan.ts'

/**
 * Plans how a run continues, without side effects, until it sends, calls, waits or ends.
 * @param called the result of the call that the previous advance requested.
 * @param wasAccepted whether the provider has just accepted the run's message. A receipt may already report its
 * failure: the run continues, but does not wait for a reply to it.
 */
export function planAdvance(
  loaded: LoadedRun,
  definition: FlowDefinition,
  called: StepCallResult | null,
  now: Date,
  wasAccepted = false,
): RunPlan {
  const plan = beginPlan(loaded, definition)
  const { run, last } = loaded
  if (called) plan.closed.push(called.closed)
  const isAtSend = !called && last && (run.status === 'running' || run.waitKind === 'sent')
  if (isAtSend) recordNewAttempt(plan, now)
  const cause: ResumeCause = called
    ? { kind: 'called', call: called.outcome }
    : readResumeCause(loaded, definition, now)
  if (wasAccepted && cause.kind === 'send_failed' && last) {
    return afterAccepted(plan, cause.detail, now)
  }
  const stop = run.status === 'running' ? null : whyRunMustStop(loaded, now)
  if (stop) return planEnd(plan, stop, now)
  if (cause.kind === 'reply') plan.consumed.push(loaded.replies[0]!.id)
  return planFrom(plan, cause, now)
}

/**
 * Plans after an accepted message that a receipt already reports as failed: only a run that waits for a reply fails
 * its step.
 */
function afterAccepted(plan: RunPlan, detail: Fact, now: Date): RunPlan {
  const sent = beginPlan(plan.loaded, plan.definition)
  recordNewAttempt(sent, now)
  closeSend(sent, 'done', null)
  const proceeded = proceed(sent, { kind: 'sent' }, now)
  if (proceeded.change?.waitKind !== 'reply') return proceeded
  closeSend(plan, 'failed', detail)
  return proceedUnlessStopped(
    plan,
    { kind: 'send_failed', detail: undelivered(plan.loaded.last!.message) },
    now,
  )
}

/** Plans what follows from the cause, when nothing has stopped the run so far. */
function planFrom(plan: RunPlan, cause: ResumeCause, now: Date): RunPlan {
  const { loaded } = plan
  const { last } = loaded
  switch (cause.kind) {
    case 'nothing':
      // A cancelled run does not send what is still queued.
      if (loaded.run.cancelDetail !== null && last?.message.status === 'queued') {
        return planEnd(plan, whyRunMustStop(loaded, now)!, now)
      }
      return planRelease(plan, { dueAt: cause.dueAt })
    case 'send_unknown':
      closeSend(plan, 'interrupted', fact('send_unknown'))
      plan.abandonsSends = isOpen(loaded)
      if (loaded.isFlowDeleted) return planEnd(plan, FLOW_DELETED, now)
      return planWait(plan, 'sent', RUN_LIMITS.unknownSendMs, now)
    case 'send_refused_for_now': {
      closeSend(plan, 'failed', cause.detail)
      const stop = whyRunMustStop(loaded, now)
      if (stop) return planEnd(plan, stop, now)
      const dueAt = cause.againAt > now ? cause.againAt : null
      return planRelease(plan, { dueAt, sendFailures: last!.message.attempt! })
    }
    case 'send_not_allowed':
      closeSend(plan, 'failed', cause.detail)
      return proceedUnsent(plan, cause.detail, now)
    case 'undelivered': {
      const { messageId, stepId } = last!.step
      plan.closed.push({ messageId, status: 'failed', detail: cause.detail })
      plan.state.stepId = stepId
      return proceed(plan, { kind: 'send_failed', detail: cause.detail }, now)
    }
    case 'call_interrupted':
      return afterInterruptedCall(plan, cause.unfinishedCall, now)
    case 'sent':
      closeSend(plan, 'done', null)
      return proceedUnlessStopped(plan, cause, now)
    case 'send_failed':
      if (last) closeSend(plan, 'failed', cause.detail)
      return proceedUnlessStopped(plan, cause, now)
    case 'called':
      return proceedUnlessStopped(plan, cause, now)
    case 'start':
    case 'reply':
    case 'timeout':
      return proceed(plan, cause, now)
  }
}

/** Proceeds after an external effect, unless the customer opted out or staff took over meanwhile. */
function proceedUnlessStopped(plan: RunPlan, cause: RunInput, now: Date): RunPlan {
  const stop = whyRunMustStop(plan.loaded, now)
  return stop ? planEnd(plan, stop, now) : proceed(plan, cause, now)
}

function beginPlan(loaded: LoadedRun, definition: FlowDefinition): RunPlan {
  return {
    loaded,
    definition,
    state: stateOf(loaded),
    mutations: [],
    added: [],
    closed: [],
    consumed: [],
    abandonsSends: false,
    change: null,
    end: null,
    send: null,
    call: null,
    effect: null,
  }
}

/**
 * Runs the engine, and passes it an early reply when it starts to wait. For an erased contact, nothing that a call or
 * reply returned is stored.
 */
function proceed(plan: RunPlan, first: RunInput, now: Date): RunPlan {
  if (isOfErased(plan.loaded.run)) return planEnd(plan, whyRunMustStop(plan.loaded, now)!, now)
  const around = runContextOf(plan.loaded, now)
  let input: RunInput | null = first
  let next: Interpreted['next'] | null = null
  while (input) {
    const advanced = interpret(plan.definition, plan.state, input, {
      contact: contactAfter(plan),
      around,
    })
    plan.state = advanced.state
    plan.mutations.push(...advanced.mutations)
    for (const record of advanced.records) addStep(plan, record, now)
    next = advanced.next
    const listens = next.kind === 'wait' && next.forReply
    const reply = listens ? plan.loaded.replies[plan.consumed.length] : undefined
    if (reply) plan.consumed.push(reply.id)
    input = reply ? { kind: 'reply', ...reply } : null
  }
  return planNext(plan, next!, null, now)
}

/** Returns the contact as the steps of this advance have left it. */
function contactAfter({ loaded, mutations }: RunPlan) {
  return mutations.reduce(afterMutation, contactOf(loaded))
}

function planNext(
  plan: RunPlan,
  next: RunAction,
  unfinishedCall: InterruptedCall | null,
  now: Date,
): RunPlan {
  const { loaded } = plan
  switch (next.kind) {
    case 'send': {
      const refusal = whyEffectBlocked(loaded, now)
      if (refusal) return refuseStep(plan, next.stepId, next.stepKind, refusal, now)
      plan.send = next
      return plan
    }
    case 'effect': {
      const refusal = whyEffectBlocked(loaded, now)
      if (refusal) return refuseStep(plan, next.stepId, next.stepKind, refusal, now)
      plan.effect = next
      return plan
    }
    case 'call': {
      const refusal = whyEffectBlocked(loaded, now)
      if (!refusal) return planCall(plan, next, unfinishedCall, now)
      if (!unfinishedCall) return refuseStep(plan, next.stepId, next.step.kind, refusal, now)
      plan.closed.push(closeInterruptedCall(next.step, unfinishedCall).closed)
      return planEnd(plan, refusal, now)
    }
    case 'wait': {
      // An opt-out or takeover during the effect found no waiting run to end.
      const stop = whyRunMustStop(loaded, now)
      return stop
        ? planEnd(plan, stop, now)
        : planWait(plan, next.forReply ? 'reply' : 'time', next.timeoutMs, now)
    }
    case 'end':
      return planEnd(plan, loaded.isFlowDeleted ? FLOW_DELETED : next, now)
  }
}

function afterInterruptedCall(plan: RunPlan, unfinishedCall: InterruptedCall, now: Date): RunPlan {
  const { state, definition } = plan
  const stepId = state.stepId!
  const step = callAt(definition, stepId)
  if (!step) return planEnd(plan, failed('error', fact('step_gone', { step: stepId })), now)
  state.callsSinceReplyMs += lostMs(unfinishedCall, now)
  const withinMs = CALL_LIMITS.inOneGoMs - state.callsSinceReplyMs
  if (mayRetryCall(step, unfinishedCall) && withinMs > 0) {
    return planNext(plan, { kind: 'call', stepId, step, withinMs }, unfinishedCall, now)
  }
  const { outcome, closed } = closeInterruptedCall(step, unfinishedCall)
  plan.closed.push(closed)
  return proceedUnlessStopped(plan, { kind: 'called', call: outcome }, now)
}

/** Plans how a run continues after a refused send: it takes the step's exit for that, or fails. Reading F33. */
export function refuseSend(plan: RunPlan, detail: Fact, now: Date): RunPlan {
  const { stepId, stepKind } = plan.send!
  plan.send = null
  addStep(plan, { stepId, kind: stepKind, status: 'failed', detail }, now)
  return proceed(plan, { kind: 'send_failed', detail }, now)
}

/** Continues a plan with the outcome of its inline effect. */
export function afterInlineEffect(plan: RunPlan, outcome: InlineEffectOutcome, now: Date): RunPlan {
  plan.effect = null
  return proceed(plan, { kind: 'effect_done', outcome }, now)
}

function proceedUnsent(plan: RunPlan, detail: Fact, now: Date): RunPlan {
  const refusal = whyEffectBlocked(plan.loaded, now)
  return refusal ? planEnd(plan, refusal, now) : proceed(plan, { kind: 'send_failed', detail }, now)
}

/** Plans the end of a run at a step whose effect was refused before it began. */
export function refuseStep(
  plan: RunPlan,
  stepId: string,
  kind: string,
  end: RunEnd | SilentEnd,
  now: Date,
): RunPlan {
  addStep(plan, { stepId, kind, status: 'failed', detail: end.detail }, now)
  return planEnd(plan, end, now)
}

/** Plans the wait for a queued message: no process has claimed the run until the outcome is recorded. */
export function awaitSend(plan: RunPlan, messageId: string): RunPlan {
  const { stepId, stepKind } = plan.send!
  startStep(plan, { stepId, kind: stepKind, messageId, callAttempts: null })
  plan.change = {
    ...unchanged(plan),
    ...IDLE,
    status: 'running',
    dueAt: null,
    hasSent: true,
    sendFailures: 0,
  }
  return plan
}

/** Plans a call: the run keeps its claim with a renewed lease. */
function planCall(
  plan: RunPlan,
  { stepId, step, withinMs }: Extract<RunAction, { kind: 'call' }>,
  unfinishedCall: InterruptedCall | null,
  now: Date,
): RunPlan {
  const { run } = plan.loaded
  const number =
    unfinishedCall?.number ??
    startStep(plan, { stepId, kind: step.kind, messageId: null, callAttempts: 0 })
  const { variables } = plan.state
  const attemptsBefore = unfinishedCall?.attempts ?? 0
  plan.call = { stepId, number, step, variables, withinMs, attemptsBefore }
  plan.change = {
    ...unchanged(plan),
    ...IDLE,
    status: 'running',
    claimId: run.claimId,
    leaseExpiresAt: leaseEnd(RUN_LIMITS, now),
    sendFailures: 0,
  }
  return plan
}

function planWait(
  plan: RunPlan,
  waitKind: 'reply' | 'time' | 'sent',
  forMs: number,
  now: Date,
): RunPlan {
  const waitUntil = new Date(now.getTime() + forMs)
  // A reply beyond this advance's limit is read by the next.
  const hasMore = waitKind === 'reply' && plan.consumed.length === RUN_LIMITS.repliesPerAdvance
  plan.change = {
    ...unchanged(plan),
    ...IDLE,
    status: 'waiting',
    waitKind,
    waitUntil,
    waitingSince: now,
    dueAt: hasMore ? now : waitUntil,
    sendFailures: 0,
  }
  return plan
}

/** Releases the claim without advancing the run. */
function planRelease(
  plan: RunPlan,
  change: { dueAt: Date | null; sendFailures?: number },
): RunPlan {
  plan.change = { ...unchanged(plan), ...change, claimId: null, leaseExpiresAt: null }
  return plan
}

function planEnd(plan: RunPlan, end: RunEnd | SilentEnd, now: Date): RunPlan {
  plan.end = end
  plan.abandonsSends = isOpen(plan.loaded)
  plan.change = {
    ...unchanged(plan),
    ...IDLE,
    status: end.status,
    endReason: end.endReason,
    endDetail: end.detail && serializeFact(end.detail),
    endedAt: now,
    stepId: null,
    dueAt: null,
  }
  return plan
}

/** Returns whether the run's last send may still go out or be retried. */
function isOpen({ last }: LoadedRun): boolean {
  if (!last) return false
  const { status, dueAt } = last.message
  return status === 'queued' || status === 'sending' || dueAt !== null
}

const IDLE = {
  waitKind: null,
  waitUntil: null,
  waitingSince: null,
  claimId: null,
  leaseExpiresAt: null,
}

function unchanged({ loaded: { run }, state, added }: RunPlan): RunChange {
  return {
    ...run,
    ...state,
    variables: JSON.stringify(state.variables),
    offered: state.offered && JSON.stringify(state.offered),
    steps: run.steps + added.length,
  }
}
