/**
 * The API client of the pages. A route is named by its path and typed by the table of routes; a path without a leading
 * slash belongs to the company whose pages are open. Query keys are made of paths, so that a change automatically
 * invalidates the affected queries:
 *
 *   const api = useApi()
 *   const list = useInfiniteQuery(api.list('leads', { status }))
 *   const lead = useQuery(api.get('leads/:leadId', { leadId }))
 *   await api.patch('leads/:leadId', { leadId }, { score: 80 })
 */
import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type {
  AnyPath,
  ItemAt,
  ListPath,
  Output,
  PagedPath,
  PathWith,
  GetArguments,
  ChangeArguments,
  Verb,
} from '../../contract/dashboard/routes/client.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { fetchResponse, request, readBody, ApiError } from './api.ts'
import { queries, type Key } from './queries.ts'

type Given = Readonly<Record<string, unknown>>
type Page = { items: unknown[]; nextCursor: string | null }

/** Other resources that show data of a resource and are read again with it. A resource is the first part of a path. */
const BOOKING = [
  'services',
  'resources',
  'opening-changes',
  'booking-page',
  'calendar-links',
  'slots',
]
const SHOWN_IN: Readonly<Record<string, readonly string[]>> = {
  account: ['session', 'companies'],
  actions: ['connections', 'connection-users'],
  appointments: ['slots'],
  'booking-page': BOOKING,
  'calendar-links': BOOKING,
  channels: ['templates'],
  companies: ['session'],
  connections: ['connection-users', 'connection-figures'],
  'contact-duplicates': ['contacts'],
  'contact-fields': ['contacts'],
  'contact-imports': ['contacts', 'tags'],
  contacts: ['contact-fields', 'contact-duplicates', 'tags'],
  'hook-urls': ['flows'],
  me: ['sessions'],
  models: ['assistant'],
  'opening-changes': BOOKING,
  resources: BOOKING,
  segments: ['contacts'],
  services: BOOKING,
  tags: ['contacts'],
}

/** The part of a list's query key where the key of a single entity has its id. */
const LIST = 'list'

/** Statuses which say that the shown data is outdated: another member has changed or deleted it meanwhile. */
const OUTDATED: readonly number[] = [404, 409]

type Changing = Exclude<Verb, 'get'>

/**
 * The API client of a company's pages, which reads through the cache of queries and refreshes the affected ones after a
 * change. With an empty company, only paths with a leading slash are possible.
 */
export class Api {
  readonly companyId: string

  constructor(companyId: string) {
    this.companyId = companyId
  }

  /** Returns the key of everything below a path: `api.key('leads')`. */
  key(path: AnyPath, values?: Given): Key {
    return this.#keyOf(path, values)
  }

  /** Returns the key of the pages of a resource's list, without its single entities. */
  listKey(path: ListPath): Key {
    return [...this.#keyOf(path), LIST] as unknown as Key
  }

  /** Reads without caching. @throws ApiError */
  read<Path extends PathWith<'get'>>(
    path: Path,
    ...[values]: GetArguments<Path>
  ): Promise<Output<'get', Path>> {
    return request('get', this.#address(path, values as Given))
  }

  /** Returns the query of one entity. */
  get<Path extends PathWith<'get'>>(path: Path, ...given: GetArguments<Path>) {
    return queryOptions({
      queryKey: this.#readKey(path, given[0] as Given),
      queryFn: () => this.read(path, ...given),
    })
  }

  /** Returns the query of a complete list, or of the first page of one. */
  items<Path extends ListPath>(path: Path, ...given: GetArguments<Path>) {
    return queryOptions({
      ...this.get(path, ...given),
      select: itemsOf as (list: Output<'get', Path>) => ItemAt<Path>[],
    })
  }

  /** Returns the query of a paged list, with the `items` of all pages that were read so far. */
  list<Path extends PagedPath>(path: Path, ...[values]: GetArguments<Path>) {
    type Read = Output<'get', Path>
    return infiniteQueryOptions({
      queryKey: [...this.#readKey(path, values as Given), 'pages'] as unknown as Key,
      initialPageParam: '',
      queryFn: ({ pageParam }) => this.#readPage(path, values as Given, pageParam) as Promise<Read>,
      getNextPageParam: (page) => (page as Page).nextCursor,
      select: withItems as unknown as (data: InfiniteData<Read, string>) => InfiniteData<
        Read,
        string
      > & {
        items: ItemAt<Path>[]
      },
    })
  }

  /** Returns the query that reads all pages of a list. */
  every<Path extends PagedPath>(path: Path, ...[values]: GetArguments<Path>) {
    return queryOptions({
      queryKey: [...this.#readKey(path, values as Given), 'every'] as unknown as Key,
      queryFn: () => this.readEvery(path, ...([values] as GetArguments<Path>)),
    })
  }

  /** Reads all pages of a list without caching. @throws ApiError */
  async readEvery<Path extends PagedPath>(
    path: Path,
    ...[values]: GetArguments<Path>
  ): Promise<ItemAt<Path>[]> {
    const items: ItemAt<Path>[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const asked = { limit: DASHBOARD_LIMITS.pageItems, ...values }
      const page: Page = await this.#readPage(path, asked, cursor)
      items.push(...(page.items as ItemAt<Path>[]))
      cursor = page.nextCursor
    }
    return items
  }

  /** Returns the query of a POST request that changes nothing. */
  getByPost<Path extends PathWith<'post'>>(path: Path, ...given: ChangeArguments<'post', Path>) {
    const [values, body] = valuesAndBody(path, given)
    return queryOptions({
      queryKey: [...this.#keyOf(path, values), body ?? {}] as unknown as Key,
      queryFn: () => this.call('post', path, ...given),
    })
  }

  /** Returns a query whose function makes several reads. It is read again along with the resource of the path. */
  combine<Value>(path: AnyPath, of: Given, read: () => Promise<Value>) {
    return queryOptions({
      queryKey: [...this.#keyOf(path, of), 'made', of] as unknown as Key,
      queryFn: read,
    })
  }

  post<Path extends PathWith<'post'>>(path: Path, ...given: ChangeArguments<'post', Path>) {
    return this.#change('post', path, given)
  }

  put<Path extends PathWith<'put'>>(path: Path, ...given: ChangeArguments<'put', Path>) {
    return this.#change('put', path, given)
  }

  patch<Path extends PathWith<'patch'>>(path: Path, ...given: ChangeArguments<'patch', Path>) {
    return this.#change('patch', path, given)
  }

  delete<Path extends PathWith<'delete'>>(path: Path, ...given: ChangeArguments<'delete', Path>) {
    return this.#change('delete', path, given)
  }

  /** Posts to a route that returns an existing entity or creates one; `isNew` says which. @throws ApiError */
  async make<Path extends PathWith<'post'>>(path: Path, ...given: ChangeArguments<'post', Path>) {
    const answer = await this.#sendChange('post', path, given)
    return { body: await readBody<Output<'post', Path>>(answer), isNew: answer.status === 201 }
  }

  /** Sends a request without reading anything again, for requests that change nothing shown. @throws ApiError */
  async call<V extends Changing, Path extends PathWith<V>>(
    verb: V,
    path: Path,
    ...given: ChangeArguments<V, Path>
  ): Promise<Output<V, Path>> {
    return readBody(await this.#send(verb, path, given))
  }

  /** Reads the queries again that show data of the path's resource. Those of a removed entity are not read again. */
  async changed(path: AnyPath, removed?: readonly unknown[]): Promise<void> {
    const resource = partsOf(path)[0]!
    if (removed) await queries.invalidateQueries({ queryKey: removed, refetchType: 'none' })
    await Promise.all(
      [resource, ...(SHOWN_IN[resource] ?? [])].map((name) =>
        queries.invalidateQueries({
          queryKey: isOfAccount(path) ? [name] : [name, this.companyId],
          predicate: ({ queryKey }) => !removed?.every((part, at) => queryKey[at] === part),
        }),
      ),
    )
  }

  /** Reads the queries below a path again. */
  refresh(path: AnyPath, values?: Given): Promise<void> {
    return queries.invalidateQueries({ queryKey: this.#keyOf(path, values) })
  }

  async #change<V extends Changing, Path extends PathWith<V>>(
    verb: V,
    path: Path,
    given: readonly unknown[],
  ): Promise<Output<V, Path>> {
    return readBody(await this.#sendChange(verb, path, given))
  }

  async #sendChange(verb: Changing, path: AnyPath, given: readonly unknown[]): Promise<Response> {
    try {
      const answer = await this.#send(verb, path, given)
      const [values] = valuesAndBody(path, given)
      await this.changed(path, verb === 'delete' ? this.#keyOf(path, values) : undefined)
      return answer
    } catch (error) {
      if (error instanceof ApiError && OUTDATED.includes(error.status)) void this.changed(path)
      throw error
    }
  }

  #send(verb: Changing, path: string, given: readonly unknown[]): Promise<Response> {
    const [values, body] = valuesAndBody(path, given)
    return fetchResponse(verb, this.#address(path, values), body)
  }

  #readPage(path: string, values: Given, cursor: string): Promise<Page> {
    return request('get', this.#address(path, { ...values, cursor }))
  }

  #keyOf(path: string, values: Given = {}): Key {
    const [resource, ...rest] = partsOf(path)
    const named = rest.map((part) => (part.startsWith(':') ? String(values[part.slice(1)]) : part))
    const key = [resource, ...(isOfAccount(path) ? [] : [this.companyId]), ...named]
    return key as unknown as Key
  }

  #readKey(path: string, values?: Given): Key {
    const query = queryIn(path, values)
    const key = [
      ...this.#keyOf(path, values),
      ...(partsOf(path).length === 1 ? [LIST] : []),
      ...(Object.keys(query).length > 0 ? [query] : []),
    ]
    return key as unknown as Key
  }

  /** @param values an id may contain any character */
  #address(path: string, values: Given = {}): string {
    const full = isOfAccount(path) ? path : `/companies/${this.companyId}/${path}`
    const filled = full.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(values[name])),
    )
    const query = new URLSearchParams(queryIn(path, values) as Record<string, string>).toString()
    return `/api${filled}${query && `?${query}`}`
  }
}

/** The API client outside of a company's pages, for paths with a leading slash. */
export const accountApi = new Api('')

/**
 * Returns the API client of the company whose pages are open. The company's id is part of the URL, so that two tabs
 * never mix companies.
 */
export function useApi(): Api {
  const { company = '' } = useParams({ strict: false })
  return useMemo(() => new Api(company), [company])
}

// All queries share one function: a new function on each render would run the selection again.
const itemsOf = ({ items }: { items: unknown[] }) => items
const withItems = (data: InfiniteData<Page, string>) => ({
  ...data,
  items: data.pages.flatMap(itemsOf),
})

/** Returns the query parameters of a request: the given values that the path does not name. */
function queryIn(path: string, values: Given = {}): Record<string, unknown> {
  const inPath = new Set(path.split('/'))
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        !inPath.has(`:${name}`) && value !== undefined && value !== null && value !== '',
    ),
  )
}

const isOfAccount = (path: string): boolean => path.startsWith('/')

const partsOf = (path: string): string[] => path.replace(/^\//, '').split('/')

function valuesAndBody(path: string, given: readonly unknown[]): [Given | undefined, unknown] {
  const hasValues = given.length > 1 || path.includes(':')
  return hasValues ? [given[0] as Given, given[1]] : [undefined, given[0]]
}
