/** Finds Arabic claims of a result: a state of an order, money that came back, another party that was informed. */
import {
  CAME_BACK,
  MONEY,
  OTHERS,
  STATES,
  YOU_WORDS,
} from '../../../core/vocabulary/statements/arabic.ts'
import { remembered } from '../../text/remembered.ts'
import { bare, isStaff, isThing, isYours, kindsByStem, withoutAnd } from './arabic-words.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const BY_STATE = kindsByStem(STATES)

/** Matches "I informed" and "we informed"; the recipient follows. */
const TOLD =
  /^ا?(?:بلغ|خبر|علم|كلم|قل|حكي|نبه|وصي|فهم|تواصل|اتصل|تكلم|راسل|كتب|بعت|ارسل|شرح|وضح|اكد)(?:ت|نا)$/u
const isTold = remembered((word) => TOLD.test(word))
const isOther = remembered((word) => OTHERS.has(bare(word)) || OTHERS.has(bare(withoutAnd(word))))

/** «قلت للمندوب يجيك بعد المغرب», «تواصلت مع شركة الشحن». */
export function toldAt(words: Words, at: number, word: string): Found | null {
  if (!isTold(word) || !words.slice(at + 1, at + 4).some(isOther)) return null
  return { form: 'own', kinds: ['sends', 'other'], word }
}

/** «طلبك ملغي», «صار موعدك الأحد». */
export function stateAt(words: Words, at: number, word: string): Found | null {
  const before = words.slice(Math.max(0, at - 5), at)
  const behind = words.slice(at + 1, at + 4)
  if (['صار', 'صارت', 'اصبح', 'اصبحت', 'بقي', 'بقا'].includes(word)) {
    const isMoved =
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
  if (!kinds) return null
  const isAbout =
    before.some(isYours) ||
    (kinds.includes('cancels') && before.some(isThing)) ||
    behind.slice(0, 2).some(isYours)
  const isBecome = before.includes('صار') && before.some(isThing)
  return isAbout || isBecome ? { form: 'theirs', kinds, word } : null
}

/** «المبلغ رجع على بطاقتك», «الفلوس في طريقها إليك». */
export function moneyAt(words: Words, at: number): Found | null {
  if (!MONEY.has(words[at]!) && !MONEY.has(withoutAnd(words[at]!))) return null
  const near = words.slice(Math.max(0, at - 2), at + 4)
  const text = words.slice(at + 1, at + 4).join(' ')
  const isBack = near.some((word) => CAME_BACK.has(word) || CAME_BACK.has(withoutAnd(word)))
  const isOnItsWay =
    /^(?:في|ب)\s?(?:ال)?طريق/u.test(text) ||
    /^(?:عندك|بحسابك|في حسابك|علي بطاقتك|ببطاقتك)/u.test(text)
  return isBack || isOnItsWay ? { form: 'theirs', kinds: ['refunds'], word: words[at]! } : null
}
