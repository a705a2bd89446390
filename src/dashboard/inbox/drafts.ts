import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { PersonView } from '../../contract/dashboard/conversation.ts'

const KEPT_UNDER = 'wasla.draft.'
const NOTES_UNDER = 'wasla.note.'

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

/** Puts a text in front of whatever has been begun since: neither takes the place of the other. */
export function putBefore(conversationId: string, text: string): void {
  const begun = readDraft(conversationId)
  writeDraft(conversationId, [text, begun].filter((one) => one !== '').join('\n'))
}

export function useDraft(conversationId: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(conversationId))
  const write = useCallback((next: string) => writeDraft(conversationId, next), [conversationId])
  return [text, write]
}

/** A note that somebody has begun, and whom it names so far. */
type BegunNote = { text: string; named: readonly PersonView[] }

const NO_NOTE: BegunNote = { text: '', named: [] }

function readNote(kept: string | null): BegunNote {
  return kept === null ? NO_NOTE : (JSON.parse(kept) as BegunNote)
}

/** Kept as a reply is, and apart from it: what is meant for colleagues is never found where replies are written. */
export function useNote(conversationId: string): [BegunNote, (change: Partial<BegunNote>) => void] {
  const key = NOTES_UNDER + conversationId
  const kept = useSyncExternalStore(subscribe, () => sessionStorage.getItem(key))
  const note = useMemo(() => readNote(kept), [kept])
  const write = useCallback(
    (change: Partial<BegunNote>) => {
      const next = { ...readNote(sessionStorage.getItem(key)), ...change }
      const isNone = next.text === '' && next.named.length === 0
      if (isNone) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(next))
      for (const tell of listeners) tell()
    },
    [key],
  )
  return [note, write]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
