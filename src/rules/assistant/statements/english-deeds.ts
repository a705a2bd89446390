/** Decides whether an English verb in the past, with what follows it, is an act for the customer. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { DENIALS, NO_DEEDS, TELLING } from '../../../core/vocabulary/statements/english.ts'
import { OTHERS, STAFF } from '../../../core/vocabulary/statements/english-promises.ts'
import { isTheirs as isArabicThing } from './arabic-words.ts'
import { isDeed, isThing } from './english-verbs.ts'

type Words = readonly string[]

/** Returns whether the past verb at an index is an act for the customer, after "I" or "we". */
export function isOwnDeed(words: Words, place: number, isWe: boolean): boolean {
  const verb = words[place]!
  const behind = words.slice(place + 1)
  const isNoOfIt = behind[0] === 'no' && ['added', 'noted', 'put', 'marked'].includes(verb)
  if (!isNoOfIt && behind.slice(0, 2).some((word) => DENIALS.has(word))) return false
  // "I left it as it was", "I kept it as it is".
  if (behind.slice(1, 3).join(' ') === 'as it' || behind[0] === 'as') return isDeedAs(behind)
  if (TELLING.has(verb) || verb === 'let') return isDeedOfTelling(verb, behind)
  if (verb === 'put' && behind[0] === 'together') return false
  if (isDeedByObject(verb, behind)) return true
  if (NO_DEEDS.has(verb) && !(verb === 'made' && !behind.includes('sure') && isThingNear(behind)))
    return false
  if (verb === 'made' && (behind.includes('sure') || behind.includes('mistake'))) return false
  // "I have taken note that you …"
  if (behind.slice(0, 3).includes('that') && behind.length > 3 && !isDeedOfThat(behind))
    return false
  return !isWe || OF_MONEY.has(verb) || isOfYou(behind)
}

/** Acts that a business does for a single customer alone. */
const OF_MONEY = wordSet('credited refunded reimbursed waived repaid')
const isOfYou = (behind: Words) =>
  !(behind.includes('last') && !behind.includes('your')) &&
  behind
    .slice(0, 8)
    .some((word) => ['your', 'you', 'it'].includes(word) || isThing(word) || isArabicThing(word))

/** Returns whether what follows makes an act of a verb that says none alone: "went ahead with", "got you a table". */
const isDeedByObject = (verb: string, behind: Words) =>
  behind.slice(0, 3).join(' ') === 'the liberty of' ||
  // "I did it", "I just did", "I did cancel it".
  (verb === 'did' &&
    (behind.length === 0 || isDeed(behind[0]!) || (behind.length < 4 && DID.has(behind[0]!)))) ||
  (verb === 'went' && behind.slice(0, 2).join(' ') === 'ahead with') ||
  (verb === 'got' && behind[0] === 'you' && GIVES_ONE.has(behind[1] ?? '')) ||
  (verb === 'kept' && behind.some(isThing) && behind.includes('you')) ||
  (RECORDED.has(verb) && isKept(behind))

const DID = wordSet('it that this so')

/** "I noted your gate code for the driver", "I wrote it in your file". */
const RECORDED = wordSet('noted marked recorded written wrote mentioned flagged put left')
const isKept = (behind: Words) =>
  behind.some((word, at) => {
    if (word === 'for')
      return behind.slice(at + 1, at + 4).some((one) => OTHERS.has(one) || STAFF.has(one))
    if (word !== 'in' && word !== 'on' && word !== 'to') return false
    return (
      ['your', 'the', 'our'].includes(behind[at + 1] ?? '') &&
      behind.slice(at + 2, at + 4).some((one) => FILES.has(one))
    )
  })
const FILES = wordSet(
  `file files account order profile record records system booking reservation ticket notes`,
)

const GIVES_ONE = wordSet('a an the one two three another some more')

const isDeedAs = (behind: Words) =>
  behind[0] === 'as' && (behind[1] === 'you' || behind[1] === 'requested')
const isThingNear = (behind: Words) => behind.slice(0, 5).some(isThing)
/** "I applied that coupon": what follows is no clause. */
const isDeedOfThat = (behind: Words) => !SUBJECTS.has(behind[behind.indexOf('that') + 1] ?? '')
const SUBJECTS = wordSet('i you we it he she they the your our this there a an my all some no')

/** Returns whether a verb of telling is an act: others were informed, or something was sent or confirmed. */
const isDeedOfTelling = (verb: string, behind: Words) =>
  (verb === 'confirmed' && behind[0] === 'your') ||
  isToldToOthers(behind) ||
  isSentToYou(verb, behind)

/** Returns whether a third person was informed, which is an act; informing the customer is none. */
function isToldToOthers(behind: Words): boolean {
  const isLetKnow = behind.slice(1, 6).includes('know') && behind[0] !== 'you' && behind[0] !== 'me'
  return isLetKnow || behind.slice(0, 4).some((word) => OTHERS.has(word))
}

/** "I emailed you the invoice." */
const isSentToYou = (verb: string, behind: Words) =>
  ['emailed', 'messaged', 'texted'].includes(verb) &&
  ((behind[0] === 'you' &&
    ['the', 'your', 'a', 'an'].includes(behind[1] ?? '') &&
    behind.slice(2, 6).some(isThing)) ||
    (['the', 'your', 'a', 'an', 'it', 'them', 'this', 'that'].includes(behind[0] ?? '') &&
      behind.slice(1).join(' ').endsWith('to you')))
