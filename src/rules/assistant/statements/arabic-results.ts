/** Finds Arabic claims of a result: a state, money that came back, and that another party was informed or approved. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  CAME_BACK,
  CONDITIONS,
  MONEY,
  OTHERS,
  STATES,
  YOU_WORDS,
} from '../../../core/vocabulary/statements/arabic.ts'
import { OTHERS as LATIN_OTHERS } from '../../../core/vocabulary/statements/english-promises.ts'
import { memoize } from '../../text/memoize.ts'
import { bare, isStaff, isThing, isYours, kindsByStem, withoutAnd } from './arabic-words.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const BY_STATE = kindsByStem(STATES)

/** Matches "I informed" and "we informed"; the recipient follows. */
const TOLD =
  /^ا?(?:بلغ|خبر|علم|كلم|قل|حكي|نبه|وصي|فهم|تواصل|اتصل|تكلم|راسل|كتب|بعت|ارسل|شرح|وضح|اكد|خلي|عرف)(?:ت|نا)$/u
const isReported = memoize((word) => TOLD.test(word))
const APPROVED = wordSet('وافق وافقت وافقوا وافقو تكرم تكرمت سمح سمحت تولي تولت')

/** Matches «أخبرته»: the informed person is not the customer. */
const isToldThem = memoize((word) =>
  /^ا?(?:بلغ|خبر|علم|نبه|وصي)(?:ت|نا)(?:ه|ها|هم|هن)$/u.test(word),
)
const isOther = memoize(
  (word) => OTHERS.has(bare(word)) || OTHERS.has(bare(withoutAnd(word))) || LATIN_OTHERS.has(word),
)

/** Reads a claim at a word that a member of staff approved something: «وافق المدير على الخصم». */
export function approvedAt(words: Words, at: number, word: string): Found | null {
  const isByStaff = APPROVED.has(word) && words.slice(Math.max(0, at - 2), at + 4).some(isStaff)
  return isByStaff ? { form: 'theirs', kinds: ['other'], word } : null
}

/** Reads a claim at a word that another party was informed: «قلت للمندوب يجيك بعد المغرب», «تواصلت مع شركة الشحن». */
export function informedAt(words: Words, at: number, word: string): Found | null {
  if (isToldThem(word)) return { form: 'own', kinds: ['sends', 'other'], word }
  const isAsked =
    /^طلب(?:ت|نا)$/u.test(word) && words[at + 1] === 'من' && isOther(words[at + 2] ?? '')
  if (isAsked) return { form: 'own', kinds: ['sends', 'other'], word }
  if (!isReported(word) || !words.slice(at + 1, at + 4).some(isOther)) return null
  return { form: 'own', kinds: ['sends', 'other'], word }
}

/** Reads a claim at a word about the state of the customer's order or such: «طلبك ملغي», «صار موعدك الأحد». */
export function stateAt(words: Words, at: number, word: string): Found | null {
  const before = words.slice(Math.max(0, at - 5), at)
  const behind = words.slice(at + 1, at + 4)
  if (BECAME.has(word)) {
    const isMoved =
      isMovedTo(words, at) ||
      behind.slice(0, 1).some(isYours) ||
      (before.some(isYours) && behind.length > 0) ||
      (isThing(behind[0] ?? '') &&
        behind.slice(1).some((one) => isYours(one) || YOU_WORDS.has(one)))
    return isMoved && !behind.some(isStaff)
      ? {
          form: 'theirs',
          kinds: ['changes', 'books', ...(BY_STATE.get(behind.at(-1)!) ?? [])],
          word,
        }
      : null
  }
  const kinds = BY_STATE.get(word)
  if (!kinds) return isNowAt(words, at, word) ?? savedAt(words, at, word)
  const isAbout =
    before.some(isYours) ||
    (kinds.includes('cancels') && before.some(isThing)) ||
    behind.slice(0, 2).some(isYours) ||
    before.some((one) => BECOME_YOU.has(one)) ||
    (ADDRESSED.has(before.at(-1) ?? '') && behind.slice(0, 1).some((one) => NOW.has(one))) ||
    (before.includes('حضرتك') && before.some((one) => NOW.has(one)))
  const isBecome = before.includes('صار') && before.some(isThing)
  return isAbout || isBecome ? { form: 'theirs', kinds, word } : null
}

const BECAME = wordSet('صار صارت اصبح اصبحت بقي بقا بقت صاروا بات باتت')

/** «الميعاد بقى يوم الخميس», «صار الطلب قطعتين»: a business has one of these with each customer. */
function isMovedTo(words: Words, at: number): boolean {
  const isBehind = OF_EACH.has(bare(words[at + 1] ?? ''))
  if (!isBehind && !OF_EACH.has(bare(words[at - 1] ?? ''))) return false
  return VALUE.test(words[at + (isBehind ? 2 : 1)] ?? '')
}
const OF_EACH = wordSet('طلب طلبيه اوردر موعد ميعاد معاد حجز عنوان')
const VALUE =
  /^(?:يوم|الساعه|بكره|بكرا|غدا|باسم|ال(?:احد|حد|اثنين|اتنين|ثلاثاء|تلات|تلاتا|اربعاء|اربع|خميس|جمعه|سبت)$|\p{N}|قطعتين|حتتين|اثنين|تنين|اتنين)/u

/** «أنت مسجل الآن». */
const ADDRESSED = new Set(['انت', 'انتي', 'انتم', 'انتو'])
/** «صرت مسجل». */
const BECOME_YOU = new Set(['صرت', 'صرتي', 'اصبحت', 'بقيت', 'بقيتي', 'صرتو'])
const NOW = new Set(['الان', 'الحين', 'دلوقتي', 'هلق', 'هلا', 'هسه', 'خلاص'])

/** Matches a word that begins no changed state: a verb, a place, or that something is available. */
const NO_STATE =
  /^(?:ب?ي|ب?ت|ن|قيد$|في$|مع$|عند|جاهز|متوفر|متاح|بال|لدي|غير$|لا$|ما$|مو$|مش$|كم$|وين$|فين$)/u

/** Reads a claim at a word for "now" about a changed state: «طلبك الآن باسم أخيك», «حسابك الحين بريميوم». */
function isNowAt(words: Words, at: number, word: string): Found | null {
  if (!NOW.has(word) || at === 0 || words.length < at + 2) return null
  const [before = '', next = ''] = [words[at - 1], words[at + 1]]
  const isTheirThing = isYours(before) && isThing(before.replace(/(?:ك|كم|كي)$/u, ''))
  return isTheirThing && !NO_STATE.test(next)
    ? { form: 'theirs', kinds: ['changes', 'books', 'other'], word }
    : null
}

/** «عنوانك الجديد محفوظ»: a right may be reserved as well. */
function savedAt(words: Words, at: number, word: string): Found | null {
  if (word !== 'محفوظ' && word !== 'محفوظه') return null
  const isSaved = words
    .slice(Math.max(0, at - 3), at)
    .some((one) => isYours(one) && isThing(one.replace(YOUR, '')))
  return isSaved ? { form: 'theirs', kinds: ['changes', 'books', 'other'], word } : null
}
const YOUR = /(?:ك|كم|كي)$/u

/** Reads a claim at a denial that the customer has something no longer: «لم يعد لديك موعد», «ما عاد عندك حجز». */
export function noMoreAt(words: Words, at: number, word: string): Found | null {
  const isNoMore = (word === 'لم' || word === 'ما') && AS_BEFORE.has(words[at + 1] ?? '')
  if (!isNoMore || !HAVE.has(words[at + 2] ?? '') || !isThing(words[at + 3] ?? '')) return null
  return { form: 'theirs', kinds: ['cancels', 'changes'], word }
}
const AS_BEFORE = new Set(['يعد', 'تعد', 'عاد', 'بقي', 'ضل'])
const HAVE = new Set(['لديك', 'عندك', 'لك', 'لديكم', 'عندكم', 'لكم', 'معك', 'الك'])

/** Reads a claim at a word that money came back: «المبلغ رجع على بطاقتك», «الفلوس في طريقها إليك». */
export function moneyAt(words: Words, at: number): Found | null {
  if (!MONEY.has(words[at]!) && !MONEY.has(withoutAnd(words[at]!))) return null
  const end = words.findIndex((word, place) => place > at && CONDITIONS.has(word))
  const near = words.slice(Math.max(0, at - 2), Math.min(at + 4, end === -1 ? words.length : end))
  const text = words.slice(at + 1, at + 4).join(' ')
  const isBack = near.some((word) => CAME_BACK.has(word) || CAME_BACK.has(withoutAnd(word)))
  const isOnItsWay =
    /^(?:في|ب)\s?(?:ال)?طريق/u.test(text) ||
    /^(?:عندك|بحسابك|في حسابك|علي بطاقتك|ببطاقتك)/u.test(text)
  return isBack || isOnItsWay ? { form: 'theirs', kinds: ['refunds'], word: words[at]! } : null
}

const PUT = wordSet('نزل نزلت انضاف انضافت اتضاف اتضافت انحط اتحط')
const PUT_INTO =
  /^(?:[بلع]|عل)?ا?(?:حساب|فاتور|بطاق|محفظ|رصيد|طلب|سل|كرت|كارت)\p{L}{0,2}ك(?:م|ي)?$/u

/** Reads a claim at a word that a discount or points were credited: «الخصم نزل على فاتورتك», «النقاط انضافت لحسابك». */
export function creditedAt(words: Words, at: number): Found | null {
  if (!PUT.has(words[at]!)) return null
  const isInto = words
    .slice(at + 1, at + 5)
    .some((one) => PUT_INTO.test(one) || /^(?:بتاعت?ك|تبعت?ك)$/u.test(one))
  return isInto
    ? { form: 'theirs', kinds: ['changes', 'refunds', 'other'], word: words[at]! }
    : null
}
