/**
 * A flow's steps as a graph: what can be reached, what goes round without waiting, what is known on
 * the way. Pure, and total on half-drawn flows: an exit to a step that is not there leads nowhere.
 */
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import { designOf, exitsOf, type Step } from '../../../flow-kinds/steps/steps.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'

type Exit = { exit: string; to: string }

/** The step of an id; undefined when the flow has none. */
export function stepOf(flow: FlowDraft, id: string): Step | undefined {
  return Object.hasOwn(flow.steps, id) ? flow.steps[id] : undefined
}

/** The exits of a step that lead to a step that is there. */
function exitsThere(flow: FlowDraft, id: string): Exit[] {
  const step = stepOf(flow, id)
  return step
    ? exitsOf(step).flatMap(({ exit, to }) =>
        to !== null && stepOf(flow, to) ? [{ exit, to }] : [],
      )
    : []
}

/**
 * The steps that can be reached from the start, in the order they are met. `passes` says whether the
 * way goes on through an exit of a step that was reached; all do unless told.
 */
export function reachedSteps(
  flow: FlowDraft,
  passes: (step: Step, exit: string) => boolean = () => true,
): Set<string> {
  const reached = new Set<string>(stepOf(flow, flow.start) ? [flow.start] : [])
  // A set's own loop also visits what is added while it runs.
  for (const id of reached) {
    const step = stepOf(flow, id)!
    for (const { exit, to } of exitsThere(flow, id)) if (passes(step, exit)) reached.add(to)
  }
  return reached
}

/**
 * The steps that can come before a template, or be the first one, and of them those that send or wait:
 * what cannot be while the service window is closed.
 */
export function stepsBeforeTemplate(flow: FlowDraft): { before: Set<string>; unsent: string[] } {
  const before = reachedSteps(flow, (step) => designOf(step).sends !== 'template')
  const unsent = [...before].filter((id) => {
    const { sends, waits } = designOf(stepOf(flow, id)!)
    return sends === 'message' || waits
  })
  return { before, unsent }
}

/** One step of every loop that can be gone round without waiting for the customer. */
export function loopsWithoutWait(flow: FlowDraft): string[] {
  const entries = new Set<string>()
  const state = new Map<string, 'on_the_way' | 'done'>()
  for (const first of reachedSteps(flow)) {
    const path: { id: string; left: Exit[] }[] = []
    const visit = (id: string) => {
      if (designOf(stepOf(flow, id)!).waits) return
      if (state.get(id) === 'on_the_way') entries.add(id)
      if (state.has(id)) return
      state.set(id, 'on_the_way')
      path.push({ id, left: exitsThere(flow, id) })
    }
    visit(first)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.left.pop()
      if (next) visit(next.to)
      else {
        state.set(top.id, 'done')
        path.pop()
      }
    }
  }
  return [...entries]
}

/**
 * Ways on which more than `most` calls follow each other without a message of the customer between:
 * for each step that would be one too many, the calls on the way to it, its own last. A wait's time-out
 * is no message. Spec: Calls › Repeats and limits; reading C7.
 */
export function callsTooMany(flow: FlowDraft, most: number): string[][] {
  const found = new Map<string, string[]>()
  if (!stepOf(flow, flow.start)) return []
  const seen = new Set<string>()
  // Shortest ways first; a step is looked at once for each number of calls before it.
  const ways: { id: string; calls: string[] }[] = [{ id: flow.start, calls: [] }]
  for (const { id, calls } of ways) {
    const key = `${calls.length}:${id}`
    if (seen.has(key)) continue
    seen.add(key)
    const step = stepOf(flow, id)!
    const after = designOf(step).call?.(step) ? [...calls, id] : calls
    if (after.length > most) {
      if (!found.has(id)) found.set(id, after)
      continue
    }
    for (const { exit, to } of exitsThere(flow, id)) {
      ways.push({ id: to, calls: isAnswer(step, exit) ? [] : after })
    }
  }
  return [...found.values()]
}

/** By step: the variables that at least one way to it has set before it begins. */
export function variablesBefore(flow: FlowDraft): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>()
  if (!stepOf(flow, flow.start)) return known
  known.set(flow.start, new Set(TRIGGERS[flow.trigger.kind].sets(flow.trigger)))
  const changed = new Set([flow.start])
  for (const id of changed) {
    changed.delete(id)
    const step = stepOf(flow, id)!
    for (const { exit, to } of exitsThere(flow, id)) {
      const there = known.get(to) ?? new Set<string>()
      const sizeBefore = known.has(to) ? there.size : -1
      for (const name of known.get(id)!) there.add(name)
      for (const name of designOf(step).sets?.(step, exit) ?? []) there.add(name)
      known.set(to, there)
      if (there.size > sizeBefore) changed.add(to)
    }
  }
  return known
}

/** Whether the customer has written once a step is left by this exit. */
export function isAnswer(step: Step, exit: string): boolean {
  return designOf(step).waits?.isAnswer(exit) ?? false
}
