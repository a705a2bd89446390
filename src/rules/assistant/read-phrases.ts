/**
 * Splits a customer's text into known phrases, the longest at each position, and unknown words. Words are compared
 * folded, with repeated letters ignored.
 */
import { foldText } from '../text/fold-text.ts'

/** A known phrase, or one unknown word or sign. */
export type Piece<Role extends string> = {
  role: Role | 'unknown'
  words: string
  /** The number of clause-ending marks before the piece; pieces with equal numbers are in one clause. */
  clause: number
}

/** The pieces of a text, in order. */
export type Clauses<Role extends string> = {
  pieces: Piece<Role>[]
  /** The numbers of the clauses that are questions. */
  asking: ReadonlySet<number>
}

/** Splits a text into known phrases and unknown words. */
export type PhraseReader<Role extends string> = (text: string) => Clauses<Role>

/**
 * Creates a function that splits a text into known phrases, each with its role, and other words. `lists` has the
 * phrases of each role, in lines separated by `|`. `after` names roles whose phrases count only after a piece that
 * `takes` accepts, and then take precedence.
 */
export function createPhraseReader<Role extends string>(
  lists: Readonly<Record<Role, readonly string[]>>,
  after?: { roles: readonly Role[]; takes: (before: Piece<Role>) => boolean },
): PhraseReader<Role> {
  const usual = new Map<string, Role>()
  const behind = new Map<string, Role>()
  const drawnOut = new Map<string, string[]>()
  const known = new Set<string>()
  let longest = 1
  for (const [role, lines] of Object.entries(lists) as [Role, readonly string[]][]) {
    for (const phrase of lines.flatMap((line) => line.split('|'))) {
      const words = signsOf(phrase).flatMap((sign) => (sign.kind === 'word' ? sign.word : []))
      const into = after?.roles.includes(role) ? behind : usual
      const key = words.join(' ')
      if (!into.has(key)) into.set(key, role)
      longest = Math.max(longest, words.length)
      for (const word of words) known.add(word)
    }
  }
  for (const word of known) {
    drawnOut.set(squeeze(word), [...(drawnOut.get(squeeze(word)) ?? []), word])
  }

  /** Returns the known word that this word is, apart from repeated letters. */
  function plain(word: string): string {
    if (known.has(word)) return word
    const habit = HABITS_OF_WORDS.map((change) => change(word)).find((one) => known.has(one))
    if (habit !== undefined) return habit
    const may = drawnOut.get(squeeze(word)) ?? []
    return may.find((one) => isDrawnOutOf(word, one)) ?? word
  }

  return (text) => {
    const signs = signsOf(text)
    const asking = new Set<number>()
    const pieces: Piece<Role>[] = []
    const words = signs.map((sign) => (sign.kind === 'word' ? plain(sign.word) : null))
    let clause = 0
    for (let at = 0; at < signs.length;) {
      const sign = signs[at]!
      if (sign.kind !== 'word') {
        if (sign.kind === 'asks') asking.add(clause)
        if (sign.kind === 'strange') pieces.push({ role: 'unknown', words: '', clause })
        else clause++
        at++
        continue
      }
      const before = pieces.at(-1)
      const isBehind = before?.clause === clause && after?.takes(before) === true
      const found = longestPhrase(words, at, isBehind ? [behind, usual] : [usual])
      pieces.push({ role: found.role ?? 'unknown', words: found.words, clause })
      at += found.length
    }
    return { pieces, asking }
  }

  function longestPhrase(words: readonly (string | null)[], at: number, maps: Map<string, Role>[]) {
    for (const map of maps) {
      for (let length = Math.min(longest, words.length - at); length > 0; length--) {
        const some = words.slice(at, at + length)
        if (some.includes(null)) continue
        const role = map.get(some.join(' '))
        if (role !== undefined) return { role, words: some.join(' '), length }
      }
    }
    return { role: null, words: words[at]!, length: 1 }
  }
}

type Sign = { kind: 'word'; word: string } | { kind: 'ends' | 'asks' | 'strange' }

const FRIENDLY = /(?<![^\s\p{L}\p{P}])(?:[:;=]-?[)d]|\(-?[:;=]|<3|\^_?\^)(?!\p{L})/gu
const APOSTROPHE = /(?<=\p{L})['’‘`´ʼ](?=\p{L})/gu
const SKIN = /\p{Emoji_Modifier}/gu
/** Letters that keyboards and habits confuse, each with one substitute. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [/ؤ/g, 'و'],
  [/ئ/g, 'ي'],
  [/ء/g, ''],
  [/[ڪکگ]/g, 'ك'],
  [/ھ/g, 'ه'],
]
/** Alternative spellings of a word: digits for letters, and an ending that sounds the same. */
const HABITS_OF_WORDS: readonly ((word: string) => string)[] = [
  (word) => word.replace(/6/g, 't').replace(/5/g, 'kh').replace(/8/g, 'gh'),
  (word) => word.replace(/(?<=\p{L}{2})ا$/u, 'ه'),
  (word) => word.replace(/(?<=\p{L}{2})ه$/u, 'ا'),
]

const SIGN =
  /([\p{L}\p{M}\p{N}]+)|([?؟❓❔])|([.!,،؛;:\n…❗❕])|([\s"'“”„‘’«»()~*_–—-]+)|(\p{Extended_Pictographic})|(.)/gsu

function signsOf(text: string): Sign[] {
  // Line breaks end clauses, so the text is split before folding turns them into spaces.
  const lines = text.split(/[\r\n]+/).map((line) => {
    let folded = foldText(line).replace(FRIENDLY, ' ').replace(APOSTROPHE, '').replace(SKIN, '')
    for (const [letters, letter] of HABITS) folded = folded.replace(letters, letter)
    return folded
  })
  const signs: Sign[] = []
  for (const found of lines.join('\n').matchAll(SIGN)) {
    const [, word, asks, ends, space, picture] = found
    if (word !== undefined) signs.push({ kind: 'word', word })
    else if (asks !== undefined) signs.push({ kind: 'asks' })
    else if (ends !== undefined) signs.push({ kind: 'ends' })
    else if (picture !== undefined) signs.push({ kind: 'word', word: picture })
    else if (space === undefined) signs.push({ kind: 'strange' })
  }
  return signs
}

const squeeze = (word: string): string => word.replace(/(\p{L})\1+/gu, '$1')

/** Returns whether a word has the letters of another, each repeated at least as often. */
function isDrawnOutOf(word: string, plain: string): boolean {
  let at = 0
  for (const [run] of plain.matchAll(/(.)\1*/gsu)) {
    const letter = [...run][0]!
    let drawn = 0
    while (word.startsWith(letter, at)) {
      at += letter.length
      drawn += letter.length
    }
    if (drawn < run.length) return false
  }
  return at === word.length
}
