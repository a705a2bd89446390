import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { ListedPerson } from '../../contract/dashboard/conversation.ts'
import type { FileView } from '../../contract/dashboard/file.ts'

const STORED_UNDER = 'wasla.draft.'

const listeners = new Set<() => void>()

/**
 * Returns the unsent text of the reply in a conversation. Drafts last as long as the tab: neither navigation nor a
 * failed send loses them.
 */
export function readDraft(conversationId: string): string {
  return sessionStorage.getItem(STORED_UNDER + conversationId) ?? ''
}

/** Stores the draft of a reply in the tab and shows it in the open editor. */
export function writeDraft(conversationId: string, text: string): void {
  if (text === '') sessionStorage.removeItem(STORED_UNDER + conversationId)
  else sessionStorage.setItem(STORED_UNDER + conversationId, text)
  for (const notify of listeners) notify()
}

/** Inserts a text before the current draft, so that neither is lost. */
export function prependToDraft(conversationId: string, text: string): void {
  const begun = readDraft(conversationId)
  writeDraft(conversationId, [text, begun].filter((one) => one !== '').join('\n'))
}

/** Returns the draft of a reply and a function that changes it. */
export function useReplyDraft(conversationId: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => readDraft(conversationId))
  const write = useCallback((next: string) => writeDraft(conversationId, next), [conversationId])
  return [text, write]
}

/** An unsent note, with the members that it mentions so far. */
type UnsentNote = { text: string; named: readonly ListedPerson[] }

/** An unsent template. `values` is null while no field was filled in. */
export type UnsentTemplate = { templateId: string | null; values: TemplateValues | null }
/** Values by the key of their field. */
export type TemplateValues = Readonly<Record<string, string>>

const NO_NOTE: UnsentNote = { text: '', named: [] }
const NO_FILE: { file: FileView | null } = { file: null }
const NO_TEMPLATE: UnsentTemplate = { templateId: null, values: null }

/**
 * Returns the unsent note of a conversation and a function that changes it. Notes are stored apart from replies, so
 * that an internal text never appears in the reply field.
 */
export const useNoteDraft = (conversationId: string) =>
  useStoredDraft('wasla.note.', conversationId, NO_NOTE)

/** Returns the file that is attached to the unsent reply, and a function that changes it. */
export const useFileDraft = (conversationId: string) =>
  useStoredDraft('wasla.file.', conversationId, NO_FILE)

/** Returns the template that is being filled in for a conversation, and a function that changes it. */
export const useTemplateDraft = (conversationId: string) =>
  useStoredDraft('wasla.template.', conversationId, NO_TEMPLATE)

type Change<Stored> = (begun: Stored) => Partial<Stored>

function useStoredDraft<Stored extends object>(
  prefix: string,
  conversationId: string,
  none: Stored,
): [Stored, (change: Change<Stored>) => void] {
  const key = prefix + conversationId
  const kept = useSyncExternalStore(subscribe, () => sessionStorage.getItem(key))
  const begun = useMemo(() => readStoredDraft(kept, none), [kept, none])
  const write = useCallback(
    (change: Change<Stored>) => {
      const before = readStoredDraft(sessionStorage.getItem(key), none)
      const next = JSON.stringify({ ...before, ...change(before) })
      if (next === JSON.stringify(none)) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
      for (const notify of listeners) notify()
    },
    [key, none],
  )
  return [begun, write]
}

function readStoredDraft<Stored>(kept: string | null, none: Stored): Stored {
  return kept === null ? none : (JSON.parse(kept) as Stored)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
