/**
 * Whether a text says that something was done for the customer: cancelled, booked, changed. Questions,
 * offers, refusals and what is usual are no claims.
 */
import {
  ALL_DONE,
  BECAME_ARABIC,
  CLAIM_KINDS,
  CONDITION_ENGLISH,
  DID_ARABIC,
  DONE_ARABIC,
  DOINGS_ENGLISH,
  DONE_ENGLISH,
  THINGS_ARABIC,
  THINGS_ENGLISH,
  UNDONE_ARABIC,
  UNDONE_ENGLISH,
  USUAL_ENGLISH,
  type ClaimKind,
} from '../../vocabulary/done-claims.ts'
import { foldText } from '../text/fold-text.ts'

/** A sentence, and the mark behind it. */
const SENTENCE = /([^.!?؟\n؛]+)([.!?؟\n؛]*)/gu

/** That something was done: by whoever writes, or as the state of a thing. */
export type Claim = { kind: ClaimKind; isOwn: boolean }

/** What a text claims to have been done, of each kind once; its own deed where it says both. */
export function readClaims(text: string): Claim[] {
  const claims = new Map<ClaimKind, Claim>()
  for (const line of text.split(/\n+/)) {
    const folded = fold(line)
    for (const [, sentence = '', mark = ''] of folded.matchAll(SENTENCE)) {
      if (/[?؟]/.test(mark)) continue
      for (const kind of CLAIM_KINDS) {
        const isOwn = isClaimed(sentence, OWN[kind]) || (kind === 'other' && ALL.test(sentence))
        const isState = !isOwn && isClaimed(sentence, STATE[kind])
        if (isOwn || (isState && !claims.has(kind))) claims.set(kind, { kind, isOwn })
      }
    }
  }
  return [...claims.values()]
}

/** Whether a text names what may have been done, whoever did it and whenever: "Status: cancelled". */
export function namesDeed(text: string, kind: ClaimKind): boolean {
  return NAMES[kind].test(fold(text))
}

const fold = (text: string): string =>
  foldText(text)
    .replace(/[’‘`]/g, "'")
    .replace(/ؤ/g, 'و')
    .replace(/ئ/g, 'ي')

const UNDONE_EN = wordOf(UNDONE_ENGLISH)
const CONDITION_EN = wordOf(CONDITION_ENGLISH)
const UNDONE_AR = wordOf(`و?(?:${UNDONE_ARABIC})`)
const ADVERBS = `(?:(?:now|just|already|successfully|also|hereby|all|gone ahead and|went ahead and|been able to) )*`
const ALL = new RegExp(`^\\s*(?:${ALL_DONE})\\s*$`, 'u')

type Patterns = { english: readonly RegExp[]; arabic: readonly RegExp[] }

function isClaimed(sentence: string, { english, arabic }: Patterns): boolean {
  return (
    english.some((pattern) => {
      const before = upToEnd(sentence, pattern)
      if (before === null || new RegExp(CONDITION_EN, 'u').test(before)) return false
      // "No problem, your order is cancelled."
      return !new RegExp(UNDONE_EN, 'u').test(before.slice(before.lastIndexOf(',') + 1))
    }) ||
    arabic.some((pattern) => {
      const found = pattern.exec(sentence)
      if (!found) return false
      const words = sentence.slice(0, found.index).split(/[،,]/u).at(-1)!.trim().split(' ')
      const near = `${words.slice(-WORDS_BEFORE).join(' ')} ${found[0]}`
      return !new RegExp(UNDONE_AR, 'u').test(near)
    })
  )
}

/** So many words before an Arabic claim may deny it. */
const WORDS_BEFORE = 3

/** The sentence up to the end of what was found in it. */
function upToEnd(sentence: string, pattern: RegExp): string | null {
  const found = pattern.exec(sentence)
  return found && sentence.slice(0, found.index + found[0].length)
}

const doneIn = (kind: ClaimKind) =>
  `${wordOf(DONE_ENGLISH[kind])}(?! (?:${USUAL_ENGLISH})(?!\\p{L}))`

function stateEnglish(kind: ClaimKind): string[] {
  const done = doneIn(kind)
  const be = `(?:is|are|was|were|has been|have been|got) ${ADVERBS}`
  const thing = wordOf(THINGS_ENGLISH)
  return [
    // "Your order is cancelled", "it has been changed"
    `${wordOf('your')}.{0,60} ${be}${done}`,
    `${wordOf('your')}.{0,60}'s (?:been )?${ADVERBS}${done}`,
    `${wordOf('the|this|that|both|all')} (?:\\S+ ){0,3}?${thing}.{0,40} ${be}${done}`,
    `(?:${wordOf('it|that|this|everything')}|${thing}) (?:\\S*\\d\\S* )?${be}${done}`,
    `^(?:.*, )?(?:your |the )?(?:${DOINGS_ENGLISH[kind]}) (?:is |was |has been )?${ADVERBS}(?:confirmed|complete|completed|successful|issued|processed|approved)`,
  ]
}

function ownEnglish(kind: ClaimKind): string[] {
  const done = doneIn(kind)
  const thing = wordOf(THINGS_ENGLISH)
  return [
    `^\\s*${done} successfully`,
    // "I've booked you in", "we have cancelled your order"
    `${wordOf("i|i've|i have|i had")} ${ADVERBS}${done}`,
    `${wordOf("we|we've|we have")} ${ADVERBS}${done} .{0,40}(?:${wordOf('you|your|it')}|the ${thing})`,
    `${wordOf("you're|you are")} ${ADVERBS}${done}`,
    `successfully ${done}`,
  ]
}

function stateArabic(kind: ClaimKind): string[] {
  const things = wordOf(THINGS_ARABIC)
  const became = wordOf(BECAME_ARABIC[kind])
  return [
    // «تم إلغاء طلبك»
    `${wordOf('و?(?:تم|تمت)')} (?:(?:بنجاح|بالفعل|الان|عمليه|بحمد الله) )*(?:ال)?(?:${DONE_ARABIC[kind]})(?!\\p{L})`,
    // «طلبك ملغي»، «اتلغى الأوردر»
    `${things} (?:\\S+ ){0,3}?${became}`,
    `${became} ${things}`,
  ]
}

function ownArabic(kind: ClaimKind): string[] {
  const things = wordOf(THINGS_ARABIC)
  const did = `و?(?:${DID_ARABIC[kind]})(?:ت|نا)`
  return [
    // «سويت لك الحجز»
    `${wordOf('و?(?:سوي|عمل)(?:ت|نا)')} (?:لك |لكم )?(?:ال)?(?:${DONE_ARABIC[kind]})(?!\\p{L})`,
    // «لغيت لك الطلب»، «حجزتلك»
    `${wordOf(did)} (?:\\S+ ){0,2}?(?:${wordOf('لك|لكم|لكي|لج')}|${things})`,
    wordOf(`${did}(?:ه|ها|لك|لكم|هالك|هولك)`),
  ]
}

function wordOf(alternatives: string): string {
  return `(?<![\\p{L}'])(?:${alternatives})(?![\\p{L}'])`
}

function byKind<Made>(make: (kind: ClaimKind) => Made): Record<ClaimKind, Made> {
  return {
    cancelled: make('cancelled'),
    booked: make('booked'),
    refunded: make('refunded'),
    changed: make('changed'),
    other: make('other'),
  }
}

const compiled = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'u'))

function namesOf(kind: ClaimKind): RegExp {
  const arabic = `(?:ال)?(?:${DONE_ARABIC[kind]}|${BECAME_ARABIC[kind]})`
  return new RegExp(wordOf([DONE_ENGLISH[kind], DOINGS_ENGLISH[kind], arabic].join('|')), 'u')
}

const OWN = byKind((kind): Patterns => ({
  english: compiled(ownEnglish(kind)),
  arabic: compiled(ownArabic(kind)),
}))
const STATE = byKind((kind): Patterns => ({
  english: compiled(stateEnglish(kind)),
  arabic: compiled(stateArabic(kind)),
}))
const NAMES = byKind(namesOf)
