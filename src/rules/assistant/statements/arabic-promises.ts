/** Finds Arabic promises that a person of the business will act, or claims that one was asked to. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { CONTACTS, COURIERS, OPENERS, PASSING } from '../../../core/vocabulary/statements/arabic.ts'
import { memoize } from '../../text/memoize.ts'
import { isHedged } from './arabic.ts'
import { futureOf, hasRoot, WILL, WITH_YOU } from './arabic-future.ts'
import { answersLater } from './arabic-replies.ts'
import { bare, isStaff, isYours, withoutAnd } from './arabic-words.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const PROMISED: Found = { form: 'staff', kinds: ['other'], word: 'staff' }
const STAYS = wordSet('خليك خلك خليكي خليكم ابق ابقي ابقى انتظر انتظرني استني استناني تم ضلك ضل')
const LINE = wordSet(
  `الخط عالخط معي معاي معايا معنا معانا هنا هون بالشات المحادثه بالمحادثه اونلاين متصل متصلا`,
)

const CONTACT_SET = new Set(CONTACTS)
const PASSING_SET = new Set(PASSING)

/** Returns the promise of an Arabic clause that a person of the business will act; empty when it has none. */
export function readArabicPromises(words: Words): Found[] {
  const staff = words.flatMap((word, at) => (isStaff(word) && !isOneOf(words, at) ? [at] : []))
  const courier = words.some((word) => COURIERS.has(bare(withoutAnd(word))))
  for (let at = 0; at < words.length; at++) {
    const word = withoutAnd(words[at]!)
    if (
      STAYS.has(word) &&
      words.slice(at + 1, at + 4).some((one) => LINE.has(one)) &&
      !isHedged(words, at)
    )
      return [PROMISED]
    if (courier) continue
    const isPromised = acts(words, at, staff) || passes(words, at, staff) || answersLater(words, at)
    if (isPromised && !isHedged(words, at)) return [PROMISED]
  }
  return isWithStaff(words, staff) && !courier ? [PROMISED] : []
}

/** "One" alone counts things as well: it is a person where one of the others is meant. */
function isOneOf(words: Words, at: number): boolean {
  const word = bare(withoutAnd(words[at]!))
  if (word === 'واحد' || word === 'واحده')
    return !['من', 'منا', 'مننا', 'منهم'].includes(words[at + 1] ?? '')
  if (word === 'حد' || word === 'قسم') return words[at]!.startsWith('ل') && word === 'حد'
  return word === 'احد' && (words[at + 1] ?? '') === 'اخر'
}

/** «سيتواصل معك أحد زملائنا», «هنرجعلك بالرد», «بيرد عليك المدير». */
function acts(words: Words, at: number, staff: readonly number[]): boolean {
  if (isAtWork(words, at, staff) || worksOn(words, at) || weCallSoon(words, at)) return true
  const future = futureOf(words, at)
  if (!future) return false
  const { by, root, toYou, isWeak } = future
  // The ل of «يراسلك» is of its root, that of «يحكيلك» is not.
  const isContact = hasRoot(root, CONTACT_SET) || (toYou && CONTACT_SET.has(`${root}ل`))
  const isOthers = by === 'ي' || by === 'ت'
  if (isOthers) {
    if (staff.length === 0) return isTheyWill(words, at, isWeak) && isContact && toYou
    const isSoon = words.some((one) => SOON.has(one))
    if (!isWeak && ARRIVES.has(root)) return true
    return (isContact && (toYou || !isWeak)) || (toYou && (!isWeak || isSoon))
  }
  // "I will look", "we are glad to help": only to come back to the customer needs a person.
  if (!toYou) return false
  return hasRoot(root, COMES_BACK)
}

/** «يعمل فريقنا على حل مشكلتك». */
const worksOn = (words: Words, at: number): boolean =>
  /^[يت]عمل$/u.test(words[at]!) &&
  isStaff(words[at + 1] ?? '') &&
  words[at + 2] === 'علي' &&
  words[at + 3] !== 'مدار'

/** «نتصل عليك اليوم»: the present with a time. */
function weCallSoon(words: Words, at: number): boolean {
  const [, you] = WE_CALL.exec(words[at]!) ?? []
  if (!WE_CALL.test(words[at]!) || !words.some((one) => SOON.has(one))) return false
  return you !== undefined || WITH_YOU.has(words[at + 1] ?? '')
}
const WE_CALL = /^[وف]?ن(?:تصل|كلم|تواصل|راسل|خبر|رد|رجع|دق|حاكي|حكي)(ك|كم|كي|لك|لكم)?$/u

/** «هيكلموك», «سيتصلون بك»: a plural without a subject is the business. */
const isTheyWill = (words: Words, at: number, isWeak: boolean) =>
  !isWeak && THEY.test(withoutAnd(words[at]!))
const THEY = /(?:ون|وا|و)(?:ل?(?:ك|كم|كي|ج))?$/u

const WORKS = wordSet('تابع راجع شوف حل شتغل عالج بحث جهز درس دور')
const AT_WORK = /^(?:ب|عم|عمب)?[يت](\p{L}{2,5}?)(?:و|وا|ون)?(ه|ها|و)?$/u
const INFORMED = wordSet('عرف عرفت عرفوا عرفو عارف عارفه عارفين تبلغ اتبلغ اتبلغوا تبلغوا')

/** «زمايلنا بيتابعوه», «الشيف عرف إن عندك حساسية». */
function isAtWork(words: Words, at: number, staff: readonly number[]): boolean {
  if (!staff.some((place) => place < at && place >= at - 3)) return false
  const word = words[at]!
  if (INFORMED.has(word))
    return words.slice(at + 1, at + 3).some((one) => /^(?:ان|انو|انك|ب\p{L}{3,})$/u.test(one))
  const next = words[at + 1] ?? ''
  // «فريقنا يعمل على المشكلة»: «يعمل على مدار الساعة» is when it works.
  if (/^[يت]عمل(?:و|وا|ون)?$/u.test(word) && next === 'علي' && words[at + 2] !== 'مدار') return true
  if (word === 'علي' && AWARE.has(next)) return true
  const isNow = word.startsWith('ب') || words[at - 1] === 'عم' || words[at - 1] === 'قاعد'
  const [, root = '', object] = AT_WORK.exec(word) ?? []
  const behind = words.slice(at + 1, at + 3)
  return (
    isNow && hasRoot(root, WORKS) && (object !== undefined || behind.some((one) => isYours(one)))
  )
}

const AWARE = wordSet('علم اطلاع درايه')

const ARRIVES = wordSet('حضر اتي زور مر')

const SOON =
  wordSet(`بكره بكرا باكر اليوم الحين الليله المسا المساء العصر الصبح الظهر غدا قريبا دلوقتي هلق شوي
  النهارده`)

const COMES_BACK =
  wordSet(`طمن بشر ذكر فكر كلم تواصل تصل اتصل رد رجع حكي دق عاود عود خبر بلغ هاتف راسل تابع وافي وافيك
  علم`)

const TRANSFERS =
  /^(?:ب|س|ه|ح|ا|ن|سا|سن|با|بن|هن|حن|را)?(?:حول|حولا|وصل|شبك|ربط)(?:ت|نا)?(?:ك|كم|ج|كي|كو)$/u
const TOLD =
  /^(?:ا)?(?:بلغ|خبر|علم|كلم|سال|حول|رفع|صعد|حكي|شرح|وصل|نسق|طلب|حط|دي|ارسل|بعت|راسل|تواصل|نقل|عطي|خلي|وصي|احل|شور|ذكر|سجل|كتب)(?:ت|نا)(?:ه|ها|هم|هو)?(?:لك)?$/u
const nounOf = memoize((word) => bare(word.replace(/^ب/u, '')))
const isTransfer = memoize((word) => TRANSFERS.test(word))
const isReported = memoize((word) => TOLD.test(word))
const TELLING_NOUNS =
  wordSet(`اخطار ابلاغ اخبار اعلام تحويل احاله رفع تصعيد ارسال التواصل تواصل اشعار نقل تمرير توصيل تنبيه
  تبليغ تحويلك تحويلكم احالتك ايصال ايصالك توصيلك ربطك احالتكم عرض`)

/** «بحولك على موظف», «بلغت المدير», «جاري تحويلك», «قمت بإبلاغ الفريق», «هخلي حد يكلمك». */
function passes(words: Words, at: number, staff: readonly number[]): boolean {
  const word = withoutAnd(words[at]!)
  const isNear = staff.some((place) => place > at && place <= at + 6)
  const isOpener = words.slice(0, at).every((one) => OPENERS.has(one))
  if (isTransfer(word))
    return (
      isNear ||
      isOpener ||
      /^[سهح]/u.test(word) ||
      words.length <= at + 3 ||
      WILL.has(words[at - 1] ?? '')
    )
  if (isReported(word)) return isNear
  const before = words[at - 1] ?? ''
  const noun = nounOf(word)
  if (TELLING_NOUNS.has(noun) || TELLING_NOUNS.has(word)) {
    return isPassing(noun, before, isOpener, isNear)
  }
  if (WILL.has(before) && /^[ان]?خل[يى]/u.test(word)) return isNear
  // «رح خبر المدير»: the Levant leaves the letter of the person out.
  if (['رح', 'راح'].includes(before) && hasRoot(words[at]!, PASSING_SET)) return isNear
  const future = futureOf(words, at)
  if (!future || !['ا', 'ن', ''].includes(future.by)) return false
  if (!isNear) return false
  return (
    hasRoot(future.root, PASSING_SET) ||
    future.root.startsWith('خل') ||
    future.root.startsWith('طلب')
  )
}

/** «جاري تحويلك», «تم إبلاغ الفريق». */
function isPassing(noun: string, before: string, isOpener: boolean, isNear: boolean): boolean {
  if (['تحويلك', 'تحويلكم', 'احالتك', 'توصيلك', 'ربطك', 'احالتكم'].includes(noun))
    return WILL.has(before) || before === 'تم' || before.startsWith('قم') || before.startsWith('سا')
  return (WILL.has(before) || BEGUN.has(before) || isOpener) && isNear
}
const BEGUN = wordSet('تم تمت قمت قمنا جري ساقوم سنقوم هقوم بقوم راح')

/** Words for messages of the customer, which `isYours` leaves out. */
const NOTES = wordSet('ملاحظتك سوالك استفسارك رسالتك طلبك شكواك شكوتك')

/** Returns whether the customer's matter is with staff: «موضوعك عند الإدارة», «شكواك وصلت للمدير». */
function isWithStaff(words: Words, staff: readonly number[]): boolean {
  return staff.some((place) => {
    const before = words.slice(Math.max(0, place - 4), place)
    const joins = ['عند', 'مع', 'وصلت', 'وصل', 'وصلو', 'لدي', 'بيد'].some((one) =>
      before.includes(one),
    )
    const isOfThem = before.some((one) => isYours(one) || NOTES.has(one))
    return joins && isOfThem && !isHedged(words, place)
  })
}
