/**
 * Removes the words that name the proposal after a word of agreement or refusal: "I agree to change the address"
 * becomes "I agree". Words for anything else stay and are read as such.
 *
 * Spec: Assistant › Agreement.
 */
import {
  ACT_FAMILIES,
  ACT_JOINS,
  AGREES_TO,
  CANCELLED_OBJECTS,
} from '../../core/vocabulary/agreement-acts.ts'
import { foldText, wordsOf } from '../text/fold-text.ts'

/** The words that may name a proposal, folded: verbs in `acts`, all others in `others`. */
export type ActWords = { acts: ReadonlySet<string>; others: ReadonlySet<string> }

const FAMILIES = ACT_FAMILIES.map((line) => line.split(' ').flatMap((word) => [word, plain(word)]))

/** Returns the words of a confirmation text, in any language, with the other forms of its verbs. */
export function actWordsOf(stated: string, isCancelling: boolean): ActWords {
  const words = wordsOf(foldText(stated)).map(plain)
  const named = FAMILIES.filter((family) => family.some((word) => words.includes(word)))
  const acts = new Set([...named, ...(isCancelling ? [FAMILIES[0]!] : [])].flat())
  const things = isCancelling ? CANCELLED_OBJECTS.split(' ').map(plain) : []
  return { acts, others: new Set([...words, ...things]) }
}

/** Returns a word without its article and affixes, and with one letter for pairs that writers confuse. */
function plain(word: string): string {
  return word
    .replace(/ؤ/g, 'و')
    .replace(/ئ/g, 'ي')
    .replace(/^(?:ال|بال|لل|عال)(?=\p{L}{3})/u, '')
    .replace(/(?<=\p{L}{3})(?:ي|ك)$/u, '')
}

const JOINS = new Set(ACT_JOINS.split(' '))
const AGREES = new Set(
  AGREES_TO.split(' ').map((word) => foldText(word).replace(/ؤ/g, 'و').replace(/ئ/g, 'ي')),
)
const TOKEN = /[\p{L}\p{M}\p{N}'’]+|[^\p{L}\p{M}\p{N}'’]+/gu
const WORD = /^[\p{L}\p{M}\p{N}'’]/u

/**
 * Returns a customer's text without the words that name the proposed act after an agreement: "yes cancel my order"
 * becomes "yes".
 */
export function withoutNamedAct(text: string, { acts, others }: ActWords): string {
  const tokens = text.match(TOKEN) ?? []
  const folded = tokens.map((token) =>
    WORD.test(token) ? foldText(token).replace(/ؤ/g, 'و').replace(/ئ/g, 'ي') : null,
  )
  const kept: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    kept.push(tokens[at]!)
    const word = folded[at] ?? ''
    if (!AGREES.has(word)) continue
    const end = endOfRun(tokens, folded, at + 1, acts, others)
    if (end !== null) {
      kept.push(' ')
      at = end - 1
    }
  }
  return kept.join('')
}

/** Returns the index after the words that name the act; null when they do not name it. */
function endOfRun(
  tokens: readonly string[],
  folded: readonly (string | null)[],
  from: number,
  acts: ReadonlySet<string>,
  others: ReadonlySet<string>,
): number | null {
  let isNamed = false
  let end = from
  for (let at = from; at < folded.length; at++) {
    const word = folded[at]
    // Words after a punctuation mark are a separate wish: "I agree, change the address".
    if (word === null || word === undefined) {
      if (/\S/u.test(tokens[at]!)) break
      continue
    }
    const isAct = acts.has(word) || acts.has(plain(word))
    if (!isAct && !JOINS.has(word) && !others.has(word) && !others.has(plain(word))) break
    isNamed ||= isAct
    end = at + 1
  }
  return isNamed ? end : null
}
