import { Fragment, useMemo, type ReactNode } from 'react'
import type { Digits } from '../../core/vocabulary/accounts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { Inserted, Say, Table, Words } from '../../core/words/define-words.ts'
import { piecesOf, type Piece } from '../../core/words/pieces-of.ts'
import { useManner } from './language.ts'
import { numberFormatOf } from './locale.ts'

const FIRST_STRONG_ISOLATE = '\u2068'
const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const RIGHT_TO_LEFT_ISOLATE = '\u2067'
const POP_ISOLATE = '\u2069'

/** Returns the texts of `words` in the language of the interface. */
export function useWords<En extends Table>(words: Words<En>): Say<En> {
  const { language, digits } = useManner()
  return useMemo(() => sayIn(words, language, digits), [words, language, digits])
}

/** Returns a function that gives the text of a key in a language, with its values filled in. */
export function sayIn<En extends Table>(
  words: Words<En>,
  language: Language,
  digits: Digits = 'latin',
): Say<En> {
  return (key: keyof En, values: Readonly<Record<string, Inserted>> = {}) =>
    piecesOf(words[language][key], language, values)
      .map((piece) => write(piece, values, language, digits))
      .join('')
}

function write(
  piece: Piece,
  values: Readonly<Record<string, Inserted>>,
  language: Language,
  digits: Digits,
): string {
  if (typeof piece === 'string') return piece
  if ('name' in piece) return insert(values[piece.name], language, digits)
  const text = piece.isolated.map((part) => write(part, values, language, digits)).join('')
  return insert(text, language, digits)
}

/** A sentence with inserted elements: `<Rich words={…} say="posted_to" with={{ name: <b>…</b> }} />`. */
export function Rich<En extends Table>({
  words,
  say,
  with: drawn,
}: {
  words: Words<En>
  say: keyof En & string
  with: Readonly<Record<string, ReactNode>>
}) {
  const { language, digits } = useManner()
  return piecesOf(words[language][say], language, drawn).map((piece, at) => {
    if (typeof piece === 'string' || 'isolated' in piece) return write(piece, {}, language, digits)
    const value = drawn[piece.name]
    return (
      <Fragment key={`${piece.name}${at}`}>
        {typeof value === 'number' ? insert(value, language, digits) : <bdi>{value}</bdi>}
      </Fragment>
    )
  })
}

/**
 * Returns the mark that isolates a value. A text composed of isolated values, such as a date with its time, has no
 * strong letter outside of them; the service's own texts are the only such ones, so they take the direction of the
 * interface.
 */
function isolateFor(text: string, language: Language): string {
  if (!text.includes(FIRST_STRONG_ISOLATE)) return FIRST_STRONG_ISOLATE
  return language === 'ar' ? RIGHT_TO_LEFT_ISOLATE : LEFT_TO_RIGHT_ISOLATE
}

/** Returns a value in an isolate, so that neither the value nor the text around it changes the order of the other. */
function insert(value: Inserted | undefined, language: Language, digits: Digits): string {
  const text =
    typeof value === 'number' ? numberFormatOf(language, digits).format(value) : (value ?? '')
  return `${isolateFor(text, language)}${text}${POP_ISOLATE}`
}
