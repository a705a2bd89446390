/** The clipboard of the tab: the steps that were copied last, which can be pasted into another flow too. */
import type { Stretch } from '../draft/edit.ts'

const STORED_UNDER = 'wasla.copied-steps'

export function keepCopied(stretch: Stretch): void {
  sessionStorage.setItem(STORED_UNDER, JSON.stringify(stretch))
}

export function readCopied(): Stretch | null {
  const text = sessionStorage.getItem(STORED_UNDER)
  return text === null ? null : (JSON.parse(text) as Stretch)
}
