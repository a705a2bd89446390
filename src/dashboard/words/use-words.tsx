import { Fragment, useMemo, type ReactNode } from 'react'
import type { Digits } from '../../core/vocabulary/accounts.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { Entry, Inserted, Say, Words } from './define-words.ts'
import { useManner } from './language.ts'
import { localeOf } from './locale.ts'

const FIRST_STRONG_ISOLATE = '\u2068'
const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const RIGHT_TO_LEFT_ISOLATE = '\u2067'
const POP_ISOLATE = '\u2069'

/** Returns the texts of `words` in the language of the interface. */
export function useWords<En extends Readonly<Record<string, Entry>>>(words: Words<En>): Say<En> {
  const { language, digits } = useManner()
  return useMemo(() => sayIn(words, language, digits), [words, language, digits])
}

/** Returns a function that gives the text of a key in a language, with its values filled in. */
export function sayIn<En extends Readonly<Record<string, Entry>>>(
  words: Words<En>,
  language: Language,
  digits: Digits = 'latin',
): Say<En> {
  return (key: keyof En, values: Readonly<Record<string, Inserted>> = {}) =>
    pick(words[language][key], language, values['n']).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      insert(values[name], language, digits),
    )
}

/** A sentence with inserted elements: `<Rich words={…} say="posted_to" with={{ name: <b>…</b> }} />`. */
export function Rich<En extends Readonly<Record<string, Entry>>>({
  words,
  say,
  with: drawn,
}: {
  words: Words<En>
  say: keyof En & string
  with: Readonly<Record<string, ReactNode>>
}) {
  const { language, digits } = useManner()
  const n = drawn['n']
  const text = pick(words[language][say], language, typeof n === 'number' ? n : undefined)
  return text.split(/\{(\w+)\}/g).map((piece, at) => {
    if (at % 2 === 0) return piece
    const value = drawn[piece]
    return (
      <Fragment key={`${piece}${at}`}>
        {typeof value === 'number' ? insert(value, language, digits) : <bdi>{value}</bdi>}
      </Fragment>
    )
  })
}

function pick(entry: Entry, language: Language, n: Inserted | undefined): string {
  if (typeof entry === 'string') return entry
  const form = new Intl.PluralRules(localeOf(language)).select(Number(n ?? 0))
  return entry[form] ?? entry.other
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
    typeof value === 'number'
      ? new Intl.NumberFormat(localeOf(language, digits)).format(value)
      : (value ?? '')
  return `${isolateFor(text, language)}${text}${POP_ISOLATE}`
}
