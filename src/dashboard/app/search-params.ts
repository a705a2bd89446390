/** The search parameters of a URL, which are untrusted input. */
export type RawSearch = Readonly<Record<string, unknown>>

const MAX_CHARS = 200

/** Returns a search parameter as a text of at most 200 characters; undefined if it is empty or no text. */
export function textIn(raw: RawSearch, name: string): string | undefined {
  const value = raw[name]
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).slice(0, MAX_CHARS)
  return text === '' ? undefined : text
}

/** Returns a search parameter if it is one of the allowed values, else undefined. */
export function oneIn<const Value extends string>(
  raw: RawSearch,
  name: string,
  values: readonly Value[],
): Value | undefined {
  return values.find((value) => value === raw[name])
}

/** Returns true if a search parameter is set to true, else undefined. */
export function flagIn(raw: RawSearch, name: string): true | undefined {
  return raw[name] === true || raw[name] === 'true' ? true : undefined
}

/** The kind of a search parameter: any text, a flag, or one of some words. */
type Kind = 'text' | 'flag' | readonly string[]
type ValueOf<K> = K extends readonly (infer Word)[] ? Word : K extends 'flag' ? true : string

/**
 * Returns a reader of a page's search parameters; invalid values are left out: `searchReader({ q: 'text', status:
 * LEAD_STATUSES })`.
 */
export function searchReader<const Kinds extends Readonly<Record<string, Kind>>>(kinds: Kinds) {
  return (raw: RawSearch): { [Name in keyof Kinds]?: ValueOf<Kinds[Name]> } => {
    const read = Object.entries(kinds).map(([name, kind]) => [name, readAs(kind, raw, name)])
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as {
      [Name in keyof Kinds]?: ValueOf<Kinds[Name]>
    }
  }
}

function readAs(kind: Kind, raw: RawSearch, name: string): string | true | undefined {
  if (kind === 'text') return textIn(raw, name)
  return kind === 'flag' ? flagIn(raw, name) : oneIn(raw, name, kind)
}

/** Returns the changed search parameters; undefined, null and empty values are removed. */
export function changeSearch<Search extends object>(
  search: Search,
  change: { [Name in keyof Search]?: Search[Name] | '' | null | undefined },
): Search {
  const changed = Object.entries({ ...search, ...change })
  return Object.fromEntries(
    changed.filter(([, value]) => value !== undefined && value !== null && value !== ''),
  ) as Search
}
