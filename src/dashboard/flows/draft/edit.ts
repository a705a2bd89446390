/** Edits of a flow that keep it complete: after each of them, every exit leads to a step or an end. */
import { exitsOf, isEnd, mainExitOf } from '../steps/kinds.ts'
import { stepAt, withAt, type Draft, type Place, type Step } from '../draft.ts'

/** Copied steps of a flow, without those elsewhere that they lead to. */
export type CopiedSteps = { start: string; steps: Record<string, Step> }

/** Returns the step that follows an exit of a step (a place); null is the end of the run. */
export function targetOf(draft: Draft, { stepId, exit }: Place): string | null {
  if (stepId === null) return draft.start
  const step = stepAt(draft, stepId)
  return (step && exitsOf(step).find((one) => one.exit === exit)?.to) ?? null
}

/**
 * Returns whether only the end follows an exit of a step (a place), so that a step which ends the run is allowed there.
 */
export function isLast(draft: Draft, place: Place): boolean {
  const to = targetOf(draft, place)
  if (to === null) return true
  const step = stepAt(draft, to)
  return step === undefined || isEnd(step)
}

/** Returns the draft in which a place leads to another step; null ends the run. The start always names a step. */
function connected(draft: Draft, { stepId, exit }: Place, to: string | null): Draft {
  if (stepId === null) {
    if (to !== null) return { ...draft, start: to }
    const id = newId(draft, 'end')
    return { ...draft, start: id, steps: { ...draft.steps, [id]: { kind: 'end' } } }
  }
  const step = draft.steps[stepId]!
  return { ...draft, steps: { ...draft.steps, [stepId]: withAt(step, exit, to) } }
}

/**
 * Inserts a new step behind an exit of a step (a place); the step that was there follows its main exit. Returns the id
 * of the new step.
 */
export function insertStep(draft: Draft, place: Place, step: Step): { draft: Draft; id: string } {
  const after = targetOf(draft, place)
  const id = newId(draft, step.kind)
  const main = mainExitOf(step)
  const whole = main === null ? step : withAt(step, main, after)
  const withStep = { ...draft, steps: { ...draft.steps, [id]: whole } }
  return { draft: withoutLost(draft, connected(withStep, place, id)), id }
}

/** Connects an exit of a step (a place) to an existing step, or to the end. */
export function connectTo(draft: Draft, place: Place, to: string | null): Draft {
  return withoutLost(draft, connected(draft, place, to))
}

/** Returns the steps that would be deleted along with a step: those that only its other exits lead to. */
export function removedWith(draft: Draft, id: string): string[] {
  const after = removeStep(draft, id)
  return Object.keys(draft.steps).filter((one) => one !== id && !Object.hasOwn(after.steps, one))
}

/** Removes a step; the step after its main exit takes its place. */
export function removeStep(draft: Draft, id: string): Draft {
  const step = draft.steps[id]
  if (!step) return draft
  const main = mainExitOf(step)
  const following = main === null ? null : targetOf(draft, { stepId: id, exit: main })
  const after = following === id ? null : following
  const { [id]: _, ...others } = draft.steps
  let changed: Draft = { ...draft, steps: others }
  for (const [other, one] of Object.entries(others)) {
    for (const { exit, to } of exitsOf(one)) {
      if (to === id) changed = connected(changed, { stepId: other, exit }, after)
    }
  }
  if (draft.start === id) changed = connected(changed, { stepId: null, exit: 'start' }, after)
  return withoutLost(draft, changed)
}

/** Connects an optional exit: it ends the run until a step is added to it. */
export function openExit(draft: Draft, stepId: string, exit: string): Draft {
  const id = newId(draft, 'end')
  const withEnd: Draft = { ...draft, steps: { ...draft.steps, [id]: { kind: 'end' } } }
  return connected(withEnd, { stepId, exit }, id)
}

/**
 * Changes the current state of a step, which may differ from the one when the change began, such as when a file was
 * uploaded. Steps that become unreachable are removed.
 */
export function changeStep(draft: Draft, id: string, change: (step: Step) => Step): Draft {
  const step = stepAt(draft, id)
  if (!step) return draft
  return withoutLost(draft, { ...draft, steps: { ...draft.steps, [id]: change(step) } })
}

/** Returns a step and all steps that follow it. */
export function copySteps(draft: Draft, id: string): CopiedSteps {
  const steps: Record<string, Step> = {}
  const visit = (at: string | null) => {
    const step = stepAt(draft, at)
    if (!step || at === null || Object.hasOwn(steps, at)) return
    steps[at] = step
    for (const { to } of exitsOf(step)) visit(to)
  }
  visit(id)
  return { start: id, steps }
}

/**
 * Inserts copied steps behind an exit of a step (a place), with new ids; the step that was there follows their main
 * exit.
 */
export function pasteSteps(
  draft: Draft,
  place: Place,
  { start, steps }: CopiedSteps,
): { draft: Draft; id: string } {
  let pasted = draft
  const ids = new Map<string, string>()
  for (const [old, step] of Object.entries(steps)) {
    const id = newId(pasted, step.kind)
    ids.set(old, id)
    pasted = { ...pasted, steps: { ...pasted.steps, [id]: step } }
  }
  for (const [old, step] of Object.entries(steps)) {
    let own = step
    for (const { exit, to } of exitsOf(step)) {
      if (to !== null) own = withAt(own, exit, ids.get(to) ?? null)
    }
    pasted = { ...pasted, steps: { ...pasted.steps, [ids.get(old)!]: own } }
  }
  const id = ids.get(start)!
  const after = targetOf(draft, place)
  const end = after === null ? null : openEndOf(pasted, id)
  const joined = end ? connected(pasted, end, after) : pasted
  return { draft: withoutLost(pasted, connected(joined, place, id)), id }
}

/**
 * Returns the place at which the main exits from a step end the run. Returns null for a loop, and when a step without a
 * main exit ends the run.
 */
function openEndOf(draft: Draft, from: string): Place | null {
  const seen = new Set<string>()
  for (let id = from; !seen.has(id);) {
    seen.add(id)
    const exit = mainExitOf(draft.steps[id]!)
    if (exit === null) return null
    const place = { stepId: id, exit }
    if (isLast(draft, place)) return place
    id = targetOf(draft, place)!
  }
  return null
}

/** Returns whether copied steps can be inserted behind an exit of a step (a place). */
export function canPaste(draft: Draft, place: Place, { start, steps }: CopiedSteps): boolean {
  return isLast(draft, place) || openEndOf({ ...draft, steps }, start) !== null
}

/** Removes the steps that a change made unreachable. */
function withoutLost(before: Draft, after: Draft): Draft {
  const reachedBefore = reached(before)
  const reachedNow = reached(after)
  const kept = Object.entries(after.steps).filter(
    ([id]) => reachedNow.has(id) || (!reachedBefore.has(id) && Object.hasOwn(before.steps, id)),
  )
  return { ...after, steps: Object.fromEntries(kept) }
}

function reached(draft: Draft): Set<string> {
  const found = new Set<string>(stepAt(draft, draft.start) ? [draft.start] : [])
  // Iteration over a set includes elements that are added during it.
  for (const id of found) {
    for (const { to } of exitsOf(draft.steps[id]!)) {
      if (to !== null && stepAt(draft, to)) found.add(to)
    }
  }
  return found
}

/** Returns a new id that contains the kind of the step, because the service's messages name steps by their ids. */
function newId({ steps }: Draft, kind: string): string {
  let id = kind
  for (let n = 2; Object.hasOwn(steps, id); n++) id = `${kind}_${n}`
  return id
}
