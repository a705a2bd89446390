/** The variables of a flow, and those that at least one path to a step has set before it begins. */
import { exitsOf, variablesSetBy } from '../steps/kinds.ts'
import { variablesOfTrigger } from '../triggers/kinds.ts'
import { stepAt, type Draft } from '../draft.ts'

/** Returns by step id the variables that at least one path has set before the step. */
export function variablesBefore(draft: Draft): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>()
  if (!stepAt(draft, draft.start)) return known
  known.set(draft.start, new Set(variablesOfTrigger(draft.trigger)))
  const changed = new Set([draft.start])
  for (const id of changed) {
    changed.delete(id)
    const step = stepAt(draft, id)!
    for (const { exit, to } of exitsOf(step)) {
      if (to === null || !stepAt(draft, to)) continue
      const there = known.get(to) ?? new Set<string>()
      const sizeBefore = known.has(to) ? there.size : -1
      for (const name of known.get(id)!) there.add(name)
      for (const name of variablesSetBy(step, exit)) there.add(name)
      known.set(to, there)
      if (there.size > sizeBefore) changed.add(to)
    }
  }
  return known
}

/** Returns every variable of a flow with the steps that set it; null is the trigger. */
export function variablesOf(draft: Draft): { name: string; setBy: (string | null)[] }[] {
  const found = new Map<string, Set<string | null>>()
  const add = (name: string, by: string | null) =>
    found.set(name, (found.get(name) ?? new Set()).add(by))
  for (const name of variablesOfTrigger(draft.trigger)) add(name, null)
  for (const [id, step] of Object.entries(draft.steps)) {
    for (const { exit } of exitsOf(step)) {
      for (const name of variablesSetBy(step, exit)) add(name, id)
    }
  }
  return [...found].map(([name, setBy]) => ({ name, setBy: [...setBy] }))
}
