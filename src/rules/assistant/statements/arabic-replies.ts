/** Finds Arabic promises that an answer will come, although no person is named: «الرد بيوصلك», «بسأل المحل وأرد عليك». */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { futureOf, hasRoot, WILL, WITH_YOU } from './arabic-future.ts'
import { bare, isStaff, isYours } from './arabic-words.ts'

type Words = readonly string[]

/** Returns whether the word at an index promises that the business will answer, call or ask. */
export const answersLater = (words: Words, at: number): boolean =>
  keepsPosted(words, at) ||
  isCalled(words, at) ||
  toldToCall(words, at) ||
  willBeThere(words, at) ||
  answersYou(words, at) ||
  answerComes(words, at) ||
  isToBeDone(words, at) ||
  asksOthers(words, at)

const ANSWERS = wordSet(
  'الرد رد الجواب جواب الخبر خبر النتيجه القرار ردنا مكالمه اتصال تلفون تليفون',
)
const CALLS = new Set(['مكالمه', 'اتصال', 'تلفون', 'تليفون'])
const ARRIVES = /^[وف]?(?:س|ه|ح|ب)?[يت]?(?:ا?صل|وصل|جي|جيي|جا|كون)(?:ك|كم|كي|ج|لك|لكم|ني)$/u

/** «ستتلقى اتصالاً من فريقنا», «انتظر مكالمة من المدير». */
function isCalled(words: Words, at: number): boolean {
  const behind = words.slice(at + 1, at + 5)
  const next = (behind[0] ?? '').replace(/ا$/u, '')
  if (/^[سهح]تتلقي(?:ن|ون)?$/u.test(words[at]!)) return CALLS.has(next) || ANSWERS.has(next)
  const isAwaited = /^(?:انتظر|انتظري|انتظروا|استني|توقع|توقعي)$/u.test(words[at]!)
  return isAwaited && (CALLS.has(next) || (ANSWERS.has(next) && behind.some(isStaff)))
}

/** «سنبقيك على اطلاع», «بخليك بالصورة». */
function keepsPosted(words: Words, at: number): boolean {
  const isKept = /^[وف]?[سبهح]?[انر]?(?:بقي|خلي|حط|ضل)(?:ك|كم|كي)$/u.test(words[at]!)
  return isKept && words.slice(at + 1, at + 4).some((one) => POSTED.has(one))
}
const POSTED = wordSet('اطلاع بالصوره الصوره علم اول')

/** «قلت للممرضة تدق عليك». */
const toldToCall = (words: Words, at: number): boolean =>
  /^[وف]?(?:قل|طلب|وصي|حكي|خلي|خبر|بلغ)(?:ت|نا)$/u.test(words[at]!) &&
  words.slice(at + 1, at + 6).some(callsYou)

const WILL_BE = /^[وف]?(?:س|ه|ح|ب)?ت?ي?كون$/u

/** «السباك هيكون عندك», «سيكون عند بابك»: «سيكون لديك أسبوعان» promises no visit. */
function willBeThere(words: Words, at: number): boolean {
  const word = words[at]!
  const isFuture = word !== 'يكون' || WILL.has(words[at - 1] ?? '')
  if (!isFuture || !WILL_BE.test(word)) return false
  const behind = words.slice(at + 1, at + 5)
  const isAtHome = behind.some((one, nth) => one === 'عند' && isYours(behind[nth + 1] ?? ''))
  const subject = WILL.has(words[at - 1] ?? '') ? at - 2 : at - 1
  return (
    isAtHome ||
    (((words[subject] ?? '').startsWith('ال') || words[subject - 1] === 'ال') &&
      /^(?:ل?عندك|عندكم)$/u.test(behind[0] ?? ''))
  )
}

const ANSWERS_ALONE = /^[وف]?س[ان]جيب(?:ك|كم)$/u

/** «سنجيبك», «بنعطيك الجواب», «المدير داق عليك». */
function answersYou(words: Words, at: number): boolean {
  const word = words[at]!
  if (ANSWERS_ALONE.test(word)) return true
  const [next = '', second = ''] = words.slice(at + 1, at + 3)
  if (CALLING.has(word)) return isStaff(words[at - 1] ?? '') && WITH_YOU.has(next)
  const future = futureOf(words, at)
  const gives =
    future?.toYou === true && (future.root.startsWith('عطي') || future.root.startsWith('اعطي'))
  return gives && (ANSWERS.has(next) || ANSWERS.has(second))
}
const CALLING = wordSet('داق متصل جاي مكلم راجع')

/** «الرد بيوصلك بكرة», «هيجيلك الجواب». */
function answerComes(words: Words, at: number): boolean {
  if (!ANSWERS.has(words[at]!)) return false
  const near = [...words.slice(Math.max(0, at - 2), at), ...words.slice(at + 1, at + 3)]
  const isCall = CALLS.has(words[at]!)
  return near.some(
    (word, nth) =>
      ARRIVES.test(word) && (isCall || /^[وف]?[سهحب]/u.test(word) || WILL.has(near[nth - 1] ?? '')),
  )
}

const TO_BE_DONE = /^[وف]?(?:س|ه|ح|حا)ي(?:تم|عاد|جري|حصل)$/u
const CONTACT_NOUNS = new Set(['تواصل', 'اتصال', 'رد', 'معاوده', 'مراسله', 'مهاتفه', 'مراجعه'])

/** «سيتم التواصل معك», «راح يتم الاتصال بك». */
function isToBeDone(words: Words, at: number): boolean {
  const word = words[at]!
  const isFuture =
    TO_BE_DONE.test(word) || (word === 'يتم' && ['راح', 'رح', 'سوف'].includes(words[at - 1] ?? ''))
  if (!isFuture || !CONTACT_NOUNS.has(bare(words[at + 1] ?? ''))) return false
  return words.slice(at + 2, at + 5).some((one) => WITH_YOU.has(one) || isYours(one))
}

const CALLS_YOU =
  /^[يت](?:كلم|تصل|تواصل|رد|دق|حكي|راسل|جاوب|رجع|خبر|ساعد|شوف)(?:و|وا|ون)?(ك|كم|كي|لك|ج)?$/u
const callsYou = (word: string, at: number, behind: Words): boolean => {
  const [, you] = CALLS_YOU.exec(word) ?? []
  return (
    CALLS_YOU.test(word) &&
    (you !== undefined || behind.slice(at + 1, at + 3).some((one) => WITH_YOU.has(one)))
  )
}

const ASKED = wordSet('سال استفسر ستفسر عرف تاكد شيك راجع شوف تواصل كلم')
const PLACES = wordSet('فرع محل مورد مصنع معرض شركه مخزن مستودع بنك جهه ورشه')
const REPLIES = /^و?[سهحب]?[انر]?(?:قول|قل|رد|خبر|رجع|بلغ|علم|عطي|افيد|فيد)(?:لك|ك|كم|لكم|ج|لج)$/u

/** «… ونرد عليك»: the particle of the future is not repeated. */
const ANSWERS_YOU = /^و[سهحبم]?[انر]?(?:رد|رجع|تصل|تواصل|كلم|حكي|راسل)$/u

/** «هعرف من الفرع وأقولك», «بسأل المحل». */
function asksOthers(words: Words, at: number): boolean {
  if (words[at]!.startsWith('خلي') && WILL.has(words[at - 1] ?? '')) {
    return words.slice(at + 1, at + 7).some(callsYou)
  }
  const future = futureOf(words, at)
  if (!future || !['ا', 'ن', ''].includes(future.by)) return false
  const behind = words.slice(at + 1, at + 7)
  // «بخلي المحل يكلمك».
  if (future.root.startsWith('خل') || future.root.startsWith('طلب')) return behind.some(callsYou)
  if (!hasRoot(future.root, ASKED)) return false
  return behind.some(
    (one, nth) =>
      PLACES.has(bare(one)) ||
      REPLIES.test(one) ||
      (ANSWERS_YOU.test(one) && behind.slice(nth + 1, nth + 3).some((you) => WITH_YOU.has(you))),
  )
}
