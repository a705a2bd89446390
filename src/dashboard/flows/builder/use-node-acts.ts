import { toastSuccess } from '../../parts/toasts.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { Draft, Place } from '../draft.ts'
import { canPaste, copySteps, removedWith, pasteSteps, removeStep } from '../draft/edit.ts'
import { builderWords } from '../words-builder.ts'
import { storeCopiedSteps, readCopiedSteps } from './clipboard.ts'
import type { NodeActs } from './node-acts.ts'

/** Returns the acts on nodes for the map, the list and the panels. */
export function useNodeActs({
  draft,
  edit,
  mayEdit,
  selected,
  select,
  onAdd,
  onAsk,
}: {
  draft: Draft
  edit(change: (draft: Draft) => Draft): void
  mayEdit: boolean
  selected: string | null
  select(key: string | undefined): void
  /** Opens the choice of a new step for a place; null closes it. */
  onAdd(place: Place | null): void
  /** Asks for a confirmation before other steps are deleted along with this one. */
  onAsk(stepId: string): void
}): NodeActs & { removeAll(stepId: string): void } {
  const t = useWords(builderWords)
  const removeAll = (id: string) => {
    edit((before) => removeStep(before, id))
    if (selected === id) select(undefined)
    toastSuccess(t('deleted'))
  }
  return {
    removeAll,
    open: (key) => {
      onAdd(null)
      select(key)
    },
    add: (place) => {
      if (mayEdit) onAdd(place)
    },
    remove: (id) => {
      if (!mayEdit) return
      if (removedWith(draft, id).length === 0) removeAll(id)
      else onAsk(id)
    },
    copy: (id) => {
      const copied = copySteps(draft, id)
      storeCopiedSteps(copied)
      toastSuccess(t('copied', { n: Object.keys(copied.steps).length }))
    },
    paste: (place) => {
      const copied = readCopiedSteps()
      if (!mayEdit || !copied || !canPaste(draft, place, copied)) return
      const pasted = pasteSteps(draft, place, copied)
      edit(() => pasted.draft)
      onAdd(null)
      select(pasted.id)
    },
  }
}
