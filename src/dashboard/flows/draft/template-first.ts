/** The rule that a template must precede a step where the customer may not have written. */
import { exitsOf, sendsTemplate } from '../steps/kinds.ts'
import { needsTemplateFirst } from '../triggers/kinds.ts'
import { stepAt, type Draft, type Place } from '../draft.ts'

/**
 * Returns whether a run can reach an exit of a step (a place) before it has sent the template that its trigger requires
 * first.
 */
export function lacksTemplate(draft: Draft, { stepId }: Place): boolean {
  if (!needsTemplateFirst(draft.trigger.kind)) return false
  if (stepId === null) return true
  const before = new Set([draft.start])
  // Iteration over a set includes elements that are added during it.
  for (const id of before) {
    const step = stepAt(draft, id)
    if (!step || sendsTemplate(step)) continue
    for (const { to } of exitsOf(step)) if (to !== null) before.add(to)
  }
  const step = stepAt(draft, stepId)
  return before.has(stepId) && step !== undefined && !sendsTemplate(step)
}
