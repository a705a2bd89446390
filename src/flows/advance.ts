/**
 * The engine of runs: a pure function from a version, a run's state and what has happened to the
 * next thing to do. It walks the steps that need nobody (condition, set variable) until one must
 * send, must call the merchant's API, must wait, or the run ends. It asks no clock, no store and no provider: whoever calls it
 * writes all that comes out of it in one transaction.
 *
 * States: a run is `queued` until it is first advanced, `running` while a step has an effect outside,
 * `waiting` for a reply or for the outcome of a send, then `completed`, `failed`, `skipped` or
 * `cancelled`.
 */
import type { FlowDefinition, HttpRequestStep, Step } from '../contract/flow-definition.ts'
import { CALL_LIMITS, RUN_LIMITS } from '../limits.ts'
import { cutCodePoints } from '../rules/json-text.ts'
import { fillText, type Fillings } from '../rules/placeholders.ts'
import { HTTP_STATUS, type EndReason } from '../vocabulary.ts'

export type Variables = Record<string, string | null>

export type RunState = {
  /** The step to do next, or the one under way; null when the run has reached its end. */
  stepId: string | null
  variables: Variables
  stepsSinceWait: number
  waits: number
  /** Calls made since the customer's last message, and the milliseconds that they took. */
  callsInGo: number
  callsInGoMs: number
}

export type RunInput =
  | { kind: 'start' }
  | { kind: 'reply'; text: string | null }
  | { kind: 'timeout' }
  | { kind: 'sent' }
  | { kind: 'send_failed'; detail: string }
  | { kind: 'called'; call: CallOutcome }

/** What became of a call, as far as a run's way depends on it. */
export type CallOutcome = {
  isSuccess: boolean
  /** Of the answer; null when none came. */
  httpStatus: number | null
  /** By the names that the step keeps; empty of a call that failed. */
  kept: Variables
  /** Requests that went out, a repeated GET's both; 0 when the call was not made. */
  attempts: number
  durationMs: number
}

export type SendStep = Extract<Step, { kind: 'send_template' | 'send_message' }>

/** What a walked step did, for the run's history. */
export type StepRecord = {
  stepId: string
  kind: string
  status: 'done' | 'failed'
  detail: string | null
}

export type NextMove =
  | { kind: 'send'; stepId: string; step: SendStep }
  /** `withinMs`: what is left of the calls of one go. */
  | { kind: 'call'; stepId: string; step: HttpRequestStep; withinMs: number }
  | { kind: 'wait'; stepId: string; timeoutMs: number }
  | RunEnd

export type RunEnd = {
  kind: 'end'
  status: 'completed' | 'failed'
  endReason: EndReason
  detail: string | null
}

export type Advanced = { state: RunState; records: StepRecord[]; next: NextMove }

/** Decides what follows. Never throws: a step that the version does not have ends the run. */
export function advance(
  definition: FlowDefinition,
  before: RunState,
  input: RunInput,
  contact: Fillings['contact'],
): Advanced {
  const state: RunState = { ...before, variables: { ...before.variables } }
  const records: StepRecord[] = []
  const ended = (next: RunEnd): Advanced => ({ state: { ...state, stepId: null }, records, next })

  const entered = enter(definition, state, input, records)
  if (entered.kind === 'end') return ended(entered)
  state.stepId = entered.stepId

  while (state.stepId !== null) {
    const stepId = state.stepId
    const step = Object.hasOwn(definition.steps, stepId) ? definition.steps[stepId] : undefined
    if (!step) return ended(failed('error', `This version of the flow has no step "${stepId}".`))
    state.stepsSinceWait += 1
    if (state.stepsSinceWait > RUN_LIMITS.stepsBetweenWaits) {
      return ended(
        failed('limit_exceeded', `More than ${RUN_LIMITS.stepsBetweenWaits} steps without a wait.`),
      )
    }
    switch (step.kind) {
      case 'send_template':
      case 'send_message':
        return { state, records, next: { kind: 'send', stepId, step } }
      case 'wait_for_reply':
        state.waits += 1
        if (state.waits > RUN_LIMITS.waits) {
          return ended(failed('limit_exceeded', `More than ${RUN_LIMITS.waits} waits in one run.`))
        }
        state.stepsSinceWait = 0
        return {
          state,
          records,
          next: { kind: 'wait', stepId, timeoutMs: step.timeoutMinutes * 60_000 },
        }
      case 'http_request': {
        const refusal = refuseCall(state)
        if (!refusal) {
          const withinMs = CALL_LIMITS.inOneGoMs - state.callsInGoMs
          return { state, records, next: { kind: 'call', stepId, step, withinMs } }
        }
        records.push({ stepId, kind: step.kind, status: 'failed', detail: refusal })
        takeOutcome(state, step, CALL_NOT_MADE)
        state.stepId = step.onFailure
        break
      }
      case 'condition': {
        const holds = conditionHolds(step, state.variables[step.variable] ?? '')
        records.push(done(stepId, step.kind, holds ? 'The condition holds.' : 'It does not hold.'))
        state.stepId = holds ? step.next : step.otherwise
        break
      }
      case 'set_variable':
        setVariable(
          state.variables,
          step.name,
          fillText(step.text, { vars: state.variables, contact }),
        )
        records.push(done(stepId, step.kind, null))
        state.stepId = step.next
        break
      case 'end':
        records.push(done(stepId, step.kind, null))
        return ended(completed())
    }
  }
  return ended(completed())
}

/** Where the input takes the run: the step to walk on from, or its end. */
function enter(
  definition: FlowDefinition,
  state: RunState,
  input: RunInput,
  records: StepRecord[],
): { kind: 'step'; stepId: string | null } | RunEnd {
  if (input.kind === 'start') return { kind: 'step', stepId: definition.start }
  const stepId = state.stepId ?? ''
  const step = Object.hasOwn(definition.steps, stepId) ? definition.steps[stepId] : undefined
  switch (input.kind) {
    case 'reply':
    case 'timeout': {
      if (step?.kind !== 'wait_for_reply') break
      if (input.kind === 'timeout') {
        records.push(done(stepId, step.kind, 'No reply came in time.'))
        return { kind: 'step', stepId: step.onTimeout }
      }
      // Only a customer's message begins a new go of calls; a time-out does not.
      state.callsInGo = 0
      state.callsInGoMs = 0
      if (step.saveAs) setVariable(state.variables, step.saveAs, input.text)
      records.push(done(stepId, step.kind, 'The customer replied.'))
      return { kind: 'step', stepId: step.next }
    }
    case 'sent':
    case 'send_failed': {
      if (step?.kind !== 'send_template' && step?.kind !== 'send_message') break
      if (input.kind === 'sent') return { kind: 'step', stepId: step.next }
      return failed('error', input.detail)
    }
    case 'called': {
      if (step?.kind !== 'http_request') break
      takeOutcome(state, step, input.call)
      return { kind: 'step', stepId: input.call.isSuccess ? step.next : step.onFailure }
    }
  }
  return failed('error', `The run was at step "${stepId}", which cannot take "${input.kind}".`)
}

export function completed(): RunEnd {
  return { kind: 'end', status: 'completed', endReason: 'completed', detail: null }
}

export function failed(endReason: 'error' | 'limit_exceeded', detail: string): RunEnd {
  return { kind: 'end', status: 'failed', endReason, detail }
}

const CALL_NOT_MADE: CallOutcome = {
  isSuccess: false,
  httpStatus: null,
  kept: {},
  attempts: 0,
  durationMs: 0,
}

/**
 * Why a run may make no further call before the customer writes.
 * Spec: Calls › Repeats and limits; reading C7.
 */
function refuseCall({ callsInGo, callsInGoMs }: RunState): string | null {
  if (callsInGo >= CALL_LIMITS.inOneGo) {
    return `Not made: a flow makes at most ${CALL_LIMITS.inOneGo} calls between two messages of the customer.`
  }
  if (callsInGoMs >= CALL_LIMITS.inOneGoMs) {
    return `Not made: the calls since the customer's last message took the ${CALL_LIMITS.inOneGoMs / 1_000} seconds that they may take in all.`
  }
  return null
}

/** Counts a call and sets what it leaves: `http_status` always, and a value or nothing for each kept name. */
function takeOutcome(state: RunState, step: HttpRequestStep, call: CallOutcome): void {
  if (call.attempts > 0) state.callsInGo += 1
  state.callsInGoMs += call.durationMs
  setVariable(state.variables, HTTP_STATUS, call.httpStatus?.toString() ?? null)
  for (const { name } of step.keep) {
    const value = Object.hasOwn(call.kept, name) ? call.kept[name] : null
    setVariable(state.variables, name, value || null)
  }
}

function done(stepId: string, kind: string, detail: string | null): StepRecord {
  return { stepId, kind, status: 'done', detail }
}

function conditionHolds(step: Extract<Step, { kind: 'condition' }>, actual: string): boolean {
  const value = actual.trim().toLowerCase()
  const wanted = step.value.trim().toLowerCase()
  switch (step.is) {
    case 'equal':
      return value === wanted
    case 'not_equal':
      return value !== wanted
    case 'containing':
      return value.includes(wanted)
    case 'empty':
      return value === ''
    case 'not_empty':
      return value !== ''
  }
}

/**
 * Keeps a run's variables bounded: at most 100 of them, each at most 4,096 characters. The status of a
 * call is always kept.
 */
function setVariable(variables: Variables, name: string, text: string | null): void {
  const isNew = !Object.hasOwn(variables, name)
  const isFull = Object.keys(variables).length >= RUN_LIMITS.variables
  if (isNew && isFull && name !== HTTP_STATUS) return
  variables[name] = text === null ? null : cutCodePoints(text, RUN_LIMITS.variableChars)
}
