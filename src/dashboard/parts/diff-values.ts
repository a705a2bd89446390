import { isSame } from './is-same.ts'

/**
 * Of what a form was told, what is another than what was shown: what stays is not sent, so that it undoes nothing
 * that others have changed meanwhile.
 */
export function diffValues<Told extends object>(
  shown: { readonly [Name in keyof Told]?: unknown },
  told: Told,
): Partial<Told> {
  const changed = Object.entries(told).filter(
    ([name, value]) => !isSame(shown[name as keyof Told], value),
  )
  return Object.fromEntries(changed) as Partial<Told>
}
