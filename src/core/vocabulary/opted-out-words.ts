import { phraseList } from './word-set.ts'

/**
 * Words in imported files that mean "opted out" or "not opted out". Ambiguous marks such as `x` are not included.
 * They are compared folded, with `-` and `_` as spaces.
 */
export const OPTED_OUT_WORDS: Readonly<Record<'yes' | 'no', readonly string[]>> = {
  yes: phraseList(`
  yes | y | true | t | 1 | out | opted out | opt out | unsubscribed | unsubscribe | stop |
  stopped | blocked | نعم | صح | صحيح | غير مشترك | ألغى الاشتراك | إلغاء الاشتراك | إيقاف |
  موقوف | محظور
`),
  no: phraseList(`
  no | n | false | f | 0 | in | opted in | opt in | subscribed | active | لا | خطأ | مشترك |
  نشط
`),
}
