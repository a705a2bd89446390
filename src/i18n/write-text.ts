import type { Language } from '../core/vocabulary/hooks.ts'
import { COMMA } from '../core/words/comma.ts'
import type { Entry, Inserted, Say, Table, Words } from '../core/words/define-words.ts'
import { formOf, piecesOf, type Piece } from '../core/words/pieces-of.ts'
import { inArabic, inEnglish, moment, quotedInArabic, quotedInEnglish } from './isolate.ts'
import { TERMS } from './terms.ts'

type Term<In extends Language> = keyof (typeof TERMS)[In] & string

/**
 * The formats of a value in a text: a term of `terms.ts`, such as a number with what it counts. `plain` numbers have no
 * separators, `after` is the form after an Arabic preposition, `unchanged` texts are sentences of this service, and
 * `quoted` and `or` are for lists.
 */
export type Format<In extends Language = Language> =
  | Term<In>
  | `${'plain' | 'after'} ${Term<In>}`
  | `${Term<In> | 'quoted'} or`
  | 'plain'
  | 'quoted'
  | 'or'
  | 'utc'
  | 'megabytes'
  | 'unchanged'

type Values = Readonly<Record<string, unknown>>

/** Returns a function that returns the texts of a dictionary in a language: `say('sent_to', { n: 3 })`. */
export function sayIn<En extends Table>(
  words: Words<En>,
  language: Language,
): Say<En, Inserted | readonly string[]> {
  return (key: keyof En, values: Values = {}) => writeText(words[language][key], language, values)
}

/**
 * Returns a text with its values. Texts of people are isolated, so that they change no other text's direction; numbers
 * have Latin digits.
 */
export function writeText(entry: Entry, language: Language, values: Values): string {
  return piecesOf(entry, language, values)
    .map((piece) => writePiece(piece, language, values))
    .join('')
}

function writePiece(piece: Piece, language: Language, values: Values): string {
  if (typeof piece === 'string') return piece
  if ('name' in piece) return writeValue(values[piece.name], piece.format ?? '', language)
  const text = piece.isolated.map((part) => writePiece(part, language, values)).join('')
  return isolateIn(language, text)
}

/** Returns a text of a person for a sentence: without marks that change directions, and isolated where necessary. */
export const isolateIn = (language: Language, text: string): string =>
  language === 'ar' ? inArabic(text) : inEnglish(text)

function writeValue(value: unknown, format: string, language: Language): string {
  if (!Array.isArray(value)) return writeOne(value, format, language)
  const separator = AS_CHOICE.test(format) ? OR[language] : COMMA[language]
  const each = format.replace(AS_CHOICE, '')
  return value.map((item) => writeOne(item, each, language)).join(separator)
}

const AS_CHOICE = /(?:^| )or$/
const OR: Record<Language, string> = { en: ' or ', ar: ' أو ' }

function writeOne(value: unknown, format: string, language: Language): string {
  const text =
    typeof value === 'number'
      ? value.toLocaleString('en')
      : typeof value === 'string' || typeof value === 'boolean'
        ? String(value)
        : ''
  switch (format) {
    case '':
      return typeof value === 'number' ? text : isolateIn(language, text)
    case 'unchanged':
      return text
    case 'plain':
      return String(value)
    case 'quoted':
      return language === 'ar' ? quotedInArabic(text) : quotedInEnglish(text)
    case 'utc':
      return isolateIn(language, moment(text))
    case 'megabytes':
      return isolateIn(language, megabytes(Number(value)))
    default:
      return writeTerm(value, format, language)
  }
}

const MEGABYTE = 1_048_576

const megabytes = (bytes: number): string =>
  `${(Math.round((bytes / MEGABYTE) * 10) / 10).toLocaleString('en')} MB`

function writeTerm(value: unknown, format: string, language: Language): string {
  const term = format.replace(/^(?:plain|after) /, '') as Term<Language>
  const forms: Readonly<Record<string, string>> = TERMS[language][term]
  const after = format.startsWith('after ') && value === 2 ? forms['after_two'] : undefined
  const text = after ?? formOf(forms, language, value)
  const number = format.startsWith('plain ') ? 'plain' : ''
  return text.replace('{n}', () => writeOne(value, number, language))
}
