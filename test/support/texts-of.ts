import type { Entry } from '../../src/core/words/define-words.ts'

/** Returns every text of an entry of a dictionary: all its forms. */
export function textsOf(entry: Entry): string[] {
  if (typeof entry === 'string') return [entry]
  if (!isWithForms(entry)) return Object.values(entry)
  return [entry.text, ...Object.values(entry.forms).flatMap((forms) => Object.values(forms))]
}

type WithForms = Extract<Entry, { forms: unknown }>
const isWithForms = (entry: Exclude<Entry, string>): entry is WithForms => 'forms' in entry
