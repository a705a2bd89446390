import { QueryClient, type Query } from '@tanstack/react-query'
import { ApiError } from './api.ts'

declare const ofPath: unique symbol

/** A key that was made of a path of the API: what is written by hand would find nothing once the path is another. */
export type Key = readonly unknown[] & { readonly [ofPath]: true }

/** What is shown may be this old when a page is opened again; live changes come sooner. */
const FRESH_MS = 15_000
const MOST_TRIES = 2

/** What the pages have read. What was refused is not asked again by itself; what could not be asked is. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      retry: (tries, error) => {
        if (!(error instanceof ApiError)) return false
        const mayPass = error.status === 0 || error.status === 503
        return mayPass && tries < MOST_TRIES
      },
    },
    mutations: { retry: false },
  },
})

/** When each was last begun to be read, by the page's own clock. */
const begun = new WeakMap<Query, number>()
queries.getQueryCache().subscribe(({ type, query, ...event }) => {
  if (type === 'updated' && 'action' in event && event.action.type === 'fetch') {
    begun.set(query, performance.now())
  }
})

/** Reads anew what stands under the key and was begun to be read before then, by `performance.now()`. */
export async function readAgain(queryKey: readonly unknown[], before: number): Promise<void> {
  const old = new Set(
    queries
      .getQueryCache()
      .findAll({ queryKey })
      .filter((query) => (begun.get(query) ?? 0) < before),
  )
  if (old.size === 0) return
  const first = [...old].filter(({ state }) => state.data === undefined)
  await queries.invalidateQueries({ queryKey, predicate: (query) => old.has(query) })
  // A first read that was under way is not broken off for another one: it is followed by it.
  for (const query of first) {
    if ((begun.get(query) ?? 0) >= before) continue
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
}
