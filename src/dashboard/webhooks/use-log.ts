import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { type Api } from '../app/resources.ts'
import type { Key } from '../app/queries.ts'
import { useLive, useReadSinceReady } from '../app/live.tsx'
import { changesSince, NO_CHANGES, withResent, type LiveDelivery } from './log-changes.ts'
import { isMatch, readFilter } from './log-search.ts'
import { type LogSearch } from './log-search-params.ts'

const PAGE = 50
/**
 * The maximum number of new deliveries shown above the loaded ones; more are only counted, so that a busy log stays
 * small.
 */
const MAX_FRESH = 200
const BATCH_MS = 250
/** A member who has scrolled down by this is reading, so the rows must not move. */
const AT_TOP_PX = 40

/**
 * Returns the log of a search with its live changes. A shown delivery is updated in place. A new one is added on top
 * while the log is scrolled to the top, and only counted otherwise.
 */
export function useLog(api: Api, search: LogSearch) {
  const queryKey = ['delivery-log', api.companyId, search]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => {
      const readAt = performance.now()
      const asked = await readFilter(api, search)
      if (asked === null) return { items: [], nextCursor: null, searchedTo: null, asked, readAt }
      const page = await api.read('deliveries', { ...asked, limit: PAGE, cursor: pageParam })
      return { ...page, asked, readAt }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnWindowFocus: false,
  })
  useReadSinceReady('delivery', queryKey as unknown as Key)
  const asked = list.data?.pages[0]?.asked ?? null
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? []
  const key = JSON.stringify(queryKey)
  // The first page is read again with every refetch, but not when more pages are loaded, so its time is the log's.
  const changes = useChanges(key, list.data?.pages[0]?.readAt ?? 0)
  const isKnown = new Set(loaded.map(({ id }) => id))
  const added = changes.added.map(({ delivery }) => delivery).filter(({ id }) => !isKnown.has(id))
  const items = [...added, ...loaded].map((item) => changes.changed.get(item.id)?.delivery ?? item)
  const shown = new Map(items.map((item) => [item.id, item]))
  const oldest = list.hasNextPage ? (loaded.at(-1)?.createdAt ?? '') : ''
  useBatches((reported) => {
    // Deliveries reported while the log is loading are processed after it.
    if (list.data === undefined) return false
    if (asked === null) return true
    changes.take(withResent(reported, shown), {
      isShown: (id) => shown.has(id),
      // Changes of older deliveries are in the log once their page is loaded.
      isWanted: (delivery) => delivery.createdAt >= oldest && isMatch(delivery, asked),
      mayAdd: isAtTop(),
    })
    return true
  })
  return {
    list,
    items,
    asked,
    fresh: new Set(added.map(({ id }) => id)),
    newer: new Map([...changes.newer].filter(([id]) => !isKnown.has(id))),
    showNewer: () => {
      changes.clear()
      document.getElementById('content')?.scrollTo({ top: 0 })
      void list.refetch()
    },
    searchedTo: list.data?.pages.at(-1)?.searchedTo ?? null,
  }
}

function isAtTop(): boolean {
  return (document.getElementById('content')?.scrollTop ?? 0) < AT_TOP_PX
}

/** The maximum number of reports that are counted, or stored until they can be counted. */
const MAX_COUNTED = 1_000

/**
 * Passes the deliveries reported since the last batch to `take`, each in its latest state. `take` returns whether it
 * has processed them.
 */
function useBatches(take: (reported: readonly LiveDelivery[]) => boolean): void {
  const waiting = useRef(new Map<string, LiveDelivery>())
  const newest = useRef(take)
  useEffect(() => {
    newest.current = take
  })
  useLive('delivery', (reported) => {
    const delivery = reported as DeliveryView
    waiting.current.delete(delivery.id)
    waiting.current.set(delivery.id, { delivery, reportedAt: performance.now() })
    if (waiting.current.size > MAX_COUNTED) {
      waiting.current.delete(waiting.current.keys().next().value!)
    }
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if (waiting.current.size === 0) return
      if (newest.current([...waiting.current.values()])) waiting.current.clear()
    }, BATCH_MS)
    return () => clearInterval(timer)
  }, [])
}

function useChanges(key: string, readAt: number) {
  const [{ of, changes }, set] = useState({ of: key, changes: NO_CHANGES })
  const now = of === key ? changesSince(changes, readAt) : NO_CHANGES
  return {
    ...now,
    clear: () => set({ of: key, changes: NO_CHANGES }),
    take: (
      reported: readonly LiveDelivery[],
      {
        isShown,
        isWanted,
        mayAdd,
      }: {
        isShown(id: string): boolean
        isWanted(delivery: DeliveryView): boolean
        mayAdd: boolean
      },
    ) => {
      const changed = new Map(now.changed)
      const newer = new Map(now.newer)
      const added: LiveDelivery[] = []
      for (const report of reported) {
        const { id } = report.delivery
        if (isShown(id)) changed.set(id, report)
        else if (!isWanted(report.delivery)) continue
        else if (mayAdd && now.newer.size === 0 && now.added.length + added.length < MAX_FRESH) {
          added.unshift(report)
        } else if (newer.size < MAX_COUNTED) newer.set(id, report.reportedAt)
      }
      set({ of: key, changes: { added: [...added, ...now.added], changed, newer } })
    },
  }
}
