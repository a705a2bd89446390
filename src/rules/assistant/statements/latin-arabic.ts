/** Finds claims and promises in Arabic that is typed in Latin letters, by the consonants of its words. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import {
  CONDITIONS,
  CONTACT_SKELETONS,
  DENIALS,
  MARKERS,
  MILD,
  NOUN_SKELETONS,
  OTHERS,
  PASS_SKELETONS,
  SKELETONS,
  STAFF,
  STATES,
  THINGS,
  WILL,
  WITH_YOU,
  YOU_WORDS,
} from '../../../core/vocabulary/statements/latin-arabic.ts'
import { memoize } from '../../text/memoize.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const byStem = (rows: typeof SKELETONS): ReadonlyMap<string, readonly ClaimKind[]> =>
  new Map(rows.flatMap(([list, kinds]) => list.split(' ').map((stem) => [stem, kinds] as const)))
const BY_STEM = byStem(SKELETONS)
const BY_NOUN = byStem(NOUN_SKELETONS)
const BY_STATE = byStem(STATES)

/** Returns a word without vowels and with one spelling for each sound: "ghyrt" for "ghayart" and "3'ayart". */
const skeletonOf = memoize((word) =>
  word
    .replace(/3'|8/g, 'gh')
    .replace(/7'|5/g, 'kh')
    .replace(/9'/g, 'd')
    .replace(/9/g, 's')
    .replace(/6'/g, 'z')
    .replace(/6/g, 't')
    .replace(/[aeiou2'’]/g, '')
    .replace(/([a-z37])\1/g, '$1'),
)

const DIGIT_FOR_LETTER = /[a-z][235-9]|[235-9][a-z]/

const PROMISED: Found = { form: 'staff', kinds: ['other'], word: 'staff' }
const TO_YOU = /(?:[eio]?l{1,2}[aei]?k|l{1,2}[aei]?kom|l{1,2}[aei]ki|h[ao]l[ae]k)$/

const isMarker = memoize(
  (word) =>
    MARKERS.has(word) ||
    DIGIT_FOR_LETTER.test(word) ||
    /\S{3}(?:t|na)[ei]?l{1,2}[aei]k$|^[h7]a\S{3,}[ae]k$/.test(word),
)

/**
 * Returns the first claim of an act, done or in progress, or promise that a person will act, in a clause of Arabic in
 * Latin letters. The list is empty when the clause has none.
 */
export function readLatinArabic(words: Words): Found[] {
  if (!words.some(isMarker)) return []
  const hasStaff = words.some(isStaff)
  const hasCourier = words.some(isCourier)
  for (let at = 0; at < words.length; at++) {
    if (isHedged(words, at)) continue
    const found =
      informedAt(words, at) ??
      (hasCourier ? null : promisedAt(words, at, hasStaff)) ??
      doneAt(words, at) ??
      stateAt(words, at) ??
      moneyAt(words, at) ??
      becameAt(words, at) ??
      goesOn(words, at) ??
      didAt(words, at, words[at]!) ??
      didAt(words, at, words[at]!.replace(/^(?:w|we|wa|fa)(?=[a-z237]{5})/, ''))
    if (found) return [found]
  }
  return []
}

const isDenied = memoize((word) => /^ma?\S{3,}sh$/.test(word))

/** Returns whether a denial or a condition cancels a claim at a word. */
function isHedged(words: Words, at: number): boolean {
  if (words.slice(Math.max(0, at - 3), at).some((word) => DENIALS.has(word))) return true
  if (isDenied(words[at]!)) return true
  return words.slice(0, at).some((word) => CONDITIONS.has(word))
}

/** Returns whether a verb is a whole claim: "Khalas lagheito." */
const isAlone = (words: Words, at: number) =>
  at > 0 &&
  at === words.length - 1 &&
  words.slice(0, at).every((one) => ALONE_BEFORE.has(one)) &&
  /(?:t[oa]|ta?ha|nah?a?|teh)$/.test(words[at]!)
const ALONE_BEFORE = wordSet('khalas 5alas tamam tmam abshir ok ana e7na')
/** Stems of acts whose object is the customer: "sajaltak", "7awaltak". */
const YOU_WERE = new Set(['sjl', 'sgl', '7wl', 'nql'])

/** Reads a claim at a word that the writer did an act: "7ajaztlak", "ghayart lak el 3onwan". */
function didAt(words: Words, at: number, word: string): Found | null {
  if (/^\S{3,}(?:t|na)[aei]k$/.test(word) && YOU_WERE.has(skeletonOf(word).slice(0, 3))) {
    return { form: 'own', kinds: ['books', 'opens', 'changes'], word }
  }
  const toYou = TO_YOU.exec(word)?.[0]
  const verb = toYou && word.length > toYou.length + 2 ? word.slice(0, -toYou.length) : word
  const [, stem] = /^(\S{2,}?)(?:t|et|it|na|ta|nah|to|ta?ha|nah?a|teh)$/.exec(verb) ?? []
  if (stem === undefined) return null
  const kinds =
    BY_STEM.get(skeletonOf(stem)) ?? BY_STEM.get(skeletonOf(stem).replace(/^l(?=\S{3})/, ''))
  const behind = words.slice(at + 1, at + 4)
  const isForYou = toYou !== undefined && verb !== word
  const isNext = behind.slice(0, 1).some((one) => YOU_WORDS.has(one))
  const isKnown = kinds || /\d/.test(word) || isArabizi(words)
  if (isForYou && isKnown && !MILD.has(skeletonOf(stem)))
    return { form: 'own', kinds: kinds ?? ['other'], word }
  if (!kinds) {
    return isNext && !MILD.has(skeletonOf(stem)) ? { form: 'own', kinds: ['other'], word } : null
  }
  const isThing = behind.some((one) => THINGS.has(one) || /(?:a|e)[kc]$/.test(one))
  if (isAlone(words, at) || isNext || (isThing && isArabizi(words)))
    return { form: 'own', kinds, word }
  return null
}

/** Reads a claim at "tam" that the act named next is done: "tam el 7ajz". */
function doneAt(words: Words, at: number): Found | null {
  if (!['tam', 'tamm', 'tm', 'tamet', 'tammat', 'tamat'].includes(words[at]!)) return null
  const noun = ['el', 'al', 'il', 'l'].includes(words[at + 1] ?? '') ? words[at + 2] : words[at + 1]
  if (noun === undefined)
    return words
      .slice(0, at)
      .every((word) => ['tamam', 'tmam', 'khalas', '5alas', 'ok'].includes(word))
      ? { form: 'own', kinds: ['other'], word: 'tam' }
      : null
  if (noun.endsWith('na') || words.slice(at + 2, at + 4).some((word) => /\S{3}na$/.test(word)))
    return null
  const plain = noun.replace(/^(?:el|al|il)-?(?=\S{3})/, '')
  const kinds = BY_NOUN.get(skeletonOf(plain)) ?? BY_NOUN.get(skeletonOf(noun))
  const isTheirs = words
    .slice(at + 1, at + 5)
    .some((one) => THINGS.has(one) || /\S{3}[aei]k$/.test(one))
  return kinds || isTheirs ? { form: 'theirs', kinds: kinds ?? ['other'], word: plain } : null
}

/** Reads a claim about the state of the customer's order or such: "maw3edak sar youm el khamees", "7agzak mo2akkad". */
function stateAt(words: Words, at: number): Found | null {
  const word = words[at]!
  const isOfThem = (one: string) => /\S{3}[aeio]k(?:om|i)?$/.test(one) && !MARKERS.has(one)
  const near = words.slice(Math.max(0, at - 3), at)
  if (BECAME.has(word)) {
    const isMoved = near.some(isOfThem) || isOfThem(words[at + 1] ?? '')
    return isMoved && words.length > 2
      ? { form: 'theirs', kinds: ['changes', 'books'], word }
      : null
  }
  if (/^wafa?e?[2qgk]/.test(word) && words.some(isStaff))
    return { form: 'theirs', kinds: ['other'], word }
  const kinds = BY_STATE.get(skeletonOf(word))
  return kinds && near.some((one) => isOfThem(one) || THINGS.has(one))
    ? { form: 'theirs', kinds, word }
    : null
}
const BECAME = wordSet('sar sart sarat saret ba2a ba2et ba2at asba7')

/** Reads a claim at a word that an act is in progress: "ba7gezlak delwa2ty", "3am b7ejezlak". */
function goesOn(words: Words, at: number): Found | null {
  const isNow = words.some((one) => AT_ONCE.has(skeletonOf(one)))
  const [, prefixed] = /^(?:ba|be|bi|b|ha|7a|sa|3a|a|n)(\S{3,})$/.exec(words[at]!) ?? []
  const rest = words[at - 1] === '3am' ? words[at] : prefixed
  if (!isNow || rest === undefined) return null
  const skeleton = skeletonOf(rest)
  const [, stem = skeleton] = /^(\S{2,}?)l[ky]m?$/.exec(skeleton) ?? []
  const kinds = BY_STEM.get(stem)
  const isAbout =
    stem !== skeleton ||
    words.slice(at + 1, at + 4).some((one) => THINGS.has(one) || YOU_WORDS.has(one))
  return kinds && isAbout ? { form: 'now', kinds, word: words[at]! } : null
}
const AT_ONCE = wordSet('dlwty dlwt dlwqty hl hlq l7n 7ln fwrn 3m 3d q3d hs')

/** Reads a claim at a word that another party was informed: "ballaght el mandoob yegi badri". */
function informedAt(words: Words, at: number): Found | null {
  const [, stem] = /^(\S{2,5}?)(?:t|n)$/.exec(skeletonOf(words[at]!)) ?? []
  if (stem === undefined || !TOLD.has(stem)) return null
  const isNear = words.slice(at + 1, at + 5).some(isOther)
  return isNear ? { form: 'own', kinds: ['sends', 'other'], word: words[at]! } : null
}
/** Returns whether the writer instructed a person to contact the customer: "2olt lel momareda tkallemak". */
const toldToCall = (words: Words, at: number) =>
  /^(?:2olt|qolt|olt|talabt|khallet|5allet|wasseit)$/.test(words[at]!) &&
  words.slice(at + 1).some(callsYou)

const TOLD = wordSet('3rf blgh blg khbr klm l ql gl 7k 7ky kl wsy ws nbh tsl twsl')

/** Reads a claim at a word that money came back: "el floos rej3et". */
function moneyAt(words: Words, at: number): Found | null {
  if (!/^(?:floos|flous|fluus|masari|msari|mablagh|mablag|masare)/.test(words[at]!)) return null
  const isBack = words
    .slice(at + 1, at + 3)
    .some((word) =>
      /^(?:r[aei]?j[aei]?3|r[aei]?g[aei]?3|w[aei]?s[ae]?l|n[ei]?z[ei]?l)(?:et|at|it|t)?(?:lak|lek|lik|ak|ek)?$/.test(
        word,
      ),
    )
  return isBack ? { form: 'theirs', kinds: ['refunds'], word: words[at]! } : null
}

/** Reads a claim at a passive verb that an act was done to the customer's object: "el order etla3'a". */
function becameAt(words: Words, at: number): Found | null {
  const word = words[at]!
  const [, rest] = /^(?:[ei]?t|[ei]n)(\S{3,})$/.exec(word) ?? []
  if (rest === undefined || !/^[eitn]/.test(word)) return null
  const skeleton = skeletonOf(rest)
  const kinds =
    BY_STEM.get(skeleton) ??
    BY_STEM.get(skeletonOf(rest.replace(/[ae]k$/, ''))) ??
    BY_STEM.get(skeletonOf(rest.replace(/l[ae]k$/, ''))) ??
    (skeleton.endsWith('t') ? BY_STEM.get(skeleton.slice(0, -1)) : undefined)
  // "talabak et2abal": a verb that is not listed.
  const isOfThem = /\S{3}[aeio]k$/.test(words[at - 1] ?? '') && !MARKERS.has(words[at - 1]!)
  if (!kinds && isOfThem && /^(?:et|it|en|in)\S{4,}$/.test(word) && isArabizi(words))
    return { form: 'theirs', kinds: ['other'], word }
  const isArabic =
    isArabizi(words) || words.some((one) => /[2-9']/.test(one) || one.startsWith('talab'))
  if (!kinds || !isArabic) return null
  const near = [...words.slice(Math.max(0, at - 3), at), ...words.slice(at + 1, at + 4)]
  return near.some((one) => THINGS.has(one) || /\S{3}[aei]k$/.test(one))
    ? { form: 'theirs', kinds, word }
    : null
}

const isArabiziWord = memoize((word) => /[a-z]\d|\d[a-z]|^(?:el|lak|lek)$/.test(word))
const isArabizi = (words: Words) => words.some(isArabiziWord)

const withoutArticle = memoize((word) => word.replace(/^(?:el|al|l|lel|ll)-?(?=[a-z7]{3})/, ''))
const isStaff = (word: string) => STAFF.has(withoutArticle(word)) || STAFF.has(word)

/** Couriers call before a delivery, which promises nothing. */
const isCourier = (word: string) =>
  /^(?:mand?[ou]{1,2}b|sawwa?|shof[ei]{1,2}r|chauffeur|delivery|courier|driver|captain|kabten)/.test(
    withoutArticle(word),
  )

const isOther = (word: string) => OTHERS.has(withoutArticle(word)) || OTHERS.has(word)

/**
 * Reads a promise at a word that the business will answer or a person will act: "ha7awelak le 7ad", "ballaght el
 * modeer", "ra7 yetwasal ma3ak 7ada".
 */
function promisedAt(words: Words, at: number, hasStaff: boolean): Found | null {
  const word = words[at]!.replace(/^(?:we|w|wa)(?=[hbs7]a?\S{4})/, '')
  const [prefix = ''] = /^(?:ha|7a|sa|ba|bi|be|men(?=r)|min(?=r)|mn|b)(?=\S{3})/.exec(word) ?? []
  const skeleton = skeletonOf(word.slice(prefix.length))
  const hasWill = words.slice(Math.max(0, at - 5), at).some((one) => WILL.has(one))
  // "hanshoof el mawdo3 w nrod 3aleik": the second verb has the future of the first.
  const isLinked = words[at - 1] === 'w' || words[at - 1] === 'wa' || words[at - 1] === 'we'
  const isFuture = hasWill || prefix !== '' || (isLinked && words.slice(0, at).some(isFutureWord))
  if (toldToCall(words, at)) return PROMISED
  if (isFuture && willAnswer(words, at, skeleton, hasStaff)) return PROMISED
  const [, past] = /^(\S{2,5}?)(?:t|n)$/.exec(skeletonOf(word)) ?? []
  if (
    past !== undefined &&
    hasStaff &&
    PASS_SKELETONS.has(past) &&
    words.slice(at + 1).some((one) => STAFF.has(withoutArticle(one)))
  )
    return PROMISED
  return null
}

/** Returns whether a verb says that a person contacts the customer: "tkallemak". */
const callsYou = (word: string) =>
  rootsOf(skeletonOf(word)).some(({ root, isYou }) => isYou && CONTACT_SKELETONS.has(root)) ||
  /^y\S{0,2}t+\S{0,1}s\S?l$/.test(word)
const isFutureWord = (word: string) => /^(?:ha|7a|bn|ba|bi|men|han|7an)\S{3}/.test(word)

/** Returns whether a verb in the future promises an answer or a person. */
function willAnswer(words: Words, at: number, skeleton: string, hasStaff: boolean): boolean {
  const behind = words.slice(at + 1)
  // "el sabbak haykoon 3andak".
  if (/^y?kn$/.test(skeleton) && skeletonOf(behind[0] ?? '') === '3ndk')
    return words[at - 2] === 'el' || hasStaff
  if (skeleton.endsWith('lk') && behind.slice(0, 2).some((one) => NEWS.has(skeletonOf(one))))
    return true
  const isWithYou = behind.slice(0, 3).some((one) => WITH_YOU.has(skeletonOf(one)))
  return rootsOf(skeleton).some(({ root, isYou }) => {
    const isContact = CONTACT_SKELETONS.has(root)
    const isMoved = /^7wl|^wsl/.test(root) && !skeleton.startsWith('y')
    if ((isYou || isWithYou) && (isContact || isMoved)) return true
    if (hasStaff && (isContact || PASS_SKELETONS.has(root))) return true
    // "hakhalli el ma7al yekallemak".
    return root.startsWith('khl') && behind.some(callsYou)
  })
}

/** The consonants of words for news to the customer: "hagebelak el rad". */
const NEWS = new Set(['rd', 'gwb', 'jwb', 'khbr', '5br', 'lrd'])

/**
 * Returns the possible roots of a verb: without the letter of its person, and without "you" and the plural at its end,
 * which may belong to the root.
 */
const rootsOf = memoize((skeleton): { root: string; isYou: boolean }[] => {
  const starts = [skeleton, ...(/^[nyt]\S{2}/.test(skeleton) ? [skeleton.slice(1)] : [])]
  return starts.flatMap((start) => {
    const [, before = ''] = /^(\S+?)(?:ky|km|k)$/.exec(start) ?? []
    const forms = [
      { root: start, isYou: false },
      ...(before === '' ? [] : [{ root: before, isYou: true }]),
    ]
    return forms.flatMap(({ root, isYou }) =>
      [
        root,
        root.replace(/[nw]$/, ''),
        root.replace(/[nw]?[ly]$/, ''),
        root.replace(/^t(?=\S{3})/, ''),
      ].map((one) => ({ root: one, isYou })),
    )
  })
})
