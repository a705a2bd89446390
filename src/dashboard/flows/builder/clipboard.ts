/** The clipboard of the tab: the steps that were copied last, which can be pasted into another flow too. */
import type { CopiedSteps } from '../draft/edit.ts'

const STORED_UNDER = 'wasla.copied-steps'

/** Stores copied steps for this tab of the browser. */
export function storeCopiedSteps(copied: CopiedSteps): void {
  sessionStorage.setItem(STORED_UNDER, JSON.stringify(copied))
}

/** Returns the steps that were copied last in this tab, or null. */
export function readCopiedSteps(): CopiedSteps | null {
  const text = sessionStorage.getItem(STORED_UNDER)
  return text === null ? null : (JSON.parse(text) as CopiedSteps)
}
