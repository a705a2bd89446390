import type { Draft } from '../draft.ts'

/**
 * The states of a draft for undo and redo. `past` ends with the newest state, `future` begins with the next one. `tag`
 * is that of the last change, or null.
 */
export type History = { past: Draft[]; present: Draft; future: Draft[]; tag: string | null }
type Move =
  | { kind: 'change'; change: (draft: Draft) => Draft; tag: string | null }
  | { kind: 'undo' | 'redo' }
  | { kind: 'begin'; draft: Draft }

const MAX_STEPS_BACK = 100

/**
 * Returns the history after a change, an undo or a redo, or a new history that begins with another draft. Consecutive
 * changes of one field share a tag and are undone together.
 */
export function applyMove(history: History, move: Move): History {
  const { past, present, future, tag } = history
  switch (move.kind) {
    case 'change': {
      const next = move.change(present)
      if (next === present) return history
      const isOfLast = move.tag !== null && move.tag === tag
      return {
        past: isOfLast ? past : [...past, present].slice(-MAX_STEPS_BACK),
        present: next,
        future: [],
        tag: move.tag,
      }
    }
    case 'undo': {
      const before = past.at(-1)
      if (!before) return history
      return { past: past.slice(0, -1), present: before, future: [present, ...future], tag: null }
    }
    case 'redo': {
      const [after, ...later] = future
      if (!after) return history
      return { past: [...past, present], present: after, future: later, tag: null }
    }
    case 'begin':
      return newHistory(move.draft)
  }
}

/** Returns a history with only a first draft, without anything to undo. */
export function newHistory(present: Draft): History {
  return { past: [], present, future: [], tag: null }
}

/**
 * Returns whether the draft has to be saved: it is another object than the saved one, or a save is in flight. That save
 * may store a draft that has been undone since, so any draft has to follow it.
 */
export function isToSave(
  draft: Draft,
  { saved, isOneInFlight }: { saved: Draft | null; isOneInFlight: boolean },
): boolean {
  return isOneInFlight || draft !== saved
}
