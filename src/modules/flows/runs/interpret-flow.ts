/**
 * The engine of runs: a pure function from a version, a run's state and an input to the next action. It executes
 * steps until one must send, must call the merchant's API, must wait, or the run ends. The step's definition decides
 * what a step does. The engine uses no clock, store or provider: the caller writes the result in one transaction.
 *
 * Spec: Flows › Runs.
 *
 * A run is `queued` until it is first advanced, `running` while a step has an external effect, `waiting` for a reply
 * or a send's outcome, then `completed`, `failed`, `skipped` or `cancelled`.
 */
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { RUN_LIMITS } from '../../../core/limits/flows.ts'
import { fillText } from '../../../rules/text/placeholders.ts'
import type { EndReason } from '../../../core/vocabulary/flows.ts'
import type {
  StepMutation,
  RunContext,
  InlineEffect,
  RunState,
  SendContent,
  StepInput,
  StepContact,
} from '../../../flow-kinds/steps/run-state.ts'
import type { CallStep, NextAction, Traversal } from '../../../flow-kinds/steps/step-design.ts'
import { designOf, type Step, type StepKind } from '../../../flow-kinds/steps/steps.ts'

export type {
  CallOutcome,
  RunState,
  SendContent,
  Variables,
} from '../../../flow-kinds/steps/run-state.ts'

/** An input of the engine: the start of a run, or what its current step waited for. */
export type RunInput = { kind: 'start' } | StepInput

/** An executed step, for the run's history. */
export type StepRecord = {
  stepId: string
  kind: string
  status: 'done' | 'failed'
  detail: Fact | null
}

/** The next action that the engine requests. */
export type RunAction =
  | { kind: 'send'; stepId: string; stepKind: StepKind; content: SendContent }
  /** `withinMs`: what is left of the time for calls between two customer messages. */
  | { kind: 'call'; stepId: string; step: CallStep; withinMs: number }
  | { kind: 'effect'; stepId: string; stepKind: StepKind; effect: InlineEffect }
  | { kind: 'wait'; stepId: string; forReply: boolean; timeoutMs: number }
  | RunEnd

/** The end of a run with an event. */
export type RunEnd = {
  kind: 'end'
  status: 'completed' | 'failed'
  endReason: EndReason
  detail: Fact | null
}

/** The result of `interpret`: the state, the executed steps, their mutations, and the next action. */
export type Interpreted = {
  state: RunState
  records: StepRecord[]
  mutations: StepMutation[]
  next: RunAction
}

/** The current contact of a run, and the context in which it continues. */
export type RunInputs = { contact: StepContact | null; around: RunContext }

/**
 * Executes the steps of a flow for a run, until one needs an action outside of the engine. Never throws: a step that
 * the version lacks ends the run.
 */
export function interpret(
  definition: FlowDefinition,
  before: RunState,
  input: RunInput,
  { contact, around }: RunInputs,
): Interpreted {
  const state: RunState = { ...before, variables: { ...before.variables } }
  const records: StepRecord[] = []
  const mutations: StepMutation[] = []
  const traversal = createTraversal(state, contact, around)
  const done = (next: RunAction): Interpreted => ({
    state: next.kind === 'end' ? { ...state, stepId: null } : state,
    records,
    mutations,
    next,
  })

  let move = begin(definition, traversal, input, records)
  for (;;) {
    if (move.kind === 'end') {
      if (move.act) mutations.push(move.act)
      return done(endOf(move.act))
    }
    if (move.kind === 'stop') return done(move.end)
    const stepId = state.stepId
    const step = stepId === null ? undefined : stepAt(definition, stepId)
    if (move.kind === 'go_on') {
      if (move.act) {
        mutations.push(move.act)
        traversal.contact = afterMutation(traversal.contact, move.act)
      }
      if (stepId === null) return done(completed())
      if (!step) return done(failed('error', fact('step_gone', { step: stepId })))
      move = enter(step, stepId, traversal, records)
      continue
    }
    if (move.kind === 'wait') {
      state.waits += 1
      const limit = RUN_LIMITS.waits
      if (state.waits > limit)
        return done(failed('limit_exceeded', fact('too_many_waits', { max: limit })))
      state.stepsSinceWait = 0
      return done({ ...move, stepId: stepId! })
    }
    return done(
      move.kind === 'send' || move.kind === 'effect'
        ? { ...move, stepId: stepId!, stepKind: step!.kind }
        : { ...move, stepId: stepId! },
    )
  }
}

/** A step's next action, or an end that the engine decided. */
type EngineMove = NextAction | { kind: 'stop'; end: RunEnd }

/** Executes a step, and records it in the history when it waits for nothing. */
function enter(
  step: Step,
  stepId: string,
  traversal: Traversal,
  records: StepRecord[],
): EngineMove {
  const { state } = traversal
  state.stepsSinceWait += 1
  if (state.stepsSinceWait > RUN_LIMITS.stepsBetweenWaits) {
    const limit = RUN_LIMITS.stepsBetweenWaits
    return { kind: 'stop', end: failed('limit_exceeded', fact('too_many_steps', { max: limit })) }
  }
  const move = designOf(step).enter(step, traversal)
  if (move.kind === 'go_on') {
    const status = move.hasFailed ? 'failed' : 'done'
    records.push({ stepId, kind: step.kind, status, detail: move.detail })
    state.stepId = move.to
  } else if (move.kind === 'end') {
    records.push({ stepId, kind: step.kind, status: 'done', detail: null })
  }
  return move
}

/** Moves the run to the step at which it continues, or returns the action of its current step. */
function begin(
  definition: FlowDefinition,
  traversal: Traversal,
  input: RunInput,
  records: StepRecord[],
): EngineMove {
  const { state } = traversal
  if (input.kind === 'start') {
    state.stepId = definition.start
    return { kind: 'go_on', to: definition.start, detail: null }
  }
  // Only a customer's message restarts the budget of calls; a time-out does not.
  if (input.kind === 'reply') {
    state.callsSinceReply = 0
    state.callsSinceReplyMs = 0
  }
  const stepId = state.stepId ?? ''
  const step = stepAt(definition, stepId)
  const resumed = step ? designOf(step).resume?.(step, input, traversal) : null
  if (!step || !resumed) {
    const detail = fact('step_cannot_take', { step: stepId, input: input.kind })
    return { kind: 'stop', end: failed('error', detail) }
  }
  if (resumed.kind === 'fail') return { kind: 'stop', end: failed('error', resumed.detail) }
  const { done, ...move } = resumed
  if (done) records.push({ stepId, kind: step.kind, status: 'done', detail: done })
  if (move.kind !== 'go_on') return move
  state.stepId = move.to
  return { ...move, detail: null }
}

/** Returns the call of a step, or null when the step has none or does not exist. */
export function callAt(definition: FlowDefinition, stepId: string | null): CallStep | null {
  const step = stepAt(definition, stepId ?? '')
  return (step && designOf(step).call?.(step)) ?? null
}

function stepAt(definition: FlowDefinition, stepId: string): Step | undefined {
  return Object.hasOwn(definition.steps, stepId) ? definition.steps[stepId] : undefined
}

function createTraversal(
  state: RunState,
  contact: StepContact | null,
  around: RunContext,
): Traversal {
  const traversal: Traversal = {
    state,
    contact,
    around,
    fill: (text) =>
      fillText(text, {
        vars: state.variables,
        contact: { name: traversal.contact?.name ?? null, phone: traversal.contact?.phone ?? null },
      }),
  }
  return traversal
}

/** Returns the contact after a mutation, as later steps of the same advance see it. */
export function afterMutation(
  contact: StepContact | null,
  mutation: StepMutation,
): StepContact | null {
  if (!contact || mutation.kind !== 'edit_contact') return contact
  const isAmong = (tags: readonly string[] = [], tag: string) =>
    tags.some((one) => one.toLowerCase() === tag.toLowerCase())
  const kept = contact.tags.filter((tag) => !isAmong(mutation.removeTags, tag))
  const added = (mutation.addTags ?? []).filter((tag) => !isAmong(kept, tag))
  return {
    ...contact,
    tags: [...kept, ...added],
    fields: { ...contact.fields, ...mutation.fields },
  }
}

/** Returns the end of a run at a step that ends it. */
function endOf(mutation: StepMutation | undefined): RunEnd {
  const endReason = mutation?.kind === 'hand_over' ? 'handed_over' : 'completed'
  return { kind: 'end', status: 'completed', endReason, detail: null }
}

/** Returns the end of a run that reached its last step. */
export function completed(): RunEnd {
  return { kind: 'end', status: 'completed', endReason: 'completed', detail: null }
}

/** Returns the end of a run that failed. */
export function failed(endReason: 'error' | 'limit_exceeded', detail: Fact): RunEnd {
  return { kind: 'end', status: 'failed', endReason, detail }
}
