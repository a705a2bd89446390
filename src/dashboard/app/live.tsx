import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { api, ask, Refusal } from './api.ts'
import { readAgain } from './queries.ts'
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

/** Every name that an event of the stream may have; others are not heard. */
const NOUNS = [
  'appointment',
  'booking_page',
  'broadcast',
  'contact_import',
  'conversation',
  'delivery',
  'flow',
  'handover',
  'hook_url',
  'lead',
  'message',
  'reply',
  'resource',
  'service',
] as const

/** Where the browser does not try again by itself, this is how long it is waited before each next try. */
const COME_BACK_AFTER_MS = [1_000, 2_000, 5_000, 15_000, 60_000]

/**
 * One stream a tab, of the company that is open. It comes back by itself and goes on where it was; where the
 * session is over it leads to the sign-in.
 */
export function LiveProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  const [isLive, setLive] = useState(true)
  const listeners = useRef(new Map<string, Set<Listener>>())
  const whenReady = useRef(new Set<() => void>())
  /** When the stream began, and when it last told of each noun. */
  const readyAt = useRef(0)
  const toldAt = useRef(new Map<string, number>())
  const cache = useQueryClient()
  const router = useRouter()

  useEffect(() => {
    let source: EventSource | null = null
    let timer = 0
    let tries = 0
    let isOver = false
    /** A stream that has told no position cannot go on from it. */
    let hasPosition = false
    let hasMissed = false
    const open = () => {
      const opened = new EventSource(`/api/companies/${companyId}/live`)
      source = opened
      hasPosition = false
      opened.addEventListener('ready', () => {
        setLive(true)
        hasPosition = true
        readyAt.current = performance.now()
        // Until now changes may have been missed, of all that is shown where a stream was there before.
        if (hasMissed) void readAgain([], readyAt.current)
        else for (const listener of whenReady.current) listener()
        hasMissed = false
      })
      opened.addEventListener('open', () => {
        setLive(true)
        tries = 0
        // The stream breaks off where the service is brought up to date.
        void askVersion()
      })
      opened.addEventListener('error', () => {
        setLive(false)
        const isGivenUp = opened.readyState === EventSource.CLOSED
        hasMissed ||= isGivenUp || !hasPosition
        // After a refusal, as of a proxy before a service that starts, the browser gives up.
        if (!isGivenUp) return
        const waitMs = COME_BACK_AFTER_MS[Math.min(tries, COME_BACK_AFTER_MS.length - 1)]
        tries += 1
        timer = window.setTimeout(() => void comeBack(), waitMs)
      })
      // What was missed is not told again: all that is shown is read anew.
      opened.addEventListener('reset', () => void readAgain([], performance.now()))
      for (const noun of NOUNS) {
        opened.addEventListener(noun, (event: MessageEvent<string>) => {
          const thing = JSON.parse(event.data) as { id: string }
          toldAt.current.set(noun, performance.now())
          for (const listener of listeners.current.get(noun) ?? []) listener(thing)
        })
      }
    }
    const comeBack = async () => {
      const isOut = await isSignedOut()
      if (isOver) return
      if (!isOut) return open()
      await router.navigate({ to: '/sign-in', search: { next: router.state.location.href } })
      cache.clear()
    }
    open()
    return () => {
      isOver = true
      window.clearTimeout(timer)
      source?.close()
    }
  }, [companyId, cache, router])

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
    await ask(api.session.$get())
    return false
  } catch (error) {
    return error instanceof Refusal && error.status === 401
  }
}

export function useIsLive(): boolean {
  return useContext(LiveContext)?.isLive ?? false
}

/** Calls `listener` with each thing of the noun that is new or has changed. */
export function useLive(noun: (typeof NOUNS)[number], listener: Listener): void {
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
  noun: (typeof NOUNS)[number],
  queryKey: readonly unknown[],
  { isOf, gatherMs = GATHER_MS }: { isOf?: Listener<boolean>; gatherMs?: number } = {},
): void {
  useReadSinceReady(noun, queryKey)
  const timer = useRef<number | null>(null)
  useLive(noun, (thing) => {
    if (isOf?.(thing) === false) return
    timer.current ??= window.setTimeout(() => {
      timer.current = null
      void readAgain(queryKey, performance.now())
    }, gatherMs)
  })
}

/** Reads anew what was begun to be read before the stream was there, or before the page listened to it. */
export function useReadSinceReady(
  noun: (typeof NOUNS)[number],
  queryKey: readonly unknown[],
): void {
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
