import { fact } from '../core/facts/fact.ts'
import { HOOK_LIMITS } from '../core/limits/hooks.ts'
import type { PathRefusal } from '../rules/hooks/path-expression.ts'

/** Returns the fact that explains a refused path to its author. Spec: Hooks › Path syntax. */
export function pathRefusalFact(reason: PathRefusal) {
  if (reason === 'too_long') return fact('path_too_long', { max: HOOK_LIMITS.pathChars })
  if (reason === 'too_many_steps') {
    return fact('path_too_many_steps', { max: HOOK_LIMITS.pathSteps })
  }
  return fact(`path_${reason}`)
}
