import type { Language } from '../vocabulary/hooks.ts'
import type { Entry, Forms, WithForms } from './define-words.ts'

/** A part of a text: words, a value to insert, or parts that are isolated together. */
export type Piece =
  | string
  | { readonly name: string; readonly format: string | undefined }
  | { readonly isolated: readonly Piece[] }

const PLURALS = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }
const SLOT = /`([^`]+)`|\{\{\{(\w+)\}\}\}|\{\{[\w.]+\}\}|\{(\w+)(?:, ([\w ]+))?\}/g

/** Returns the parts of a dictionary's entry in their order. `values` choose its forms. */
export function piecesOf(
  entry: Entry,
  language: Language,
  values: Readonly<Record<string, unknown>>,
): Piece[] {
  if (typeof entry === 'string') return split(entry)
  if (isWithForms(entry)) return chosen(entry.text, entry.forms, language, values)
  return split(formOf(entry, language, values['n'] ?? 0))
}

function isWithForms(entry: Exclude<Entry, string>): entry is WithForms {
  return 'forms' in entry
}

/** Puts the form of a value in its place. Inside of the form, the name of the value stands for the value itself. */
function chosen(
  text: string,
  forms: WithForms['forms'],
  language: Language,
  values: Readonly<Record<string, unknown>>,
): Piece[] {
  return split(text).flatMap((piece) => {
    if (typeof piece === 'string' || !('name' in piece)) return [piece]
    const { [piece.name]: own, ...others } = forms
    if (own === undefined) return [piece]
    return chosen(formOf(own, language, values[piece.name]), others, language, values)
  })
}

/** Returns the form of a value: of the value itself, of its plural form, or `other`. A list counts its items. */
export function formOf(forms: Forms, language: Language, value: unknown): string {
  const counted = Array.isArray(value) ? value.length : value
  const plural = typeof counted === 'number' ? PLURALS[language].select(counted) : 'other'
  // A value may be a name such as `constructor`, which every object inherits.
  const own = [String(counted), plural, 'other'].find((form) => Object.hasOwn(forms, form))
  return own === undefined ? '' : (forms[own] ?? '')
}

function split(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(SLOT)) {
    const [whole, isolated, inBraces, name = inBraces, format] = match
    pieces.push(text.slice(end, match.index))
    if (isolated !== undefined) pieces.push({ isolated: split(isolated) })
    else if (inBraces !== undefined) pieces.push('{{', { name: inBraces, format: undefined }, '}}')
    else pieces.push(name === undefined ? whole : { name, format })
    end = match.index + whole.length
  }
  pieces.push(text.slice(end))
  return pieces.filter((piece) => piece !== '')
}
