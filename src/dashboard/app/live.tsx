import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { accountApi } from './resources.ts'
import { ApiError } from './api.ts'
import { joinStream, type Noun } from './live-stream.ts'
import { readAgain, type Key } from './queries.ts'
import { useSession } from './session.ts'
import { askVersion } from './version.ts'

/** Nouns as the stream names them. What changed is given as the API shows it. */
type Listener<Said = void> = (thing: { id: string }) => Said

type Live = {
  /** Whether changes arrive. */
  isLive: boolean
  listen(noun: string, listener: Listener): () => void
  /** Calls when the stream has begun: from there on it misses nothing. */
  onReady(listener: () => void): () => void
  /** Up to when things of the noun may have changed unheard by who listens from now on; `performance.now()`. */
  changedBy(noun: string): number
}

const LiveContext = createContext<Live | null>(null)

/**
 * Hears the stream of changes of the company that is open, which the tabs of a browser share. It comes back by itself
 * and goes on where it was; where the session is over it leads to the sign-in.
 */
export function LiveProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  const session = useSession()
  const scope = `${session.id} ${session.account.id}`
  const [isLive, setLive] = useState(true)
  const listeners = useRef(new Map<string, Set<Listener>>())
  const whenReady = useRef(new Set<() => void>())
  /** When the stream began, and when it last told of each noun. */
  const readyAt = useRef(0)
  const toldAt = useRef(new Map<string, number>())
  const cache = useQueryClient()
  const router = useRouter()

  useEffect(() => {
    const ending = new AbortController()
    let isOn = false
    let hasBegun = false
    const begin = () => {
      setLive(true)
      // The stream breaks off where the service is brought up to date.
      if (!isOn) void askVersion()
      isOn = true
    }
    joinStream({
      companyId,
      scope,
      signal: ending.signal,
      hear(told) {
        const now = performance.now()
        if (told.kind === 'off') {
          isOn = false
          return setLive(false)
        }
        if (told.kind === 'changed') {
          if (told.companyId !== companyId) return
          toldAt.current.set(told.noun, now)
          for (const listener of listeners.current.get(told.noun) ?? []) listener(told.thing)
          return
        }
        if (!told.companyIds.includes(companyId)) return
        begin()
        if (told.kind === 'on' && hasBegun) return
        hasBegun = true
        readyAt.current = now
        if (told.kind === 'reset') void readAgain([], now)
        else for (const listener of whenReady.current) listener()
      },
      async mayGoOn() {
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
    listen: (noun: string, listener: Listener) => {
      const ofNoun = listeners.current.get(noun) ?? new Set()
      listeners.current.set(noun, ofNoun.add(listener))
      return () => {
        ofNoun.delete(listener)
      }
    },
    onReady: (listener: () => void) => {
      whenReady.current.add(listener)
      return () => {
        whenReady.current.delete(listener)
      }
    },
    changedBy: (noun: string) => Math.max(readyAt.current, toldAt.current.get(noun) ?? 0),
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

export function useIsLive(): boolean {
  return useContext(LiveContext)?.isLive ?? false
}

/** Calls `listener` with each thing of the noun that is new or has changed. */
export function useLive(noun: Noun, listener: Listener): void {
  const live = useContext(LiveContext)
  const newest = useRef(listener)
  useEffect(() => {
    newest.current = listener
  })
  const listen = live?.listen
  useEffect(() => listen?.(noun, (thing) => newest.current(thing)), [listen, noun])
}

const GATHER_MS = 400

/**
 * Reads anew what stands under the key when something of the nouns changed, at most a few times a second;
 * `isOf` says which things matter.
 */
export function useLiveQuery(
  noun: Noun,
  queryKey: Key,
  { isOf, debounceMs = GATHER_MS }: { isOf?: Listener<boolean>; debounceMs?: number } = {},
): void {
  useReadSinceReady(noun, queryKey)
  const timer = useRef<number | null>(null)
  useLive(noun, (thing) => {
    if (isOf?.(thing) === false) return
    timer.current ??= window.setTimeout(() => {
      timer.current = null
      void readAgain(queryKey, performance.now())
    }, debounceMs)
  })
}

/** Reads anew what was begun to be read before the stream was there, or before the page listened to it. */
export function useReadSinceReady(noun: Noun, queryKey: Key): void {
  const live = useContext(LiveContext)
  const { onReady, changedBy } = live ?? {}
  const newest = useRef(queryKey)
  useEffect(() => {
    newest.current = queryKey
  })
  const key = hashKey(queryKey)
  useEffect(() => {
    const look = () => void readAgain(newest.current, changedBy?.(noun) ?? 0)
    look()
    return onReady?.(look)
  }, [onReady, changedBy, noun, key])
}
