/** Finds Arabic claims of completed acts, in standard Arabic and the dialects of the Gulf, Egypt and the Levant. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  BETWEEN,
  CONDITIONS,
  DENIALS,
  NOUNS,
  OPENERS,
  YOU_WORDS,
} from '../../../core/vocabulary/statements/arabic.ts'
import {
  becameParts,
  BY_STEM,
  givenStemOf,
  isForYouAlone,
  isUnknownDeed,
  isUnknownPassive,
  SAYS_THAT,
  ownActOf,
  T_STEMS,
} from './arabic-verbs.ts'
import { passiveAt } from './arabic-passives.ts'
import { approvedAt, creditedAt, informedAt, moneyAt, noMoreAt, stateAt } from './arabic-results.ts'
import { isThing as isLatinThing } from './english-verbs.ts'
import { memoize } from '../../text/memoize.ts'
import {
  bare,
  isOurs,
  isTheirs,
  isThing,
  isYours,
  kindsByStem,
  withoutAnd,
} from './arabic-words.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const BY_NOUN = kindsByStem(NOUNS)

const DENIED = /^ما?\p{L}{3,}ش$/u

const isArabic = memoize((word) => /^\p{Script=Arabic}/u.test(word))

/** Returns the claims of an Arabic clause that an act was done, without those that its words cancel (`isHedged`). */
export function readArabicClaims(words: Words, passive: ReadonlySet<number>): Found[] {
  const found: Found[] = []
  for (let at = 0; at < words.length; at++) {
    if (!isArabic(words[at]!)) continue
    const claim = claimAt(words, at, passive)
    if (claim && !isHedged(words, at, claim.form === 'theirs')) found.push(claim)
  }
  return found
}

const isDenied = memoize((word) => DENIED.test(word))
const isCondition = memoize((word) => CONDITIONS.has(word) || CONDITIONS.has(withoutAnd(word)))

/**
 * Returns whether the words before an index cancel a claim there: a denial near it, or at any distance a condition, a
 * question or "you". `isOfThing`: "you" does not cancel a claim of what happened to a thing.
 */
export function isHedged(words: Words, at: number, isOfThing = false): boolean {
  for (let place = Math.max(0, at - 3); place < at; place++) {
    if (DENIALS.has(words[place]!) || isDenied(words[place]!)) return true
  }
  if (words[at]!.startsWith('م') && isDenied(words[at]!)) return true
  const { condition, address } = conditionsOf(words)
  // «حضرتك حجزت» is what the customer did; «حضرتك الحجز اتأكد» is said of the booking.
  return condition < at || (!isOfThing && address < at)
}

/** The cached conditions of the last clause, since each of its words reads them. */
let lastRead: { words: Words; condition: number; address: number } = {
  words: [],
  condition: 0,
  address: 0,
}

const ADDRESS = new Set(['حضرتك', 'انت', 'انتي'])

function conditionsOf(words: Words): typeof lastRead {
  if (lastRead.words !== words) {
    const first = (is: (word: string, place: number) => boolean) => {
      const at = words.findIndex(is)
      return at === -1 ? words.length : at
    }
    lastRead = {
      words,
      condition: first(
        (word, place) => isCondition(word) && !ADDRESS.has(word) && (word !== 'كل' || place > 0),
      ),
      address: first((word) => ADDRESS.has(word)),
    }
  }
  return lastRead
}

function claimAt(words: Words, at: number, passive: ReadonlySet<number>): Found | null {
  const word = words[at]!
  const plain = withoutAnd(word)
  return (
    claimOf(words, at, word, passive) ??
    (plain === word ? null : claimOf(words, at, plain, passive))
  )
}

function claimOf(
  words: Words,
  at: number,
  word: string,
  passive: ReadonlySet<number>,
): Found | null {
  return (
    doneAt(words, at, word) ??
    didAt(words, at, word, passive.has(at)) ??
    becameAt(words, at, word) ??
    passiveAt(words, at, word, passive) ??
    stateAt(words, at, word) ??
    noMoreAt(words, at, word) ??
    approvedAt(words, at, word) ??
    informedAt(words, at, word) ??
    creditedAt(words, at) ??
    moneyAt(words, at)
  )
}

const DONE = new Set(['تم', 'تمت', 'جري', 'جرت', 'اتم', 'تمينا'])
const BEING = new Set(['جاري', 'جار', 'يجري', 'يتم', 'جارى', 'قيد'])
const MADE = new Set(['قمت', 'قمنا', 'سويت', 'سوينا', 'عملت', 'عملنا'])
const NOW = new Set(['الان', 'الحين', 'حاليا', 'دلوقتي', 'هلق', 'هسه', 'توا'])
/** Words of states, which claim no completed act. */
const NO_DEED_NOUNS =
  wordSet(`شحن توصيل تسليم تجهيز تحضير تغليف تصميم تصنيع افتتاح تخفيض تركيب العثور استخدام اختيار ذكر
  طرح بيع انتاج تصوير`)

const isOpener = (word: string) => OPENERS.has(word) || OPENERS.has(withoutAnd(word))

/** Returns whether a word names a possession of the customer or an object of trade, in either language. */
const isTheirsOrLatin = (word: string) => isTheirs(word) || isLatinThing(word)

/** «تم إلغاء طلبك», «قمت بإلغاء طلبك», «جاري إلغاء طلبك». */
function doneAt(words: Words, at: number, word: string): Found | null {
  const isMade = MADE.has(word)
  const isBeing = BEING.has(word)
  if (!DONE.has(word) && !isBeing && !isMade) return null
  let place = at + 1
  while (isBetween(words[place])) place++
  const next = words[place]
  if (endsClause(next)) return isMade || isBeing ? null : doneAlone(words, at, word)
  const given = isMade && next.startsWith('ب') ? next.slice(1) : next
  // "الغاء" begins like the article.
  const noun = BY_NOUN.has(given) ? given : bare(given)
  const behind = words.slice(place + 1, place + 5)
  if ((NO_DEED_NOUNS.has(noun) && !isTopUp(noun, behind[0])) || isOfOurs(next, behind)) return null
  const kinds = BY_NOUN.get(noun)
  const form = isMade ? 'own' : isBeing ? 'now' : 'theirs'
  const isStated = {
    own: kinds || (word.startsWith('قم') && given !== next && isOfThem(next, behind)),
    now: kinds && isGoingOn(words, at, behind),
    theirs: isOfThem(next, behind) || isOfItBefore(words, at, next) || isWhole(next, behind),
  }[form]
  return isStated ? { form, kinds: kinds ?? ['other'], word: noun } : null
}

/** «تم شحن رصيدك»: not of a parcel. */
const isTopUp = (noun: string, what = '') =>
  noun === 'شحن' && /^(?:رصيد|حساب|باقت|خط|محفظت)/u.test(what)

/** A word between the verb and the act: also the article, which is separate before Latin letters. */
const isBetween = (word = '') => BETWEEN.has(word) || word === 'ال'

/** «… تم يا طويل العمر»: who is addressed ends the clause. */
const endsClause = (next: string | undefined): next is undefined | 'يا' =>
  next === undefined || next === 'يا'

const isOfOurs = (noun: string, behind: Words) =>
  isOurs(noun) || (behind.some(isOurs) && !behind.some(isYours))

/** «طلبك قيد الإلغاء», «جاري إلغاء طلبك»; «يتم الإلغاء» is how it works, unless it is now. */
const isGoingOn = (words: Words, at: number, behind: Words) => {
  if (words[at] === 'قيد') return words.slice(0, at).some(isYours)
  return (
    words.some((one) => NOW.has(one)) ||
    (withoutAnd(words[at]!) !== 'يتم' && behind.some((one) => isYours(one) || YOU_WORDS.has(one)))
  )
}

/** «طلبك تم إلغاؤه», «الفاتورة تم إرسالها». */
function isOfItBefore(words: Words, at: number, noun: string): boolean {
  const [, plain] = /^(\p{L}{3,}?)(?:ه|ها|هم|وه|وها)$/u.exec(noun) ?? []
  if (plain === undefined || NO_DEED_NOUNS.has(bare(plain))) return false
  return words.slice(Math.max(0, at - 4), at).some(isTheirs)
}

/** «تم كل شيء», «تم المطلوب». */
const ALL = new Set(['كل', 'المطلوب', 'اللازم', 'الموضوع', 'الامر', 'جميع'])

const isWhole = (noun: string, behind: Words) =>
  (BY_NOUN.has(noun) || BY_NOUN.has(bare(noun)) || isTheirs(noun)) &&
  behind.every((one) => BETWEEN.has(one) || YOU_WORDS.has(one) || /\d/u.test(one))

/** Returns whether an act concerns the customer's possessions, by the words after it or by the suffix "your". */
const isOfThem = (noun: string, behind: Words) =>
  isYours(noun) || isLatinThing(noun) || ALL.has(noun) || behind.some(isTheirs)

/** «تم.», «طلبك تم». */
function doneAlone(words: Words, at: number, word: string): Found | null {
  const isOfOthers = words
    .slice(0, at)
    .some((one) => !OPENERS.has(one) && !isTheirsOrLatin(one) && one !== 'ال')
  return isOfOthers ? null : { form: 'own', kinds: ['other'], word }
}

/** «لغيت لك الطلب», «حجزتلك», «رجعنا لك المبلغ». */
function didAt(words: Words, at: number, word: string, isPassive: boolean): Found | null {
  const toYou = didForYou(words, at, word)
  if (toYou) return toYou
  // «وصلت شحنتك» says where it is.
  if (word === 'وصلت') return null
  const found = ownActOf(word)
  if (!found) return unknownDeedAt(words, at, word)
  if (isOfCustomer(word, words[at + 1] ?? '', found.isToYou)) return null
  const { kinds, isToYou, hasObject } = found
  const isFirst = !isPassive && words.slice(0, at).every(isOpener)
  if (words[at - 1] === 'i') return { form: 'own', kinds, word }
  if (isFirst && isOfOne(word, words[at + 1] ?? '')) return { form: 'own', kinds, word }
  const behind = words.slice(at + 1, at + (isFirst ? 6 : 4))
  const isForYou = isToYou || behind.slice(0, 3).some((one) => YOU_WORDS.has(one))
  const before = words[at - 1]
  const isAlone = behind.length === 0 && at > 0 && OPENERS.has(before!)
  // "حجزنا كله" may be about any booking, so a possession of the customer must be near it.
  const isNear = behind.some(
    (one, nth) => (nth < 3 ? isTheirsOrLatin(one) : isYours(one)) && !isOurs(one),
  )
  // After a possession of the customer the same letters mean "you did": «طلبك اللي الغيته».
  const isObject =
    hasObject &&
    (at === 0 ||
      words.slice(0, at).every(isOpener) ||
      words.slice(0, at).some((one) => isTheirsOrLatin(one) || one === 'your'))
  if (!isForYou && !isNear && !isAlone && !isObject) return null
  if (behind.some(isOurs) && !isForYou && !behind.some(isYours)) return null
  return { form: 'own', kinds, word }
}

/** «حاجز لك طاولة»: a participle of what the writer has done. */
const IN_PROGRESS = wordSet(
  `حاجز حاجزه مسوي مسويه حاط حاطه ضابط مرتب مرتبه دافع مخلص مرسل مرسله عامل عامله ظابط زابط`,
)

/** «سجلت الكلب للاستحمام»: the first person alone, since a business opens and changes things for all. */
const isOfOne = (word: string, next: string) =>
  OF_ONE.has(word) && next.startsWith('ال') && !OF_FIRMS.has(next)
const OF_ONE = wordSet('لغيت الغيت كنسلت حجزت سجلت وقفت فتحت صعدت وضعت حذفت مسحت')
const OF_FIRMS = wordSet(
  `الشركه الوزاره الاداره الجهه البنك المحكمه الحكومه البلديه الاسعار المحلات الفروع`,
)

/** Reads a verb that has the customer joined behind it, or a participle before "for you". */
function didForYou(words: Words, at: number, word: string): Found | null {
  const given = givenStemOf(word)
  if (given !== undefined) return { form: 'own', kinds: BY_STEM.get(given) ?? ['other'], word }
  if (IN_PROGRESS.has(word) && YOU_WORDS.has(words[at + 1] ?? ''))
    return { form: 'own', kinds: ['other', 'books'], word }
  return isForYouAlone(word) ? { form: 'own', kinds: ['other'], word } : null
}

/** «طلبت مني» is what the customer asked, «كتبت أن طلبك قد أُلغي» repeats what they wrote. */
const isOfCustomer = (word: string, next: string, isToYou: boolean) =>
  SAYS_THAT.has(next) ||
  (word.startsWith('طلب') &&
    (!(isToYou || YOU_WORDS.has(next)) || next === 'مني' || next === 'منا'))

/** «خفضنا قيمة فاتورتك»: a verb that is not listed claims only first in its clause, before what is the customer's. */
function unknownDeedAt(words: Words, at: number, word: string): Found | null {
  // The word behind a joined «و» is read next.
  const isRoot = word === words[at] ? /^[وف]\p{L}{4}/u.test(word) : word.length < 5
  if (isRoot || !isUnknownDeed(word) || !words.slice(0, at).every(isOpener)) return null
  const [next = '', second = ''] = words.slice(at + 1, at + 3)
  const isForYou = YOU_WORDS.has(next) && second !== '' && !word.endsWith('تنا')
  const isTheirThing = isYours(next) && !/^[بلف]/u.test(next)
  return isForYou || isTheirThing ? { form: 'own', kinds: ['other'], word } : null
}

/** «الاشتراك وقف»: a verb that needs no prefix. */
const STOPPED = new Set(['وقف', 'وقفت'])

/** «انحجز موعدك», «الطلب اتلغى», «طلبك توقف». */
function becameAt(words: Words, at: number, word: string): Found | null {
  if (STOPPED.has(word) && at > 0) {
    const isSaid = isThing(words[at - 1]!) && !words.slice(at + 1, at + 4).some(isOurs)
    return isSaid ? { form: 'theirs', kinds: ['cancels'], word } : null
  }
  const { prefix, stem, toYou, kinds } = becameParts(word)
  if (!kinds && isUnknownPassive(word) && isYours(words[at - 1] ?? ''))
    return { form: 'theirs', kinds: ['other'], word }
  if (!kinds || prefix === 'ا')
    return word === 'انتقل' && words.slice(at + 1, at + 3).some(isYours)
      ? { form: 'theirs', kinds: ['changes'], word }
      : null
  const behind = words.slice(at + 1, at + 5)
  const before = words.slice(Math.max(0, at - 4), at)
  // «… من عندنا» names the actor, not the owner.
  const isOfUs = behind.some(
    (one, nth) =>
      isOurs(one) && behind[nth - 1] !== 'من' && !(AT_US.has(one) && !word.includes('فتح')),
  )
  if (isOfUs && !behind.some(isYours)) return null
  if (prefix === 'ت') {
    if (!T_STEMS.has(stem!)) return null
    const isFirst = before.every((one) => OPENERS.has(one))
    const isBehind = before.some(isYours) || before.some((one) => isThing(one))
    if (
      before.some(
        (one) => !OPENERS.has(one) && /^(?:ب?ت|ب?ي|ن)\p{L}{2,}/u.test(one) && !isTheirs(one),
      )
    )
      return null
    if (!(isBehind || (isFirst && behind.slice(0, 2).some(isYours)))) return null
    return { form: 'theirs', kinds, word }
  }
  const isAbout = [...before, ...behind].some(isTheirsOrLatin) || toYou !== undefined
  const isShort = words.every((one, nth) => nth === at || OPENERS.has(one))
  return isAbout || isShort ? { form: 'theirs', kinds, word } : null
}

/** «العنوان اتغير عندنا» says where it changed, and not whose it is. */
const AT_US = new Set(['عندنا', 'لدينا', 'عنا', 'معنا', 'معانا'])
