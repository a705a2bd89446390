/** The clipboard of the tab: the steps that were copied last, which can be pasted into another flow too. */
import type { Stretch } from '../draft/edit.ts'

const STORED_UNDER = 'wasla.copied-steps'

/** Stores copied steps for this tab of the browser. */
export function keepCopied(stretch: Stretch): void {
  sessionStorage.setItem(STORED_UNDER, JSON.stringify(stretch))
}

/** Returns the steps that were copied last in this tab, or null. */
export function readCopied(): Stretch | null {
  const text = sessionStorage.getItem(STORED_UNDER)
  return text === null ? null : (JSON.parse(text) as Stretch)
}
