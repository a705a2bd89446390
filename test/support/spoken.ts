/** The dashboard's own texts as a browser finds them, so that one walk is made in both languages. */
import type { Entry, Words } from '../../src/core/words/define-words.ts'
import { textsOf } from './texts-of.ts'
import { localeOf } from '../../src/dashboard/words/locale.ts'
import type { Language } from '../../src/core/vocabulary/hooks.ts'

type Table = Readonly<Record<string, Entry>>
type Given = Readonly<Record<string, string | number>>

/**
 * The whole text of a key, whatever isolates surround its values: `say(flowsWords, 'deleted', { name: 'Thanks'
 * })`. A value that is not given may be any; where `n` is not given, the plural form may be any too.
 */
export type Spoken = <En extends Table>(
  words: Words<En>,
  key: keyof En & string,
  given?: Given,
) => RegExp

const ISOLATES = String.raw`[\u2066-\u2069]*`

export function spokenIn(language: Language): Spoken {
  return (words, key, given = {}) => {
    const forms = formsOf(words[language][key], language, given.n).map((text) =>
      text
        .split(/\{(\w+)\}/)
        .map((piece, at) =>
          at % 2 === 0 ? escaped(piece) : `${ISOLATES}${valueOf(given[piece])}${ISOLATES}`,
        )
        .join(''),
    )
    return new RegExp(`^(?:${forms.join('|')})$`)
  }
}

/** Returns a pattern that also finds the text inside of a longer one. */
export const within = (whole: RegExp): RegExp => new RegExp(whole.source.slice(1, -1))

function formsOf(entry: Entry, language: Language, n: string | number | undefined): string[] {
  if (typeof entry === 'string' || 'forms' in entry || typeof n !== 'number') return textsOf(entry)
  return [entry[new Intl.PluralRules(localeOf(language)).select(n)] ?? entry.other]
}

function valueOf(value: string | number | undefined): string {
  if (value === undefined) return '.+'
  // Both languages write numbers in the same digits unless a member chose others.
  return escaped(typeof value === 'number' ? new Intl.NumberFormat('en').format(value) : value)
}

const escaped = (text: string) =>
  text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`)
