import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { queries } from './queries.ts'
import { askVersion } from './version.ts'

/** Nouns as the stream names them. What changed is given as the API shows it. */
type Listener = (thing: { id: string }) => void

type Live = {
  /** Whether changes arrive. */
  isLive: boolean
  listen(noun: string, listener: Listener): () => void
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
  'resource',
  'service',
] as const

/** One stream a tab, of the company that is open. It comes back by itself and goes on where it was. */
export function LiveProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  const [isLive, setLive] = useState(true)
  const listeners = useRef(new Map<string, Set<Listener>>())
  const cache = useQueryClient()

  useEffect(() => {
    const source = new EventSource(`/api/companies/${companyId}/live`)
    source.addEventListener('ready', () => setLive(true))
    source.addEventListener('open', () => {
      setLive(true)
      // The stream breaks off where the service is brought up to date.
      void askVersion()
    })
    source.addEventListener('error', () => setLive(false))
    // What was missed is not told again: all that is shown is read anew.
    source.addEventListener('reset', () => void cache.invalidateQueries())
    for (const noun of NOUNS) {
      source.addEventListener(noun, (event: MessageEvent<string>) => {
        const thing = JSON.parse(event.data) as { id: string }
        for (const listener of listeners.current.get(noun) ?? []) listener(thing)
      })
    }
    return () => source.close()
  }, [companyId, cache])

  const [live] = useState(() => ({
    listen: (noun: string, listener: Listener) => {
      const ofNoun = listeners.current.get(noun) ?? new Set()
      listeners.current.set(noun, ofNoun.add(listener))
      return () => {
        ofNoun.delete(listener)
      }
    },
  }))
  return <LiveContext value={{ isLive, ...live }}>{children}</LiveContext>
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

/** Reads anew what stands under the key when something of the nouns changed, at most a few times a second. */
export function useLiveQuery(noun: (typeof NOUNS)[number], queryKey: readonly unknown[]): void {
  const timer = useRef<number | null>(null)
  useLive(noun, () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = null
      void queries.invalidateQueries({ queryKey })
    }, GATHER_MS)
  })
}
