/**
 * The engine of runs: a pure function from a version, a run's state and what has happened to the
 * next thing to do. It walks the steps that need nobody until one must send, must call the merchant's
 * API, must wait, or the run ends. What a step does is its design's. It asks no clock, no store and no
 * provider: whoever calls it writes all that comes out of it in one transaction.
 *
 * Spec: Flows › Runs.
 *
 * States: a run is `queued` until it is first advanced, `running` while a step has an effect outside,
 * `waiting` for a reply or for the outcome of a send, then `completed`, `failed`, `skipped` or
 * `cancelled`.
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

export type RunInput = { kind: 'start' } | StepInput

/** What a walked step did, for the run's history. */
export type StepRecord = {
  stepId: string
  kind: string
  status: 'done' | 'failed'
  detail: Fact | null
}

export type NextMove =
  | { kind: 'send'; stepId: string; stepKind: StepKind; content: SendContent }
  /** `withinMs`: what is left of the calls of one go. */
  | { kind: 'call'; stepId: string; step: CallStep; withinMs: number }
  | { kind: 'errand'; stepId: string; stepKind: StepKind; errand: InlineEffect }
  | { kind: 'wait'; stepId: string; forReply: boolean; timeoutMs: number }
  | RunEnd

export type RunEnd = {
  kind: 'end'
  status: 'completed' | 'failed'
  endReason: EndReason
  detail: Fact | null
}

export type Interpreted = {
  state: RunState
  records: StepRecord[]
  acts: StepMutation[]
  next: NextMove
}

/** Of a run: its customer as they are when it goes on, and where and when that is. */
export type RunInputs = { contact: StepContact | null; around: RunContext }

/** Decides what follows. Never throws: a step that the version does not have ends the run. */
export function interpret(
  definition: FlowDefinition,
  before: RunState,
  input: RunInput,
  { contact, around }: RunInputs,
): Interpreted {
  const state: RunState = { ...before, variables: { ...before.variables } }
  const records: StepRecord[] = []
  const acts: StepMutation[] = []
  const walk = createWalk(state, contact, around)
  const done = (next: NextMove): Interpreted => ({
    state: next.kind === 'end' ? { ...state, stepId: null } : state,
    records,
    acts,
    next,
  })

  let move = begin(definition, walk, input, records)
  for (;;) {
    if (move.kind === 'end') {
      if (move.act) acts.push(move.act)
      return done(endOf(move.act))
    }
    if (move.kind === 'stop') return done(move.end)
    const stepId = state.stepId
    const step = stepId === null ? undefined : stepAt(definition, stepId)
    if (move.kind === 'go_on') {
      if (move.act) {
        acts.push(move.act)
        walk.contact = afterMutation(walk.contact, move.act)
      }
      if (stepId === null) return done(completed())
      if (!step) return done(failed('error', fact('step_gone', { step: stepId })))
      move = enter(step, stepId, walk, records)
      continue
    }
    if (move.kind === 'wait') {
      state.waits += 1
      const most = RUN_LIMITS.waits
      if (state.waits > most)
        return done(failed('limit_exceeded', fact('too_many_waits', { most })))
      state.stepsSinceWait = 0
      return done({ ...move, stepId: stepId! })
    }
    return done(
      move.kind === 'send' || move.kind === 'errand'
        ? { ...move, stepId: stepId!, stepKind: step!.kind }
        : { ...move, stepId: stepId! },
    )
  }
}

/** A move, or an end that the engine itself has come to. */
type Moved = NextAction | { kind: 'stop'; end: RunEnd }

/** Does a step; its line in the history is written here when nobody is waited for. */
function enter(step: Step, stepId: string, walk: Traversal, records: StepRecord[]): Moved {
  const { state } = walk
  state.stepsSinceWait += 1
  if (state.stepsSinceWait > RUN_LIMITS.stepsBetweenWaits) {
    const most = RUN_LIMITS.stepsBetweenWaits
    return { kind: 'stop', end: failed('limit_exceeded', fact('too_many_steps', { most })) }
  }
  const move = designOf(step).enter(step, walk)
  if (move.kind === 'go_on') {
    const status = move.hasFailed ? 'failed' : 'done'
    records.push({ stepId, kind: step.kind, status, detail: move.detail })
    state.stepId = move.to
  } else if (move.kind === 'end') {
    records.push({ stepId, kind: step.kind, status: 'done', detail: null })
  }
  return move
}

/** Takes the run to the step that it walks on from, or tells what it does at the one it is at. */
function begin(
  definition: FlowDefinition,
  walk: Traversal,
  input: RunInput,
  records: StepRecord[],
): Moved {
  const { state } = walk
  if (input.kind === 'start') {
    state.stepId = definition.start
    return { kind: 'go_on', to: definition.start, detail: null }
  }
  // Only a customer's message begins a new go of calls; a time-out does not.
  if (input.kind === 'reply') {
    state.callsSinceReply = 0
    state.callsSinceReplyMs = 0
  }
  const stepId = state.stepId ?? ''
  const step = stepAt(definition, stepId)
  const resumed = step ? designOf(step).resume?.(step, input, walk) : null
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

/** The call of a step; null when the version has none there. */
export function callAt(definition: FlowDefinition, stepId: string | null): CallStep | null {
  const step = stepAt(definition, stepId ?? '')
  return (step && designOf(step).call?.(step)) ?? null
}

function stepAt(definition: FlowDefinition, stepId: string): Step | undefined {
  return Object.hasOwn(definition.steps, stepId) ? definition.steps[stepId] : undefined
}

function createWalk(state: RunState, contact: StepContact | null, around: RunContext): Traversal {
  const walk: Traversal = {
    state,
    contact,
    around,
    fill: (text) =>
      fillText(text, {
        vars: state.variables,
        contact: { name: walk.contact?.name ?? null, phone: walk.contact?.phone ?? null },
      }),
  }
  return walk
}

/** The customer as later steps of the same turn see them. */
export function afterMutation(contact: StepContact | null, act: StepMutation): StepContact | null {
  if (!contact || act.kind !== 'edit_contact') return contact
  const isAmong = (tags: readonly string[] = [], tag: string) =>
    tags.some((one) => one.toLowerCase() === tag.toLowerCase())
  const kept = contact.tags.filter((tag) => !isAmong(act.removeTags, tag))
  const added = (act.addTags ?? []).filter((tag) => !isAmong(kept, tag))
  return { ...contact, tags: [...kept, ...added], fields: { ...contact.fields, ...act.fields } }
}

/** How a run ends at a step that ends it. */
function endOf(act: StepMutation | undefined): RunEnd {
  const endReason = act?.kind === 'hand_over' ? 'handed_over' : 'completed'
  return { kind: 'end', status: 'completed', endReason, detail: null }
}

export function completed(): RunEnd {
  return { kind: 'end', status: 'completed', endReason: 'completed', detail: null }
}

export function failed(endReason: 'error' | 'limit_exceeded', detail: Fact): RunEnd {
  return { kind: 'end', status: 'failed', endReason, detail }
}
