/**
 * Reads what customers ask to have done, by the forms of words: cancel, book, refund, change. A question about it ("how
 * do I cancel?", "what is your refund policy?") is no request. Time is linear in the length of the text.
 *
 * Spec: Assistant › Texts that are never sent.
 */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { DENIALS as DENIALS_AR } from '../../../core/vocabulary/statements/arabic.ts'
import { DENIALS } from '../../../core/vocabulary/statements/english.ts'
import {
  POLITE,
  REQUEST_ARABIC,
  REQUEST_KINDS,
  REQUEST_THINGS,
  REQUEST_VERBS,
  WANTS_TO_KNOW,
  WISHED_ARABIC,
  WISHES,
  type RequestKind,
} from '../../../core/vocabulary/statements/requests.ts'
import { readSentences } from './clauses.ts'

type Words = readonly string[]

/** Longer messages are read only at their beginning and end, where stories have their request. */
const MAX_CHARS = 1_000

/** Returns the kinds of deeds that a message asks for. */
export function readRequests(text: string): RequestKind[] {
  const short =
    text.length > 2 * MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n${text.slice(-MAX_CHARS)}` : text
  const clauses = readSentences(short).flatMap((sentence) => sentence.clauses)
  const asked = new Set(clauses.map(({ words }) => askedIn(withoutPolite(words))))
  return REQUEST_KINDS.filter((kind) => asked.has(kind))
}

/** Words within which a wish has its verb: "I would like you to please cancel". */
const NEAR = 6

function askedIn(words: Words): RequestKind | null {
  const [first, second = ''] = words
  if (first === undefined || ASKS_ABOUT.has(first)) return null
  const ordered = orderIn(words)
  if (ordered) return ordered
  const wish = words.findIndex((word, at) => WISHES.has(word) || isWouldLike(words, at))
  if (wish !== -1 && !isDenied(words, wish)) {
    const wished = wishedIn(words.slice(wish + 1, wish + 1 + NEAR))
    if (wished) return wished
  }
  const mayBe = (MAY.has(first) && OF_TALK.has(second)) || first === 'هل'
  if (mayBe && words.some((word) => THEIRS.has(word))) return wishedIn(words.slice(1, 2 + NEAR))
  return ofMine(words)
}

const isWouldLike = (words: Words, at: number) =>
  ['like', 'prefer'].includes(words[at]!) && words[at - 1] === 'would'

/** Words of questions about procedures and offers. */
const ASKS_ABOUT =
  wordSet(`how what when where why which who whose do does did is are was were has have had if kam كيف
  متي كم ليش ليه وين فين شو وش ايش لماذا`)
/** "Can I change my address?", "could you cancel it?" */
const MAY = new Set(['can', 'could', 'would', 'will', 'may', 'shall'])
const OF_TALK = new Set(['i', 'we', 'you', 'u', 'someone', 'anyone'])
const THEIRS =
  wordSet(`my it this that me mine our us them order طلبي موعدي حجزي عنواني مبلغي فلوسي اشتراكي مقاسي
  رقمي طلبيتي`)

const withoutPolite = (words: Words): Words => {
  const from = words.findIndex((word) => !POLITE.has(word))
  return from === -1 ? [] : words.slice(from)
}

/** "Cancel my order", "refund please", "give me my money back", «ألغوا الطلب». */
function orderIn(words: Words): RequestKind | null {
  const [first = '', second = ''] = words
  if (second === 'policy' || second === 'and') return null
  if (first === 'غير' && !/^ال|ي$/u.test(second)) return null
  if (first === 'رجع') return ['لي', 'لنا', 'فلوسي', 'مصاري'].includes(second) ? 'refunds' : null
  const kind = kindOf(
    (one) =>
      REQUEST_VERBS[one].has(first) ||
      (REQUEST_THINGS[one].has(first) && (words.length === 1 || POLITE.has(second))) ||
      REQUEST_ARABIC[one].test(first),
  )
  return kind ?? (GIVES.has(first) ? wishedIn(words.slice(1, 1 + NEAR)) : null)
}

const GIVES = new Set(['give', 'get', 'send', 'help', 'let', 'make'])

/** Returns the kind of the first verb or object of a wish, or of the money back; null when there is none. */
function wishedIn(behind: Words): RequestKind | null {
  for (const [at, word] of behind.entries()) {
    if (WANTS_TO_KNOW.has(word)) return null
    if (isDenied(behind, at)) continue
    if (word === 'money' && behind.includes('back')) return 'refunds'
    const kind = kindOf(
      (one) =>
        REQUEST_VERBS[one].has(word) ||
        REQUEST_THINGS[one].has(word) ||
        WISHED_ARABIC[one].test(word),
    )
    if (kind) return kind
  }
  return null
}

/** "I said cancel my order." */
function ofMine(words: Words): RequestKind | null {
  const at = words.indexOf('my')
  if (at < 1 || isDenied(words, at) || words.slice(0, at).some((word) => WANTS_TO_KNOW.has(word)))
    return null
  return kindOf((one) => REQUEST_VERBS[one].has(words[at - 1]!))
}

const kindOf = (is: (kind: RequestKind) => boolean): RequestKind | null =>
  REQUEST_KINDS.find(is) ?? null

const isDenied = (words: Words, at: number): boolean =>
  words.slice(Math.max(0, at - 3), at).some((word) => DENIALS.has(word) || DENIALS_AR.has(word))
