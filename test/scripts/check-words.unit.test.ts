/** Texts of dictionaries that no code uses are reported. */
import { expect, test } from 'vitest'
import { findUnusedWords } from '../../scripts/words/find-unused.ts'

const WORDS = 'src/dashboard/flags/words.ts'
const dictionary = (...keys: string[]) => {
  const table = keys.map((key) => `${key}: '${key}'`).join(', ')
  return {
    file: WORDS,
    text: `export const words = defineWords({ en: { ${table} }, ar: { ${table} } })`,
  }
}
const code = (text: string, file = 'src/dashboard/flags/Flags.tsx') => ({ file, text })

test('a text that no code names is reported with its file', () => {
  expect(findUnusedWords([dictionary('title', 'lead'), code("t('title')")])).toEqual([
    `${WORDS}: no code uses the text lead`,
  ])
})

test.each([
  ["t('kind_red')", 'a string'],
  ['words.en.kind_red', 'a member'],
  ['const TONES = { kind_red: 1 }', 'a property'],
  ['t(`kind_${kind}`)', 'a composed key'],
  ['t(`${kind}_red`)', 'a key with a composed beginning'],
])('%s uses a text: %s', (text) => {
  expect(findUnusedWords([dictionary('kind_red'), code(text)])).toEqual([])
})

test('a key that another part of the dashboard composes is none of this dictionary', () => {
  const elsewhere = code('t(`kind_${kind}`)', 'src/dashboard/leads/Leads.tsx')
  expect(findUnusedWords([dictionary('kind_red'), elsewhere])).toHaveLength(1)
})

test('the sentences of facts and the names of a list are texts, too', () => {
  const texts = [
    "defineFacts<Facts>()({ en: { gone: 'Gone' }, ar: { gone: 'Gone' } })",
    "defineWordsOf<Kind>()({ en: { 'order.sent': 'Sent' }, ar: { 'order.sent': 'Sent' } })",
  ]
  const found = texts.map((text) => findUnusedWords([code(text, 'src/i18n/facts/flags.ts')]))
  expect(found).toEqual([
    ['src/i18n/facts/flags.ts: no code uses the text gone'],
    ['src/i18n/facts/flags.ts: no code uses the text order.sent'],
  ])
})
