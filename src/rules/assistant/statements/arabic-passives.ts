/** Finds Arabic claims in the passive voice, which a vowel mark or "has" shows: «أُلغي طلبك», «قد أُرسلت الفاتورة». */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { OPENERS, YOU_WORDS } from '../../../core/vocabulary/statements/arabic.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import { BY_STEM } from './arabic-verbs.ts'
import { isTheirs, isThing, isYours } from './arabic-words.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const PASSIVE = new Map<string, readonly ClaimKind[]>([
  ['الغي', ['cancels']],
  ['الغيت', ['cancels']],
  ['اضيف', ['other', 'changes']],
  ['اضيفت', ['other', 'changes']],
  ['اعيد', ['refunds']],
  ['اعيدت', ['refunds']],
  ['استلمت', ['charges']],
  ['استلم', ['charges']],
  ['ارسلت', ['sends']],
  ['ارسل', ['sends']],
  ['استرد', ['refunds']],
  ['استرجع', ['refunds']],
  ['اوقف', ['cancels']],
  ['اوقفت', ['cancels']],
  ['ازيل', ['cancels', 'changes']],
  ['ازيلت', ['cancels', 'changes']],
  ['رد', ['refunds']],
  ['صرف', ['refunds', 'other']],
  ['صرفت', ['refunds', 'other']],
  ['اصدرت', ['other']],
  ['اصدر', ['other']],
  ['اغلق', ['other', 'cancels']],
  ['اغلقت', ['other', 'cancels']],
  ['اجل', ['changes']],
  ['اجلت', ['changes']],
  ['اعتمد', ['other']],
  ['دفعت', ['charges']],
])
/** Words that mean "he did" or "do!" too: only a vowel mark, or "has" before them, makes them passive. */
const UNSURE = wordSet('الغي ارسل استلم استرد استرجع اوقف رد صرف اصدر اغلق اغلقت اجل اعتمد اصدرت')

/** «شُحن طلبك أمس»: where an order is. */
const HOW_IT_GOES = new Set(['شحن', 'سلم', 'جهز', 'غلف', 'وصل'])

/** Reads a claim in the passive at a word: «أُلغي طلبك», «حُذف رقمك», «أُضيفت خمسون نقطة إلى حسابك». */
export function passiveAt(
  words: Words,
  at: number,
  word: string,
  passive: ReadonlySet<number>,
): Found | null {
  if (HOW_IT_GOES.has(word.replace(/ت$/u, ''))) return null
  const isMarked = passive.has(at) || ['لقد', 'قد'].includes(words[at - 1] ?? '')
  const stem = word.replace(/ت$/u, '')
  const kinds =
    PASSIVE.get(word) ?? (passive.has(at) ? (BY_STEM.get(word) ?? BY_STEM.get(stem)) : undefined)
  if (!kinds || (UNSURE.has(word) && !isMarked)) return null
  const isFirst = words
    .slice(0, at)
    .every((one) => OPENERS.has(one) || one === 'لقد' || one === 'قد' || isTheirs(one))
  const isAbout =
    words.slice(at + 1, at + 6).some((one) => isYours(one) || YOU_WORDS.has(one)) ||
    words.slice(0, at).some(isYours) ||
    (passive.has(at) && words.slice(at + 1, at + 4).some(isThing))
  return isFirst && isAbout ? { form: 'theirs', kinds, word } : null
}
