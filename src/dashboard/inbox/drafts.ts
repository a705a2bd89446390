import { useCallback, useSyncExternalStore } from 'react'

const KEPT_UNDER = 'wasla.draft.'

const listeners = new Set<() => void>()

/** What somebody has begun to write, as long as the tab is open: no navigation and no failure loses it. */
export function readDraft(conversationId: string): string {
  return sessionStorage.getItem(KEPT_UNDER + conversationId) ?? ''
}

export function writeDraft(conversationId: string, text: string): void {
  if (text === '') sessionStorage.removeItem(KEPT_UNDER + conversationId)
  else sessionStorage.setItem(KEPT_UNDER + conversationId, text)
  for (const tell of listeners) tell()
}

export function useDraft(conversationId: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(conversationId))
  const write = useCallback((next: string) => writeDraft(conversationId, next), [conversationId])
  return [text, write]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
