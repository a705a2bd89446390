/**
 * A flow's steps as a graph: reachability, loops without a wait, and known variables. Pure, and total on incomplete
 * flows: an exit to a missing step leads nowhere.
 */
import type { FlowDraft } from '../../../contract/flow-definition.ts'
import { designOf, exitsOf, type Step } from '../../../flow-kinds/steps/steps.ts'
import { TRIGGERS } from '../../../flow-kinds/triggers/triggers.ts'

type Exit = { exit: string; to: string }

/** Returns the step with an id, or undefined. */
export function stepOf(flow: FlowDraft, id: string): Step | undefined {
  return Object.hasOwn(flow.steps, id) ? flow.steps[id] : undefined
}

/** Returns the exits of a step that lead to an existing step. */
function exitsThere(flow: FlowDraft, id: string): Exit[] {
  const step = stepOf(flow, id)
  return step
    ? exitsOf(step).flatMap(({ exit, to }) =>
        to !== null && stepOf(flow, to) ? [{ exit, to }] : [],
      )
    : []
}

/**
 * Returns the ids of the steps reachable from the start, in breadth-first order. `passes` decides whether to follow an
 * exit of a reached step; by default all are followed.
 */
export function reachedSteps(
  flow: FlowDraft,
  passes: (step: Step, exit: string) => boolean = () => true,
): Set<string> {
  const reached = new Set<string>(stepOf(flow, flow.start) ? [flow.start] : [])
  // Iterating a set also visits entries added during the iteration.
  for (const id of reached) {
    const step = stepOf(flow, id)!
    for (const { exit, to } of exitsThere(flow, id)) if (passes(step, exit)) reached.add(to)
  }
  return reached
}

/**
 * Returns the ids of the steps that can run before the first template. The steps in `unsent` send or wait, which is
 * impossible while the service window is closed.
 */
export function stepsBeforeTemplate(flow: FlowDraft): { before: Set<string>; unsent: string[] } {
  const before = reachedSteps(flow, (step) => designOf(step).sends !== 'template')
  const unsent = [...before].filter((id) => {
    const { sends, waits } = designOf(stepOf(flow, id)!)
    return sends === 'message' || waits
  })
  return { before, unsent }
}

/** Returns the ids of one step of every loop that has no wait for the customer. */
export function findLoopsWithoutWait(flow: FlowDraft): string[] {
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
 * Finds paths with more than `maxCalls` calls without a message of the customer between them. Returns the ids of the call
 * steps of each path, up to the first excess one. A wait's time-out is no message.
 * Spec: Calls › Repeats and limits; reading C7.
 */
export function findExcessCalls(flow: FlowDraft, maxCalls: number): string[][] {
  const found = new Map<string, string[]>()
  if (!stepOf(flow, flow.start)) return []
  const seen = new Set<string>()
  // Breadth-first; a step is visited once per number of calls before it.
  const paths: { id: string; calls: string[] }[] = [{ id: flow.start, calls: [] }]
  for (const { id, calls } of paths) {
    const key = `${calls.length}:${id}`
    if (seen.has(key)) continue
    seen.add(key)
    const step = stepOf(flow, id)!
    const after = designOf(step).call?.(step) ? [...calls, id] : calls
    if (after.length > maxCalls) {
      if (!found.has(id)) found.set(id, after)
      continue
    }
    for (const { exit, to } of exitsThere(flow, id)) {
      paths.push({ id: to, calls: isAnswer(step, exit) ? [] : after })
    }
  }
  return [...found.values()]
}

/** Returns the names of the variables that at least one path has set before a step, by the id of each reachable step. */
export function variablesBefore(flow: FlowDraft): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>()
  if (!stepOf(flow, flow.start)) return known
  known.set(flow.start, new Set(TRIGGERS[flow.trigger.kind].sets(flow.trigger)))
  const changed = new Set([flow.start])
  for (const id of changed) {
    changed.delete(id)
    const step = stepOf(flow, id)!
    for (const { exit, to } of exitsThere(flow, id)) {
      const atTarget = known.get(to) ?? new Set<string>()
      const sizeBefore = known.has(to) ? atTarget.size : -1
      for (const name of known.get(id)!) atTarget.add(name)
      for (const name of designOf(step).sets?.(step, exit) ?? []) atTarget.add(name)
      known.set(to, atTarget)
      if (atTarget.size > sizeBefore) changed.add(to)
    }
  }
  return known
}

/** Returns whether leaving a step by this exit means that the customer has written. */
export function isAnswer(step: Step, exit: string): boolean {
  return designOf(step).waits?.isAnswer(exit) ?? false
}
