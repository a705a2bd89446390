/**
 * Every text of the dashboard exists in both languages with the same values; a sign-in leads to pages of this
 * service alone, and each page is pictured.
 */
import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { detailWords } from '../../src/dashboard/assistant/replies/words-details.ts'
import { repliesWords } from '../../src/dashboard/assistant/replies/words.ts'
import { inboxWords } from '../../src/dashboard/inbox/words.ts'
import { MODEL_FAILURES } from '../../src/modules/models/model.ts'
import { HANDOVER_DETAILS, REPLY_STATES } from '../../src/core/vocabulary/assistant-setup.ts'
import { HANDOVER_REASONS } from '../../src/core/vocabulary/inbox.ts'
import type { Entry, Words } from '../../src/core/words/define-words.ts'
import { addressesOfRouter, pagesWithoutPicture } from '../../scripts/pictures/addresses.ts'
import { textsOf } from '../support/texts-of.ts'
import { ownPath } from '../../src/dashboard/sign-in/own-path.ts'

const FOLDER = path.join(import.meta.dirname, '../../src')
const files = globSync(
  ['dashboard/**/words{,-*}.ts', 'core/words/*-words.ts', 'rules/*/*-words.ts'],
  { cwd: FOLDER, exclude: ['dashboard/node_modules/**'] },
)

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

type Text = (typeof texts)[number]
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
/** Returns the values of a text. A form may leave the number out where the number selects the form. */
const valuesOf = (entry: Entry): string[] => {
  const names = new Set(textsOf(entry).flatMap(namesIn))
  return [...names].filter((name) => typeof entry === 'string' || name !== 'n').toSorted()
}

test('there are dictionaries', () => {
  expect(files.length).toBeGreaterThan(10)
  expect(texts.length).toBeGreaterThan(80)
})

/** A language is named in its own words, and a maker by the name it has. */
const ALIKE = [/ utc$/, / in_english_act$/, / openai$/, / anthropic$/]
/** The assistant asks a customer politely. */
const POLITE = /^rules\/.* typed$/
const isWord = (text: string) => /[a-z]{3}/.test(text.replaceAll(/\{\w+\}/g, ''))
const hasForm = ({ en, ar }: Text, wrong: RegExp) =>
  [...textsOf(en), ...textsOf(ar)].some((text) => wrong.test(text))

test.each<[title: string, isWrong: (text: Text) => boolean]>([
  [
    'Arabic names the same values as English',
    ({ en, ar }) => String(valuesOf(en)) !== String(valuesOf(ar)),
  ],
  [
    'an Arabic text that counts has all six forms',
    ({ ar }) => typeof ar !== 'string' && textsOf(ar).length !== 6,
  ],
  [
    'no text names a format: the dashboard writes every value in one way',
    (text) => hasForm(text, /\{\w+, /),
  ],
  ['no text is empty', ({ en, ar }) => textsOf(en).includes('') || textsOf(ar).includes('')],
  [
    'no text of Arabic is the English one',
    ({ key, en, ar }) =>
      String(textsOf(en)) === String(textsOf(ar)) &&
      textsOf(en).some(isWord) &&
      !ALIKE.some((one) => one.test(key)),
  ],
  [
    'no slash or arrow is between values, where the other direction would turn it',
    (text) => hasForm(text, /\}\s*(?:\/|→|->)\s*\{/),
  ],
  [
    'the texts say what happened, without please, oops or exclamation marks',
    (text) => hasForm(text, /!|\bplease\b|\boops\b|successfully/i) && !POLITE.test(text.key),
  ],
])('%s', (_, isWrong) => {
  expect(texts.filter(isWrong).map(({ key }) => key)).toEqual([])
})

test('every code of a reply has words: why it handed over, why it ended, why a model was silent', () => {
  const said = new Set<string>([...HANDOVER_DETAILS, ...MODEL_FAILURES])
  expect(Object.keys(detailWords.en).toSorted()).toEqual([...said].toSorted())
  expect(REPLY_STATES.filter((state) => !(`state_${state}` in repliesWords.en))).toEqual([])
  expect(HANDOVER_REASONS.filter((reason) => !(`reason_${reason}` in inboxWords.en))).toEqual([])
})

const OWN = 'https://shop.example'

test.each(['/', '/p/7/inbox', '/p/7/contacts?q=%D8%A3#top', '/a//b'])(
  'a sign-in leads to %s',
  (next) => {
    expect(ownPath(next, OWN)).toBe(next)
  },
)

test.each([
  undefined,
  '',
  'p/7',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '\\\\elsewhere.example',
  'https://elsewhere.example/',
  'https:elsewhere.example',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '/@elsewhere.example\u0000//',
])('a sign-in never leads to %j', (next) => {
  expect(new URL(ownPath(next, OWN), OWN).origin).toBe(OWN)
})

/** Every page of the dashboard is looked at by `npm run screenshots`. */
test('no page of the router is left out of the pictures', () => {
  expect(addressesOfRouter()).toContain('/p/$company/assistant/replies/$reply')
  expect(addressesOfRouter().length).toBeGreaterThan(60)
  expect(pagesWithoutPicture()).toEqual([])
})
