/** Reads what stands in an address after the question mark: anybody may have written it. */
export type RawSearch = Readonly<Record<string, unknown>>

const MOST_CHARS = 200

export function textIn(raw: RawSearch, name: string): string | undefined {
  const value = raw[name]
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).slice(0, MOST_CHARS)
  return text === '' ? undefined : text
}

export function oneIn<const Value extends string>(
  raw: RawSearch,
  name: string,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === raw[name])
}

export function flagIn(raw: RawSearch, name: string): true | undefined {
  return raw[name] === true || raw[name] === 'true' ? true : undefined
}
