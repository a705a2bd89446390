/** Every text of the dashboard stands in both languages, and says the same values. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { detailWords } from '../../src/dashboard/assistant/replies/words-details.ts'
import { repliesWords } from '../../src/dashboard/assistant/replies/words.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { MODEL_FAILURES } from '../../src/models/model.ts'
import { HANDOVER_DETAILS, REPLY_STATES } from '../../src/vocabulary/assistant-setup.ts'
import { HANDOVER_REASONS } from '../../src/vocabulary/inbox.ts'
import type { Entry, Words } from '../../src/dashboard/words/define-words.ts'

const FOLDER = path.join(import.meta.dirname, '../../src/dashboard')
const files = globSync('**/words{,-*}.ts', { cwd: FOLDER, exclude: ['node_modules/**'] })

const dictionaries = await Promise.all(
  files.flatMap((file) => [
    import(path.join(FOLDER, file)).then((module) => ({
      file,
      tables: Object.values(module as Record<string, Words>).filter((table) => 'ar' in table),
    })),
  ]),
)
const texts = dictionaries.flatMap(({ file, tables }) =>
  tables.flatMap(({ en, ar }) =>
    Object.keys(en).map((key) => ({ key: `${file} ${key}`, en: en[key]!, ar: ar[key]! })),
  ),
)

const formsOf = (entry: Entry): string[] =>
  typeof entry === 'string' ? [entry] : Object.values(entry)
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
/** Where a number picks the form, a form may leave the number out. */
const valuesOf = (entry: Entry): string[] => {
  const names = new Set(formsOf(entry).flatMap(namesIn))
  return [...names].filter((name) => typeof entry === 'string' || name !== 'n').toSorted()
}

test('there are dictionaries', () => {
  expect(files.length).toBeGreaterThan(10)
  expect(texts.length).toBeGreaterThan(80)
})

test('Arabic names the same values as English', () => {
  const wrong = texts.filter(({ en, ar }) => String(valuesOf(en)) !== String(valuesOf(ar)))
  expect(wrong.map(({ key }) => key)).toEqual([])
})

test('an Arabic text that counts has all six forms', () => {
  const wrong = texts.filter(({ ar }) => typeof ar !== 'string' && formsOf(ar).length !== 6)
  expect(wrong.map(({ key }) => key)).toEqual([])
})

test('no text is empty, and none of Arabic is the English one', () => {
  const isWord = (text: string) => /[a-z]{3}/.test(text.replaceAll(/\{\w+\}/g, ''))
  const wrong = texts.filter(
    ({ en, ar }) =>
      formsOf(en).includes('') ||
      formsOf(ar).includes('') ||
      (String(formsOf(en)) === String(formsOf(ar)) && formsOf(en).some(isWord)),
  )
  // A language is named in its own words, and a maker by the name it has.
  const ALIKE = [/ utc$/, / in_english_act$/, / openai$/, / anthropic$/]
  expect(wrong.map(({ key }) => key).filter((key) => !ALIKE.some((one) => one.test(key)))).toEqual(
    [],
  )
})

test('no slash or arrow stands between values, where the other direction would turn it', () => {
  const wrong = texts.filter(({ en, ar }) =>
    [...formsOf(en), ...formsOf(ar)].some((text) => /\}\s*(?:\/|→|->)\s*\{/.test(text)),
  )
  expect(wrong.map(({ key }) => key)).toEqual([])
})

/** Words that the glossary puts aside, since they mean something else or sound like an office. */
const PUT_ASIDE =
  /خطّاف|خطاف|صندوق الوارد|نقطة نهاية|نقاط النهاية|تدفق|زناد|محتجز|تدوير|إلغاء الاشتراك|رسالة ميتة|نافذة الخدمة|ساخن|يرجى|نأسف|تم القيام|عفوًا/

test('the Arabic texts use the words of the glossary', () => {
  const wrong = texts.filter(({ ar }) => formsOf(ar).some((text) => PUT_ASIDE.test(text)))
  expect(wrong.map(({ key }) => key)).toEqual([])
})

test('the English texts say what happened, without please, oops or exclamation marks', () => {
  const wrong = texts.filter(({ en, ar }) =>
    [...formsOf(en), ...formsOf(ar)].some((text) =>
      /!|\bplease\b|\boops\b|successfully/i.test(text),
    ),
  )
  expect(wrong.map(({ key }) => key)).toEqual([])
})

test('what code says of replies has words: why it handed over, why they ended, why a model was silent', () => {
  const said = new Set<string>([...HANDOVER_DETAILS, ...MODEL_FAILURES])
  expect(Object.keys(detailWords.en).toSorted()).toEqual([...said].toSorted())
  expect(REPLY_STATES.filter((state) => !(`state_${state}` in repliesWords.en))).toEqual([])
  expect(HANDOVER_REASONS.filter((reason) => !(`reason_${reason}` in inboxWords.en))).toEqual([])
})
