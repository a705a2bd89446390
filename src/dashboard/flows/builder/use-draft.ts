import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { type Api } from '../../app/resources.ts'
import { ApiError } from '../../app/api.ts'
import { now } from '../../words/now.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import { emptyDraft, type Draft } from '../draft.ts'
import { newHistory, isToSave, applyMove } from './draft-history.ts'

/** The state of the draft's last change. */
export type Saving =
  | { kind: 'saved'; at: string | null }
  | { kind: 'waiting' }
  | { kind: 'refused'; errors: ApiError['errors']; detail: string }
  | { kind: 'offline' }
  /** Another member has saved a different draft meanwhile. */
  | { kind: 'stale' }

const AUTOSAVE_MS = 700

/**
 * Returns the draft of a flow with undo and redo, and saves it a moment after each change. A draft that another member
 * has saved replaces this one if nothing is unsaved here; otherwise nothing is saved until the member chooses one of
 * the two. A member who leaves a draft that cannot be saved is asked first.
 */
export function useDraft(api: Api, flow: FlowDetail, mayEdit: boolean) {
  const cache = useQueryClient()
  const there = flow.draft ?? flow.published
  const [history, move] = useReducer(applyMove, there?.definition ?? emptyDraft(''), newHistory)
  const { present } = history
  const [saving, setSaving] = useState<Saving>({ kind: 'saved', at: null })
  /** The draft that was saved last, together with the service's state. */
  const last = useRef<SavedState>(savedStateOf(present, flow))
  const newest = useRef(present)
  const isStale = useRef(false)
  const inFlight = useRef<Promise<boolean> | null>(null)
  useEffect(() => void (newest.current = present))

  const save = useCallback(async (): Promise<boolean> => {
    // When several calls wait for a save in flight, the first saves again and the others wait for that one.
    while (inFlight.current) await inFlight.current
    // After a conflict the member chooses a draft; the last save must not decide.
    if (isStale.current) return false
    const draft = newest.current
    if (draft === last.current.draft) {
      setSaving(settled)
      return true
    }
    const sending = (async () => {
      try {
        const saved = await putDraft(api, flow.id, last.current.seenAt, draft)
        last.current = savedStateOf(draft, saved)
        isStale.current = false
        cache.setQueryData(keyOfFlow(api, flow.id), saved)
        setSaving({ kind: 'saved', at: now().toISOString() })
        void api.refresh('flows/:flowId/draft/check', { flowId: flow.id })
        return true
      } catch (error) {
        const failure = failureOf(error)
        setSaving(failure)
        // The other draft is read, so that the member can choose either.
        if (failure.kind === 'stale') {
          isStale.current = true
          void api.refresh('flows/:flowId', { flowId: flow.id })
        }
        return false
      }
    })()
    inFlight.current = sending
    const isSaved = await sending
    inFlight.current = null
    return isSaved
  }, [cache, api, flow.id])

  useEffect(() => {
    if (!mayEdit) return
    const isOneInFlight = inFlight.current !== null
    // A draft that was undone may be in flight to the service, so the shown one has to follow it.
    if (!isToSave(present, { saved: last.current.draft, isOneInFlight })) return setSaving(settled)
    setSaving((before) => (before.kind === 'stale' ? before : { kind: 'waiting' }))
    const timer = setTimeout(() => void save(), AUTOSAVE_MS)
    return () => clearTimeout(timer)
  }, [present, save, mayEdit])

  const leaving = useLeaving(save, { mayEdit, isSaved: saving.kind === 'saved' })

  const thereNow = JSON.stringify(there?.definition ?? null)
  useEffect(() => {
    last.current.seenAt = flow.updatedAt
    if (thereNow === last.current.there) return
    last.current.there = thereNow
    if (newest.current !== last.current.draft) {
      isStale.current = true
      setSaving({ kind: 'stale' })
      return
    }
    const draft = JSON.parse(thereNow) as Draft | null
    if (!draft) return
    last.current.draft = draft
    move({ kind: 'begin', draft })
  }, [thereNow, flow.updatedAt])

  return {
    draft: present,
    saving,
    save,
    edit: (change: (draft: Draft) => Draft, tag: string | null = null) =>
      move({ kind: 'change', change, tag }),
    undo: history.past.length > 0 ? () => move({ kind: 'undo' }) : null,
    redo: history.future.length > 0 ? () => move({ kind: 'redo' }) : null,
    /** The state of the question before leaving. */
    leaving,
    /** Keeps this member's draft and overwrites the other one. */
    keepMine: () => {
      isStale.current = false
      last.current.draft = null
      void save()
    },
    /** Takes over the draft that another member saved. */
    takeTheirs: () => {
      if (!there) return
      isStale.current = false
      last.current = { draft: there.definition, there: thereNow, seenAt: flow.updatedAt }
      setSaving({ kind: 'saved', at: null })
      move({ kind: 'begin', draft: there.definition })
    },
  }
}

const keyOfFlow = (api: Api, flowId: string) => api.get('flows/:flowId', { flowId }).queryKey

const putDraft = (api: Api, flowId: string, seenAt: string, draft: Draft) =>
  api.call('put', 'flows/:flowId/draft', { flowId, seenAt }, draft)

/** Returns a blocker of navigation that saves the last changes first, and asks the member where that fails. */
function useLeaving(
  save: () => Promise<boolean>,
  { mayEdit, isSaved }: { mayEdit: boolean; isSaved: boolean },
) {
  return useBlocker({
    shouldBlockFn: useCallback<ShouldBlockFn>(
      async ({ current, next }) => current.pathname !== next.pathname && !(await save()),
      [save],
    ),
    disabled: !mayEdit,
    // The browser asks the member before it closes the page, with its own text.
    enableBeforeUnload: !isSaved,
    withResolver: true,
  })
}

/** The last saved state. `draft` is null when the next save must happen whatever it contains. */
type SavedState = { draft: Draft | null; there: string; seenAt: string }

const savedStateOf = (
  draft: Draft,
  { draft: kept, published, updatedAt }: FlowDetail,
): SavedState => ({
  draft,
  there: JSON.stringify((kept ?? published)?.definition ?? null),
  seenAt: updatedAt,
})

/** Returns the state once nothing is left to save. */
function settled(before: Saving): Saving {
  return before.kind === 'stale' || before.kind === 'saved' ? before : { kind: 'saved', at: null }
}

function failureOf(error: unknown): Saving {
  if (!(error instanceof ApiError) || error.status === 0) return { kind: 'offline' }
  if (error.code === 'stale') return { kind: 'stale' }
  return { kind: 'refused', errors: error.errors, detail: error.detail }
}
