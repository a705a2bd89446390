import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { accountApi } from './resources.ts'
import { ApiError } from './api.ts'
import { joinStream, type Entity } from './live-stream.ts'
import { readAgain, type Key } from './queries.ts'
import { useSession } from './session.ts'
import { checkVersion } from './version.ts'

/** A listener for changes of one kind of entity. It gets the changed entity as the API shows it. */
type Listener<Result = void> = (thing: { id: string }) => Result

type Live = {
  /** Changes arrive at present. */
  isLive: boolean
  listen(entity: string, listener: Listener): () => void
  /** Calls the listener when the stream has begun and misses nothing from then on. */
  onReady(listener: () => void): () => void
  /** The time, by `performance.now()`, until which entities may have changed without a new listener noticing. */
  changedBy(entity: string): number
}

const LiveContext = createContext<Live | null>(null)

/**
 * Receives the stream of changes of the open company, which the tabs of a browser share. The stream reconnects
 * automatically and resumes where it was; when the session has ended, the sign-in page is opened.
 */
export function LiveProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  const session = useSession()
  const scope = `${session.id} ${session.account.id}`
  const [isLive, setLive] = useState(true)
  const listeners = useRef(new Map<string, Set<Listener>>())
  const whenReady = useRef(new Set<() => void>())
  /** The time at which the stream began, and the time of the latest event of each kind of entity. */
  const readyAt = useRef(0)
  const changedAt = useRef(new Map<string, number>())
  const cache = useQueryClient()
  const router = useRouter()

  useEffect(() => {
    const ending = new AbortController()
    let isOn = false
    let hasBegun = false
    const begin = () => {
      setLive(true)
      // The stream is interrupted by an upgrade of the service.
      if (!isOn) void checkVersion()
      isOn = true
    }
    joinStream({
      companyId,
      scope,
      signal: ending.signal,
      onEvent(event) {
        const now = performance.now()
        if (event.kind === 'off') {
          isOn = false
          return setLive(false)
        }
        if (event.kind === 'changed') {
          if (event.companyId !== companyId) return
          changedAt.current.set(event.entity, now)
          for (const listener of listeners.current.get(event.entity) ?? []) listener(event.thing)
          return
        }
        if (!event.companyIds.includes(companyId)) return
        begin()
        if (event.kind === 'on' && hasBegun) return
        hasBegun = true
        readyAt.current = now
        if (event.kind === 'reset') void readAgain([], now)
        else for (const listener of whenReady.current) listener()
      },
      async mayRetry() {
        const isOut = await isSignedOut()
        if (ending.signal.aborted || !isOut) return !isOut
        await router.navigate({ to: '/sign-in', search: { next: router.state.location.href } })
        cache.clear()
        return false
      },
    })
    return () => ending.abort()
  }, [companyId, scope, cache, router])

  const [live] = useState(() => ({
    listen: (entity: string, listener: Listener) => {
      const ofEntity = listeners.current.get(entity) ?? new Set()
      listeners.current.set(entity, ofEntity.add(listener))
      return () => {
        ofEntity.delete(listener)
      }
    },
    onReady: (listener: () => void) => {
      whenReady.current.add(listener)
      return () => {
        whenReady.current.delete(listener)
      }
    },
    changedBy: (entity: string) => Math.max(readyAt.current, changedAt.current.get(entity) ?? 0),
  }))
  return <LiveContext value={{ isLive, ...live }}>{children}</LiveContext>
}

async function isSignedOut(): Promise<boolean> {
  try {
    await accountApi.read('/session')
    return false
  } catch (error) {
    return error instanceof ApiError && error.status === 401
  }
}

/** Returns whether the stream of live changes is connected. */
export function useIsLive(): boolean {
  return useContext(LiveContext)?.isLive ?? false
}

/** Calls `listener` with each entity that is created or changed. */
export function useLive(entity: Entity, listener: Listener): void {
  const live = useContext(LiveContext)
  const newest = useRef(listener)
  useEffect(() => {
    newest.current = listener
  })
  const listen = live?.listen
  useEffect(() => listen?.(entity, (thing) => newest.current(thing)), [listen, entity])
}

const DEBOUNCE_MS = 400

/**
 * Reads the queries under the key again when an entity changes, at most a few times a second. `isOf` selects the
 * entities that matter.
 */
export function useLiveQuery(
  entity: Entity,
  queryKey: Key,
  { isOf, debounceMs = DEBOUNCE_MS }: { isOf?: Listener<boolean>; debounceMs?: number } = {},
): void {
  useReadSinceReady(entity, queryKey)
  const timer = useRef<number | null>(null)
  useLive(entity, (thing) => {
    if (isOf?.(thing) === false) return
    timer.current ??= window.setTimeout(() => {
      timer.current = null
      void readAgain(queryKey, performance.now())
    }, debounceMs)
  })
}

/** Repeats reads that began before the stream did, or before the page listened to it. */
export function useReadSinceReady(entity: Entity, queryKey: Key): void {
  const live = useContext(LiveContext)
  const { onReady, changedBy } = live ?? {}
  const newest = useRef(queryKey)
  useEffect(() => {
    newest.current = queryKey
  })
  const key = hashKey(queryKey)
  useEffect(() => {
    const look = () => void readAgain(newest.current, changedBy?.(entity) ?? 0)
    look()
    return onReady?.(look)
  }, [onReady, changedBy, entity, key])
}
