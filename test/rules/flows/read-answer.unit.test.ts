/** The answer that a message gives to a question. Flows › Questions. */
import { describe, expect, test } from 'vitest'
import { buttonPayload, readButtonPayload } from '../../../src/rules/flows/button-payload.ts'
import { readAnswer, type Question } from '../../../src/rules/flows/read-answer.ts'

const RUN = '01a1fd55-7a80-7278-823e-2ce24018e90d'
const ASKED = {
  runId: RUN,
  stepId: 'ask',
  country: 'SA',
  // It is the 8th already in Riyadh.
  now: new Date('2026-12-07T22:00:00.000Z'),
  zone: 'Asia/Riyadh',
}
const SIZES = [
  { value: 's', label: 'Small' },
  { value: 'm', label: 'Medium' },
  { value: 'l', label: 'كبيرة' },
]
const CHOICE: Question = { kind: 'choice', options: SIZES }

const say = (question: Question, text: string | null, type = 'text') =>
  readAnswer(question, { id: 'm_1', type, text, buttonPayload: null }, ASKED)
const tap = (question: Question, label: string, option: number, of: object = {}) => {
  const payload = buttonPayload({ runId: RUN, stepId: 'ask', option, ...of })
  const message = { id: 'm_1', type: 'text', text: label, buttonPayload: payload }
  return readAnswer(question, message, ASKED)
}

describe('A number is kept in one form, and nothing else is a number:', () => {
  test.each([
    ['١٢٫٥', '12.5'],
    ['۱۲', '12'],
    ['007', '7'],
    ['1.05', '1.05'],
    [' \u200f 7 ', '7'],
    ['-0.0', '0'],
    ['1,234,567.80', '1234567.8'],
    ['١٬٥٠٠', '1500'],
    ['١،٥٠٠', '1500'],
    ['١،٢٣٤،٥٦٧٫٨', '1234567.8'],
    ['−5', '-5'],
    ['9007199254740993', '9007199254740993'],
    ['1,23', null],
    ['١،٢٣', null],
    ['12 pieces', null],
    ['1e5', null],
    ['', null],
  ])('%s', (text, kept) => expect(say({ kind: 'number' }, text)).toBe(kept))

  test('within its bounds, both included', () => {
    const question: Question = { kind: 'number', min: 5, max: 10 }
    const kept = ['4.99', '5', '10', '10.01'].map((text) => say(question, text))
    expect(kept).toEqual([null, '5', '10', null])
  })
})

describe('A date is', () => {
  test.each([
    ['2027-03-05', '2027-03-05'],
    ['٥/٣/٢٠٢٧', '2027-03-05'],
    ['5.3.2027', '2027-03-05'],
    ['5 مارس 2027', '2027-03-05'],
    ['٥ آذار ٢٠٢٧', '2027-03-05'],
    ['March 5th, 2027', '2027-03-05'],
    ['today', '2026-12-08'],
    ['بكرة', '2026-12-09'],
    ['29/2/2027', null],
    ['12/31/2026', null],
    ['5-3/2027', null],
    ['5/3', null],
    ['5 Foo 2027', null],
  ])('%s', (text, kept) => expect(say({ kind: 'date' }, text)).toBe(kept))
})

describe('A date names its month', () => {
  test.each([
    ['01', 'january|Jan|يناير|كانون الثاني|جانفي'],
    ['02', 'february|Feb|فبراير|شباط|فيفري'],
    ['03', 'march|Mar|مارس|آذار'],
    ['04', 'april|Apr|أبريل|نيسان|أفريل'],
    ['05', 'may|مايو|أيار|ماي'],
    ['06', 'june|Jun|يونيو|يونيه|حزيران|جوان'],
    ['07', 'july|Jul|يوليو|يوليه|تموز|جويلية'],
    ['08', 'august|Aug|أغسطس|آب|أوت'],
    ['09', 'september|Sep|Sept|سبتمبر|أيلول'],
    ['10', 'october|Oct|أكتوبر|تشرين الأول'],
    ['11', 'november|Nov|نوفمبر|تشرين الثاني'],
    ['12', 'december|Dec|ديسمبر|كانون الأول'],
  ])('%s: %s', (month, names) => {
    const dates = names.split('|').map((name) => say({ kind: 'date' }, `5 ${name} 2027`))
    expect(new Set(dates)).toEqual(new Set([`2027-${month}-05`]))
  })
})

test('A long row of dashes is no date, which is found quickly', () => {
  const rows = ['-', ' -', ', ', '،'].map((dash) => `1${dash.repeat(4_096 / dash.length)}x`)
  expect(rows.map((row) => say({ kind: 'date' }, row))).toEqual(rows.map(() => null))
})

describe('Yes and no are', () => {
  test.each([
    ['Yes!', 'yes'],
    ['نَعَمْ', 'yes'],
    ['ايوة', 'yes'],
    ['ok, thank you', 'yes'],
    ['👍', 'yes'],
    ['لأ', 'no'],
    ['لا شكراً', 'no'],
    ['٢', 'no'],
    ['3', null],
    ['yes but later', null],
    ['لازم', null],
  ])('%s', (text, kept) => expect(say({ kind: 'yes_no' }, text)).toBe(kept))

  test('a tap on the second of its buttons is no, whatever it says', () => {
    expect(tap({ kind: 'yes_no' }, 'نعم', 1)).toBe('no')
    expect(tap({ kind: 'yes_no' }, 'نعم', 7)).toBeNull()
  })
})

describe('A choice takes', () => {
  test.each([
    ['a label, however it is written', ' كبيره ', 'l'],
    ['a number', '٢', 'm'],
    ['a number as a list shows it', '2)', 'm'],
    ['a keycap', '2\ufe0f\u20e3', 'm'],
    ['no number beyond the last', '4', null],
    ['no part of a label', 'Smal', null],
    ['no label among other words', 'I want small', null],
  ])('%s', (_, text, kept) => expect(say(CHOICE, text)).toBe(kept))

  test('the tap on its own option, by its position', () => {
    expect(tap(CHOICE, 'Small', 1)).toBe('m')
    expect(tap(CHOICE, 'Small', 3)).toBeNull()
  })

  test.each([
    ['an older question of the run', { stepId: 'asked_before' }],
    ['a template of the run', { stepId: null }],
    ['another run', { runId: RUN.replace('0d', '0e') }],
  ])('the tap on %s by its label alone', (_, of) => {
    expect(tap(CHOICE, 'Medium', 0, of)).toBe('m')
    expect(tap(CHOICE, 'Blue', 0, of)).toBeNull()
    expect(tap(CHOICE, '2', 0, of)).toBeNull()
  })

  test('a label that is a number before the number of an option', () => {
    const options = ['10', '20', '2'].map((label) => ({ value: `is ${label}`, label }))
    expect(say({ kind: 'choice', options }, '2')).toBe('is 2')
    expect(say({ kind: 'choice', options }, '1')).toBe('is 10')
  })
})

describe('Other kinds of questions:', () => {
  test('a text is kept as it was written, within its length in characters; a caption is none', () => {
    expect(say({ kind: 'text' }, ' Sara\nAli ')).toBe('Sara\nAli')
    expect(say({ kind: 'text', max: 3 }, '👍👍👍')).toBe('👍👍👍')
    expect(say({ kind: 'text', min: 3 }, 'ab')).toBeNull()
    expect(say({ kind: 'text' }, 'my house', 'image')).toBeNull()
    expect(say({ kind: 'text' }, ' \n')).toBeNull()
  })

  test('a phone is read as a hook reads it, in the country of the channel', () => {
    expect(say({ kind: 'phone' }, '٠٥٠ ١٢٣ ٤٥٦٧')).toBe('+966501234567')
    expect(say({ kind: 'phone' }, '12345')).toBeNull()
  })

  test.each([
    ['sara.ali+shop@mail.example.com', true],
    ['sara@example', false],
    ['.sara@example.com', false],
    ['sara ali@example.com', false],
    ['sara@exam_ple.com', false],
    ['sara@-example.com', false],
    ['sara@example.1', false],
    ['sara@example.com.', false],
    [`${'a'.repeat(65)}@example.com`, false],
  ])('the e-mail address %s counts: %s', (text, counts) => {
    expect(say({ kind: 'email' }, text)).toBe(counts ? text : null)
  })

  test('media is the id of the message that brings a file', () => {
    for (const type of ['image', 'document', 'audio', 'video'])
      expect(say({ kind: 'media' }, null, type)).toBe('m_1')
    for (const type of ['text', 'contact', 'location', 'sticker'])
      expect(say({ kind: 'media' }, 'x', type)).toBeNull()
  })
})

test('the payload of a button is read back, and no other text is', () => {
  for (const stepId of ['which_size', null]) {
    const pressed = { runId: RUN, stepId, option: 2 }
    expect(readButtonPayload(buttonPayload(pressed))).toEqual(pressed)
  }
  expect(readButtonPayload(`run:${RUN}:a b:1`)).toBeNull()
  expect(readButtonPayload('run:x:1')).toBeNull()
  expect(readButtonPayload(null)).toBeNull()
})
