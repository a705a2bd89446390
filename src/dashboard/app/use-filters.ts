import { useSearch } from '@tanstack/react-router'
import { useGo, type PageParams, type PagePath, type SearchAt } from './pages.ts'
import { changeSearch } from './search-params.ts'

/** The filters of a list, which are search parameters of its page. */
export type Filters<Search = object> = {
  search: Search
  /** At least one filter is active. */
  isOn: boolean
  /** The number of active filters, without the search text. */
  count: number
  /** Changes filters, and closes the open details. */
  change(changes: { [Name in keyof Search]?: Search[Name] | null | '' }): void
  clear(): void
  /** The properties of a search box. */
  text: { value: string; onSearch(text: string): void }
  /** Returns the properties of a filter with one value: `<FilterMenu {...filters.of('status')} />`. */
  of(name: keyof Search): { value: string | undefined; onChange(value: string | null): void }
  /** Returns the properties of a chip that switches one value on or off. */
  chip<Name extends keyof Search>(
    name: Name,
    value: Search[Name],
  ): { isOn: boolean; onClick(): void }
  /** Opens the details of one item next to the list; null closes them. */
  open(id: string | null): void
}

/**
 * Returns the filters of a page, which are in its URL. Some parameters are no filters: `text` is the search text,
 * `open` the item whose details are open, and `kept` are parameters that stay when the filters are cleared.
 */
export function useFilters<Path extends PagePath>(
  path: Path,
  {
    params,
    text,
    open,
    kept = [],
  }: {
    params?: PageParams<Path>
    text?: keyof SearchAt<Path>
    open?: keyof SearchAt<Path>
    kept?: readonly (keyof SearchAt<Path>)[]
  } = {},
): Filters<SearchAt<Path>> {
  type Search = SearchAt<Path>
  const inAddress = useSearch({ strict: false })
  const search = inAddress as Search
  const go = useGo()
  const isSet = (name: keyof Search) => search[name] !== undefined
  const names = (Object.keys(search) as (keyof Search)[]).filter(
    (name) => isSet(name) && name !== open && !kept.includes(name),
  )
  const show = (next: Search) => void go(path, params ?? ({} as PageParams<Path>), next)
  const change = (changes: { [Name in keyof Search]?: Search[Name] | null | '' }) =>
    show(changeSearch(search, { ...(open && { [open]: undefined }), ...changes }))
  const set = (name: keyof Search, value: unknown) =>
    change({ [name]: value } as unknown as { [Name in keyof Search]?: Search[Name] })
  return {
    search,
    isOn: names.length > 0,
    count: names.filter((name) => name !== text).length,
    change,
    clear: () => show(Object.fromEntries(kept.map((name) => [name, search[name]])) as Search),
    text: {
      value: text === undefined ? '' : String(search[text] ?? ''),
      onSearch: (value) => text !== undefined && set(text, value),
    },
    of: (name) => ({
      value: search[name] as string | undefined,
      onChange: (value) => set(name, value),
    }),
    chip: (name, value) => ({
      isOn: search[name] === value,
      onClick: () => set(name, search[name] === value ? undefined : value),
    }),
    open: (id) => open !== undefined && show(changeSearch(search, { [open]: id } as object)),
  }
}
