/** Finds Arabic claims of an act that is in progress or follows immediately: «بلغي لك الطلب الحين», «عم احجزلك». */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { PROGRESS_STEMS, YOU_WORDS } from '../../../core/vocabulary/statements/arabic.ts'
import { memoize } from '../../text/memoize.ts'
import { isHedged } from './arabic.ts'
import { isTheirs, kindsByStem, withoutAnd } from './arabic-words.ts'
import { isThing as isLatinThing } from './english-verbs.ts'
import type { Found } from './statement.ts'

type Words = readonly string[]

const BY_STEM = kindsByStem(PROGRESS_STEMS)
/** Words by which an act is in progress. */
const AT_ONCE =
  wordSet(`الان حالا فورا الحين دلوقتي هلق هلا هسه توا لحظه لحظات ثواني ثانيه دقيقه عم قاعد قاعده
  قاعدين`)

/** Matches the first person of a verb in the present or the future, with what is joined behind it. */
const FIRST_PERSON =
  /^(?:سا|سن|س|ها|هن|ه|حا|حن|ح|با|بن|من|ب|ا|ن)(\p{L}{3,6}?)(ه|ها|هم|هو|هي|ياه|ياها)?(لك|لكم|لج|ليك|هولك|هالك|هالكم|ك)?$/u

const progressOf = memoize((word) => {
  const [, stem = '', object, toYou] =
    FIRST_PERSON.exec(withoutAnd(word)) ?? FIRST_PERSON.exec(word) ?? []
  const kinds = BY_STEM.get(stem) ?? BY_STEM.get(stem.replace(/^ا/u, ''))
  return kinds ? { kinds, hasObject: object !== undefined, isToYou: toYou !== undefined } : null
})

/** Returns the claims of an Arabic clause that an act is in progress. */
export function readArabicProgress(words: Words): Found[] {
  if (!words.some((word) => AT_ONCE.has(word))) return []
  for (const [at, word] of words.entries()) {
    const found = progressOf(word) ?? (words[at - 1] === 'عم' ? progressOf(`ا${word}`) : null)
    if (!found || isHedged(words, at)) continue
    const behind = words.slice(at + 1, at + 5)
    const isAbout =
      found.hasObject ||
      found.isToYou ||
      behind.some((one) => isTheirs(one) || isLatinThing(one) || YOU_WORDS.has(one))
    if (isAbout) return [{ form: 'now', kinds: found.kinds, word }]
  }
  return []
}
