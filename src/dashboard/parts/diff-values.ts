import { isSame } from './is-same.ts'

/**
 * Returns the values of a form that differ from the ones shown at first. Unchanged values are not sent, so that saving
 * does not undo what other members have changed meanwhile.
 */
export function diffValues<Typed extends object>(
  shown: { readonly [Name in keyof Typed]?: unknown },
  typed: Typed,
): Partial<Typed> {
  const changed = Object.entries(typed).filter(
    ([name, value]) => !isSame(shown[name as keyof Typed], value),
  )
  return Object.fromEntries(changed) as Partial<Typed>
}
