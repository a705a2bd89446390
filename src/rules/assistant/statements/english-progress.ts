/**
 * Finds English claims of an act that is in progress or follows immediately: "I'll cancel it right away", "Booking you
 * in".
 */
import { phraseList, wordSet } from '../../../core/vocabulary/word-set.ts'
import { CONDITIONS, DENIALS } from '../../../core/vocabulary/statements/english.ts'
import { behindAdverbs, isDeed, isThing, kindsOf } from './english-verbs.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const AT_ONCE = phraseList(
  'right away | right now | straight away | at once | this minute | this moment | this second | as we speak',
)
const NOW = new Set(['now', 'immediately', 'instantly', 'asap', 'rn'])
const OBJECTS = new Set(['it', 'you', 'that', 'this', 'them', 'your', 'both', 'everything'])
const OPENERS =
  wordSet(`ok okay great perfect sure yes alright good so and just a one moment second sec minute
  please`)
const HAS_VERB =
  wordSet(`is are was were has have had will would can could do does did takes take costs cost needs
  need must works saves helps i we they he she`)

/**
 * Returns the act that a clause says to be in progress; null when it has none. `isAsked` means that the sentence has
 * requested an answer before, so that a future act depends on it.
 */
export function readEnglishProgress(words: Words, isAsked: boolean): Found | null {
  if (words.some((word) => CONDITIONS.has(word) || DENIALS.has(word))) return null
  return whileAt(words) ?? letMeAt(words) ?? (isAsked ? null : soonAt(words)) ?? goingOn(words)
}

const isAtOnce = (words: Words): boolean => {
  const text = ` ${words.join(' ')} `
  return words.some((word) => NOW.has(word)) || AT_ONCE.some((one) => text.includes(` ${one} `))
}

const hasObject = (behind: Words) =>
  behind.slice(0, 5).some((word) => OBJECTS.has(word) || isThing(word))

const now = (verb: string, words: Words): Found => ({
  form: 'now',
  kinds: kindsOf(verb, words),
  word: verb,
})

/** "… while I book this". */
function whileAt(words: Words): Found | null {
  const at = words.indexOf('while')
  if (at === -1 || (words[at + 1] !== 'i' && words[at + 1] !== 'we')) return null
  const verb = words[behindAdverbs(words, at + 2)] ?? ''
  return isDeed(verb) && hasObject(words.slice(at + 3)) ? now(verb, words) : null
}

/** "Let me cancel that for you right now". */
function letMeAt(words: Words): Found | null {
  const at = words.indexOf('let')
  if (at === -1 || words[at + 1] !== 'me' || !isAtOnce(words)) return null
  const verb = words[behindAdverbs(words, at + 2)] ?? ''
  return isDeed(verb) && hasObject(words.slice(at + 3)) ? now(verb, words) : null
}

/** "I will cancel it right away". */
function soonAt(words: Words): Found | null {
  const at = words.findIndex(
    (word, place) =>
      (word === 'i' || word === 'we') && ['will', 'am', 'are'].includes(words[place + 1] ?? ''),
  )
  if (at === -1 || !isAtOnce(words)) return null
  let place = behindAdverbs(words, at + 2)
  if (words[place] === 'going' && words[place + 1] === 'to') place = behindAdverbs(words, place + 2)
  const verb = words[place] ?? ''
  return isDeed(verb) && hasObject(words.slice(place + 1)) ? now(verb, words) : null
}

/** "Cancelling it now", "Booking you in": "Cancelling your order is free" is a rule. */
function goingOn(words: Words): Found | null {
  let at = behindAdverbs(words, 0)
  while (OPENERS.has(words[at] ?? '')) at = behindAdverbs(words, at + 1)
  const verb = words[at] ?? ''
  const behind = words.slice(at + 1)
  if (!verb.endsWith('ing') || !isDeed(verb) || behind.some((word) => HAS_VERB.has(word)))
    return null
  const isShort = behind.length <= 3 && OBJECTS.has(behind[0] ?? '') && behind[0] !== 'your'
  return isShort || (isAtOnce(words) && hasObject(behind)) ? now(verb, words) : null
}
