/** The format of dictionaries, for every part that shows texts. */
import { describe, expect, test } from 'vitest'
import { defineWords, defineWordsOf, type Entry } from '../../src/core/words/define-words.ts'
import { defineFacts } from '../../src/i18n/define-facts.ts'
import { writeText } from '../../src/i18n/write-text.ts'

const write = (entry: Entry, values: Readonly<Record<string, unknown>> = {}) =>
  writeText(entry, 'en', values)
const writeArabic = (entry: Entry, values: Readonly<Record<string, unknown>> = {}) =>
  writeText(entry, 'ar', values)

describe('A text', () => {
  test('inserts values, with separators in numbers', () => {
    expect(write('{n} of {limit}', { n: 2, limit: 1_500 })).toBe('2 of 1,500')
    expect(write('{port, plain}', { port: 8_080 })).toBe('8080')
    expect(write('{bytes, megabytes}', { bytes: 5_242_880 })).toBe('5 MB')
    expect(write('{at, utc}', { at: '2026-11-21T09:05:00.000Z' })).toBe('2026-11-21 09:05:00 UTC')
  })

  test('has a form for each plural form of its number', () => {
    const flows = { one: '1 flow', other: '{n} flows' }
    expect([1, 2].map((n) => write(flows, { n }))).toEqual(['1 flow', '2 flows'])
  })

  test('has a form for a value, a plural form, the length of a list, and any other value', () => {
    const left = {
      text: '{left}',
      forms: { left: { 0: 'none', one: 'one', other: '{left} left' } },
    }
    expect([0, 1, 5].map((n) => write(left, { left: n }))).toEqual(['none', 'one', '5 left'])
    const names = { text: 'for {names}', forms: { names: { 0: 'nobody', other: '{names}' } } }
    expect([[], ['a', 'b']].map((list) => write(names, { names: list }))).toEqual([
      'for nobody',
      'for a, b',
    ])
  })

  test('has forms inside of forms', () => {
    const entry = {
      text: '{status}',
      forms: {
        status: { done: 'Done', other: 'With {who}' },
        who: { null: 'nobody', other: '"{who}"' },
      },
    }
    expect(write(entry, { status: 'done', who: null })).toBe('Done')
    expect(write(entry, { status: 'open', who: null })).toBe('With nobody')
    expect(write(entry, { status: 'open', who: 'Sara' })).toBe('With "Sara"')
    expect(write(entry, { status: 'open', who: 'constructor' })).toBe('With "constructor"')
  })

  test('shows double braces as they are, and puts a value into double braces', () => {
    expect(write('Use {{opt_out_link}} or {{{name}}}', { name: 'a.b' })).toBe(
      'Use {{opt_out_link}} or {{a.b}}',
    )
  })

  test('isolates names and codes, and only the value of a list item', () => {
    expect(writeArabic('«{name}» `POST {path}`', { name: 'Sara', path: '/a' })).toBe(
      '«\u2068Sara\u2069» \u2068POST /a\u2069',
    )
    expect(writeArabic('{names, quoted or}', { names: ['a', 'b'] })).toBe(
      '«\u2068a\u2069» أو «\u2068b\u2069»',
    )
    expect(write('`POST {path}`', { path: '/a' })).toBe('POST /a')
  })

  test('counts with a term, also after an Arabic preposition', () => {
    expect(write('{n, minute}', { n: 1 })).toBe('1 minute')
    expect(write('{n, plain character}', { n: 4_096 })).toBe('4096 characters')
    expect([2, 3].map((n) => writeArabic('{n, minute}', { n }))).toEqual(['دقيقتان', '3 دقائق'])
    expect([2, 3].map((n) => writeArabic('{n, after minute}', { n }))).toEqual([
      'دقيقتين',
      '3 دقائق',
    ])
  })
})

/** Each mistake is an error of the compiler at the line after the comment. */
test('a mistake in a dictionary does not compile', () => {
  const english = { sent: 'Sent to {name}', flows: { one: '1 flow', other: '{n} flows' } } as const
  defineWords({
    en: english,
    // @ts-expect-error -- A key is missing.
    ar: { sent: 'أُرسل إلى {name}' },
  })
  defineWords({
    en: english,
    ar: {
      // @ts-expect-error -- The Arabic text does not insert the name.
      sent: 'أُرسل',
      // @ts-expect-error -- Plural forms are missing.
      flows: { two: 'مساران', other: '{n} مسار' },
    },
  })
  defineWords({
    en: english,
    ar: {
      // @ts-expect-error -- The Arabic text inserts another value.
      sent: 'أُرسل إلى {nmae}',
      flows: '{n} مسار',
    },
  })
  defineWordsOf<'a' | 'b'>()({
    // @ts-expect-error -- A word of the list is missing.
    en: { a: 'A' },
    ar: { a: 'أ' },
  })
  type Params = { gone: Record<string, never>; late: { days: number; state: 'on' | 'off' } }
  defineFacts<Params>()({
    // @ts-expect-error -- A code is missing.
    en: { gone: 'Gone.' },
    // @ts-expect-error -- A code is missing.
    ar: { gone: 'اختفى.' },
  })
  defineFacts<Params>()({
    en: {
      // @ts-expect-error -- The code has no such parameter.
      gone: 'Gone {when}.',
      // @ts-expect-error -- There is no such format.
      late: '{days, dayz} {state}',
    },
    ar: {
      // @ts-expect-error -- The code has no such parameter.
      gone: 'اختفى {when}.',
      // @ts-expect-error -- A value of the parameter has no form.
      late: { text: '{days, after day} {state}', forms: { state: { on: 'مفعّل' } } },
    },
  })
  expect(english.sent).toContain('{name}')
})
