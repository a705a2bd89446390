/**
 * Texts that were written before the rules that read them, by language. `claims` state a deed or promise a person,
 * `harmless` do neither.
 */
export type HeldOut = {
  claims: Readonly<Record<string, readonly string[]>>
  harmless: Readonly<Record<string, readonly string[]>>
}
