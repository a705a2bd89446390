import { QueryClient, type Query } from '@tanstack/react-query'
import { ApiError } from './api.ts'

declare const ofPath: unique symbol

/**
 * A query key that was made of a path of the API. The brand forbids handwritten keys, which would match nothing after a
 * path changes.
 */
export type Key = readonly unknown[] & { readonly [ofPath]: true }

/** The age at which data is stale and read again when its page is opened; live changes are read sooner. */
const STALE_AFTER_MS = 15_000
const MAX_TRIES = 2

/**
 * The cache of all queries. Requests that failed for lack of a connection, or with status 503, are retried
 * automatically; other refusals are not.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      refetchOnWindowFocus: true,
      retry: (tries, error) => {
        if (!(error instanceof ApiError)) return false
        const mayPass = error.status === 0 || error.status === 503
        return mayPass && tries < MAX_TRIES
      },
    },
    mutations: { retry: false },
  },
})

/** The time at which each query was last fetched, by `performance.now()`. */
const fetchedAt = new WeakMap<Query, number>()
queries.getQueryCache().subscribe(({ type, query, ...event }) => {
  if (type === 'updated' && 'action' in event && event.action.type === 'fetch') {
    fetchedAt.set(query, performance.now())
  }
})

/** Reads the queries under the key again that were last fetched before that time, by `performance.now()`. */
export async function readAgain(queryKey: readonly unknown[], before: number): Promise<void> {
  const old = new Set(
    queries
      .getQueryCache()
      .findAll({ queryKey })
      .filter((query) => (fetchedAt.get(query) ?? 0) < before),
  )
  if (old.size === 0) return
  const first = [...old].filter(({ state }) => state.data === undefined)
  await queries.invalidateQueries({ queryKey, predicate: (query) => old.has(query) })
  // A first read in progress is not cancelled by another one, so a second read follows it.
  for (const query of first) {
    if ((fetchedAt.get(query) ?? 0) >= before) continue
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
}
