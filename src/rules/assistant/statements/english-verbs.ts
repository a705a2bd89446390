/** Reads English words for acts: their tense, and the kinds of acts that they claim. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  ADVERBS,
  GOES_AHEAD,
  DEED_BEGINNINGS,
  IRREGULAR,
  THING_KINDS,
  THINGS,
  VERB_KINDS,
} from '../../../core/vocabulary/statements/english.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'

const NO_PAST =
  wordSet(`need indeed hundred kindred red bed feed speed seed weed shed sled naked limited embed breed
  exceed proceed succeed`)

/** Returns whether a word is the past or the participle of a verb. */
export function isPast(word: string | undefined): word is string {
  if (word === undefined) return false
  return IRREGULAR.has(word) || (word.length > 3 && word.endsWith('ed') && !NO_PAST.has(word))
}

/** Beginnings by their first letters, so that a word is compared with few. */
function beginnings<Value>(rows: readonly (readonly [string, Value])[]) {
  const byLetters = new Map<string, [string, Value][]>()
  for (const [beginning, value] of rows) {
    const key = beginning.slice(0, 2)
    byLetters.set(key, [...(byLetters.get(key) ?? []), [beginning, value]])
  }
  return (word: string): Value | undefined =>
    byLetters.get(word.slice(0, 2))?.find(([beginning]) => word.startsWith(beginning))?.[1]
}

const kindOfVerb = beginnings(
  VERB_KINDS.flatMap(([list, kinds]) => list.split(' ').map((one) => [one, kinds] as const)),
)
const isDeedBeginning = beginnings(DEED_BEGINNINGS.map((one) => [one, true] as const))

/** Returns whether a verb, in any form, is an act for a customer. */
export const isDeed = (word: string): boolean => isDeedBeginning(word) === true

const KIND_OF_THING: ReadonlyMap<string, readonly ClaimKind[]> = new Map(
  THING_KINDS.flatMap(([list, kinds]) => list.split(' ').map((one) => [one, kinds] as const)),
)

/** Returns the kinds of acts that a verb and the other words of its clause claim. */
export function kindsOf(verb: string, words: readonly string[]): readonly ClaimKind[] {
  if (verb === 'called' && words.includes('off')) return ['cancels']
  const ofVerb = kindOfVerb(verb)
  // "I paid it back", "took off the list": the verb alone says little.
  if (verb === 'paid' && words.includes('back')) return ['refunds']
  if (ofVerb) return ofVerb
  const ofThings = words.flatMap((word) => KIND_OF_THING.get(word) ?? [])
  return ofThings.length > 0 ? [...new Set(ofThings)] : ['other']
}

/** Returns whether an English word names an object of trade, such as an order or a refund. */
export const isThing = (word: string): boolean => THINGS.has(word)

const AHEAD = GOES_AHEAD.map((phrase) => phrase.split(' '))

/** Returns the index after adverbs and "gone ahead and". */
export function behindAdverbs(words: readonly string[], at: number): number {
  let place = at
  while (place < words.length) {
    const word = words[place]!
    const ahead = AHEAD.find((phrase) => phrase.every((one, nth) => words[place + nth] === one))
    const isAdverb = ADVERBS.has(word) || (word.length > 5 && word.endsWith('ly'))
    if (!ahead && !isAdverb) break
    place += ahead?.length ?? 1
  }
  return place
}
