/** Splits Arabic verbs of acts into stem, person, object and recipient. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import { BECAME, STEMS } from '../../../core/vocabulary/statements/arabic.ts'
import type { ClaimKind } from '../../../core/vocabulary/statements/kinds.ts'
import { memoize } from '../../text/memoize.ts'
import { kindsByStem } from './arabic-words.ts'

/** The kinds of acts of each perfect stem. */
export const BY_STEM = kindsByStem(STEMS)
const BY_BECAME = kindsByStem(BECAME)

/**
 * Returns the stem of a verb of giving with the customer as its object: «منحناك خصماً»; undefined for any other word.
 */
export const givenStemOf = memoize((word) => GIVEN.exec(word)?.[1])
const GIVEN =
  /^(منح|اعطي|عطي|زود|سجل|رقي|نقل|اضف|ضف|اعفي|عفي|شل|شيل|حذف|مسح|ضيف|دخل)(?:ت|نا)(?:ك|كم|ج)$/u

/**
 * Returns whether a word says "I did it for you" of an unknown verb, as «عملنالك». What was found, said or brought for
 * the customer is no deed.
 */
export const isForYouAlone = memoize((word) => {
  const [, stem] =
    /^(\p{L}{2,6}?)(?:ت|نا)(?:ها|هم|هو)?(?:لك|لكم|لج|ليك|لكو|الك|الكم)$/u.exec(word) ?? []
  return stem !== undefined && ownActOf(word) === null && !MILD.has(stem)
})
const MILD =
  wordSet(`قل ذكر شرح وضح لقي وجد جب دور بحث شف حكي فهم سمع علم عرف قرا نسي تذكر راجع فحص تاكد تحقق سال
  جمع اختر رشح نقي نصح كان كن صار طلع ظهر وصل عند لدي مع ف من هن قر كتب عرض حسب عطي قارن قارنت
  جاوب رد ترجم خترت خير شو دل قدر حب خل عد`)

/** Matches "I did", which "she did" is written like; a verb of this list is of what came, went or was found. */
const DID = /^(\p{L}{2,6})(?:ت|نا)$/u
const NO_DEEDS =
  wordSet(`وصل تاخر انته ظهر نفد نفذ تاه ضاع تعطل انكسر شحن سلم جهز غلف طلع خرج دخل جا جاي زي كان صار
  بقي باق عاد استلم استقبل بيان بيانا معلوما بن وق بي لي ليس حي موق صو ذا انتظر اعجب ناسب كف
  حال كل تم جر اعتذر شكر نور شرف سعد تشرف فرح اشتق حزن رحب اهتم`)

/** Returns whether a word may say "I did" of a verb that is not listed. */
export const isUnknownDeed = memoize((word) => {
  const [, stem] = DID.exec(word) ?? []
  if (
    stem === undefined ||
    stem.startsWith('ال') ||
    word.endsWith('ات') ||
    /^[بلك]/u.test(word) ||
    ownActOf(word) !== null
  )
    return false
  return !MILD.has(stem) && !NO_DEEDS.has(stem)
})

/** Conjunctions before a repetition of the customer's words. */
export const SAYS_THAT = new Set(['ان', 'انه', 'انها', 'انو', 'انك', 'اني', 'انكم'])

type OwnAct = { kinds: readonly ClaimKind[]; isToYou: boolean; hasObject: boolean }

/**
 * Returns the kinds of the act that a verb says "I" or "we" did, and whether it names an object and a recipient; null
 * for any other word.
 */
export const ownActOf = memoize((word): OwnAct | null => {
  for (const form of [word, word.replace(/^ا(?=\p{L}{4})/u, '')]) {
    for (const end of SPLITS) {
      const [, before, object, toYou] = end.exec(form) ?? []
      const kinds = before === undefined ? undefined : BY_STEM.get(before)
      if (kinds) return { kinds, isToYou: toYou !== undefined, hasObject: object !== undefined }
    }
  }
  return null
})

/** Patterns of a stem with "I" or "we", then the object, then the recipient. */
const TO_YOU = '(لك|لكم|لكن|لج|ليك|لكي|لكو|الك|الكم)?'
const SPLITS: readonly RegExp[] = ['نا', 'ت'].map(
  (person) => new RegExp(`^(\\p{L}{2,6})${person}(ه|ها|هم|هو|هن|هي|يه|وه|ها?ن|و)?${TO_YOU}$`, 'u'),
)

/**
 * Returns the parts of a verb such as «اتسجل» or «توقف», and the kinds of acts that it claims; `kinds` may be
 * undefined.
 */
export const becameParts = memoize((word) => {
  const [, prefix, stem] = /^(ات|ان|ت|ا)(\p{L}{2,6})$/u.exec(word) ?? []
  const [, plain = '', toYou] = /^(\p{L}{2,6}?)(لك|لكم|لج|ك|كم)?$/u.exec(stem ?? '') ?? []
  const bareStem = plain.replace(/(?<=\p{L}{3})(?:ه|ها)$/u, '')
  const kinds =
    stem === undefined
      ? undefined
      : (BY_BECAME.get(stem) ??
        BY_BECAME.get(plain) ??
        BY_BECAME.get(bareStem) ??
        BY_BECAME.get(stem.replace(/ك$/u, '')))
  return { prefix, stem, toYou, kinds }
})

/** Matches what happened to something: «انقبل», «اتأجل». */
const PASSIVE = /^(?:ات|ان)\p{L}{3,6}$/u
/** Words that are written alike, and states of an order that are no deed for the customer. */
const NO_PASSIVES =
  /^(?:انته|انتظ|اتصل|اتصا|اتفا|اتفق|اتاخر|انكسر|اتكسر|انشحن|اتشحن|اتسلم|انسلم|اتجهز|انت|انه|انك|انا|انو|اتوا|انتق|انسر|اتسر|انقط|اتقط|اتعط|انعط|اتجا|انطل|انتش|انتا|انخف|اندل|انفت|اتفت|اتخر|انتب|اتمن)/u

/** Returns whether a word says that something was done, by a verb that is not listed. */
export const isUnknownPassive = memoize((word) => PASSIVE.test(word) && !NO_PASSIVES.test(word))

/** Stems that mean "it was done" after ت; with the other stems ت means "she does" or "you do". */
export const T_STEMS =
  wordSet(`قدم قدمت لغي لغت كنسل كنسلت وقف وقفت غير غيرت عدل عدلت بدل بدلت اجل اجلت حدث مدد جدد سجل
  سجلت اكد اكدت كد كدت فعل فعلت ثبت ثبتت حول حولت`)
