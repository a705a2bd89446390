import { phraseList } from '../../core/vocabulary/word-set.ts'
import { foldText } from '../text/fold-text.ts'
import { isInArabic } from './is-in-arabic.ts'
import { readOptionNumber } from './read-option-number.ts'

/** The stored values of the two answers, in the order in which they are offered. */
export const YES_NO = ['yes', 'no'] as const

/** Returns the labels of "yes" and "no" in the language of the question. */
export function yesNoLabels(question: string): string[] {
  return isInArabic(question) ? ['نعم', 'لا'] : ['Yes', 'No']
}

const WORDS: Record<(typeof YES_NO)[number], readonly string[]> = {
  yes: phraseList(`
  yes | y | yeah | yep | yup | yea | ok | okay | sure | of course | correct | نعم | ايوه |
  ايوا | ايوة | اي | ايه | اه | اجل | بلى | تمام | طيب | موافق | موافقة | اكيد | طبعا | اوك |
  اوكي | صح | 👍 | ✅
`),
  no: phraseList('no | n | nope | nah | no way | لا | لاء | لأ | كلا | لالا | لا لا | 👎 | ❌'),
}

/** Polite words that may accompany either answer. */
const KIND_WORDS = phraseList(`
  thank you | thanks | please | شكرا | شكرا لك | شكرا لكم | مشكور | من فضلك | لو سمحت | رجاء |
  يعطيك العافية | تسلم
`).map(foldText)

const MEANS = new Map(
  YES_NO.flatMap((answer) => WORDS[answer].map((word) => [foldText(word), answer] as const)),
)

/**
 * Reads the answer to a yes-or-no question in the usual words of both languages, with an optional polite word. Returns
 * `yes`, `no`, or null for any longer text. Typed, `1` and `2` select the answers, which may have been numbered.
 */
export function readYesNo(text: string, from: 'typed' | 'elsewhere'): string | null {
  const folded = foldText(text)
  const place = from === 'typed' ? readOptionNumber(folded) : null
  if (place !== null) return YES_NO[place - 1] ?? null
  // Punctuation has no meaning here, but a single emoji such as a thumb may be the whole answer.
  const said = MEANS.get(folded) ?? null
  if (said) return said
  let words = folded.replace(/[.,!?;:'"()…،؛؟-]+/g, ' ').replace(/[\p{So}\p{Sk}]/gu, ' ')
  words = words.replace(/\s+/g, ' ').trim()
  for (const kind of KIND_WORDS) {
    if (words.endsWith(` ${kind}`)) words = words.slice(0, -kind.length).trim()
  }
  return MEANS.get(words) ?? null
}
