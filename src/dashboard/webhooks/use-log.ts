import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { type Api } from '../app/resources.ts'
import type { Key } from '../app/queries.ts'
import { useLive, useReadSinceReady } from '../app/live.tsx'
import { heardSince, NO_CHANGES, withResent, type Heard } from './log-changes.ts'
import { isMatch, readFilter } from './log-search.ts'
import { type LogSearch } from './log-search-params.ts'

const PAGE = 50
/** New ones that stand above what was loaded; more are counted alone, so that a busy log stays small. */
const MOST_FRESH = 200
const GATHER_MS = 250
/** Who has scrolled further than this reads, and nothing may move. */
const AT_TOP_PX = 40

/**
 * The log by a search, with what happens meanwhile: a delivery that is shown changes where it stands, and a new
 * one is put on top only while the top is what is looked at. Else it is counted.
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
  // The first page is read first when all that is shown is read anew, and not when more of it is.
  const changes = useChanges(key, list.data?.pages[0]?.readAt ?? 0)
  const isKnown = new Set(loaded.map(({ id }) => id))
  const added = changes.added.map(({ delivery }) => delivery).filter(({ id }) => !isKnown.has(id))
  const items = [...added, ...loaded].map((item) => changes.changed.get(item.id)?.delivery ?? item)
  const shown = new Map(items.map((item) => [item.id, item]))
  const oldest = list.hasNextPage ? (loaded.at(-1)?.createdAt ?? '') : ''
  useGathered((things) => {
    // What comes while it is read is looked at once it is.
    if (list.data === undefined) return false
    if (asked === null) return true
    changes.take(withResent(things, shown), {
      isShown: (id) => shown.has(id),
      // What happens to older ones shows once they are.
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

/** More are not counted, nor kept until they can be. */
const MOST_COUNTED = 1_000

/** What happened since the last turn, each thing as it was last. `take` says whether it has looked at it. */
function useGathered(take: (things: readonly Heard[]) => boolean): void {
  const waiting = useRef(new Map<string, Heard>())
  const newest = useRef(take)
  useEffect(() => {
    newest.current = take
  })
  useLive('delivery', (thing) => {
    const delivery = thing as DeliveryView
    waiting.current.delete(delivery.id)
    waiting.current.set(delivery.id, { delivery, heardAt: performance.now() })
    if (waiting.current.size > MOST_COUNTED) {
      waiting.current.delete(waiting.current.keys().next().value!)
    }
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if (waiting.current.size === 0) return
      if (newest.current([...waiting.current.values()])) waiting.current.clear()
    }, GATHER_MS)
    return () => clearInterval(timer)
  }, [])
}

function useChanges(key: string, readAt: number) {
  const [{ of, changes }, set] = useState({ of: key, changes: NO_CHANGES })
  const now = of === key ? heardSince(changes, readAt) : NO_CHANGES
  return {
    ...now,
    clear: () => set({ of: key, changes: NO_CHANGES }),
    take: (
      things: readonly Heard[],
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
      const added: Heard[] = []
      for (const thing of things) {
        const { id } = thing.delivery
        if (isShown(id)) changed.set(id, thing)
        else if (!isWanted(thing.delivery)) continue
        else if (mayAdd && now.newer.size === 0 && now.added.length + added.length < MOST_FRESH) {
          added.unshift(thing)
        } else if (newer.size < MOST_COUNTED) newer.set(id, thing.heardAt)
      }
      set({ of: key, changes: { added: [...added, ...now.added], changed, newer } })
    },
  }
}
