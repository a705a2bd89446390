import { HOOK_LIMITS } from '../limits.ts'
import type { PathRefusal } from '../rules/path-expression.ts'

/** Why a path cannot be used, for whoever typed it. Spec: Hooks › Path syntax. */
export const PATH_REFUSED: Record<PathRefusal, string> = {
  empty: 'names nothing: write at least one name or position, such as order.id',
  too_long: `has more than ${HOOK_LIMITS.pathChars} characters`,
  too_many_steps: `has more than ${HOOK_LIMITS.pathSteps} steps`,
  space: 'has a space: a key with one cannot be reached',
  empty_name: 'lacks a name: there are two dots in a row, or one at an end',
  bad_bracket: 'has a bracket that is not closed or in the wrong place: write items[0].name',
  bad_position: 'has something else than a position between brackets: write digits, such as [0]',
}
