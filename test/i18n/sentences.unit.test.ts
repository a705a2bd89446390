import { describe, expect, test } from 'vitest'
import type { Fact, FactCode } from '../../src/core/facts/fact.ts'
import { LANGUAGES } from '../../src/core/vocabulary/hooks.ts'
import { PROBLEM_CODES } from '../../src/core/vocabulary/problems.ts'
import { problemTitles } from '../../src/i18n/problem-titles.ts'
import { formatFact, SENTENCES, SUBJECTS } from '../../src/i18n/format-fact.ts'
import { SAMPLES, USUAL } from './samples.ts'

const CODES = Object.keys(SENTENCES.en) as FactCode[]
const samplesOf = (code: FactCode): Fact[] =>
  ((SAMPLES as Record<string, readonly object[]>)[code] ?? USUAL).map(
    (params) => ({ code, params }) as Fact,
  )

const BROKEN = /undefined|NaN|null\b|\[object|Infinity|\{n\}|\$\{| {2}|\s$|^\s/
const ARABIC_LETTER = /[\u0621-\u064A]/
const ARABIC_INDIC_DIGIT = /[\u0660-\u0669\u06F0-\u06F9]/

describe('Every code', () => {
  test.each(CODES)('%s is a whole sentence in both languages', (code) => {
    for (const fact of samplesOf(code)) {
      for (const language of LANGUAGES) {
        const text = formatFact(fact, language)
        // `null` is a type of JSON, shown by its name.
        expect(code === 'wrong_type' ? text.replace('null', 'x') : text).not.toMatch(BROKEN)
        expect(text).not.toMatch(ARABIC_INDIC_DIGIT)
        expect(text.match(/\u2068/g)?.length ?? 0).toBe(text.match(/\u2069/g)?.length ?? 0)
        expect(text.length).toBeGreaterThan(3)
      }
      expect(formatFact(fact, 'ar')).toMatch(ARABIC_LETTER)
    }
  })

  test.each(CODES)('%s shows the same parameters in both languages', (code) => {
    const readBy = LANGUAGES.map((language) => {
      const read = new Set<string>()
      for (const { params } of samplesOf(code)) {
        const watched = new Proxy(params, {
          get(target, name) {
            read.add(String(name))
            return Reflect.get(target, name) as unknown
          },
        })
        formatFact({ code, params: watched } as Fact, language)
      }
      return [...read].toSorted()
    })
    expect(readBy[0]).toEqual(readBy[1])
  })

  test('has different texts in the two languages', () => {
    const same = CODES.filter((code) =>
      samplesOf(code).every((fact) => formatFact(fact, 'en') === formatFact(fact, 'ar')),
    )
    expect(same).toEqual([])
  })
})

test('no code is in two subjects, where the later one would hide the earlier', () => {
  for (const language of LANGUAGES) {
    const codes = SUBJECTS.flatMap((subject) => Object.keys(subject[language]))
    expect(codes.filter((code, place) => codes.indexOf(code) !== place)).toEqual([])
  }
})

test('a problem has a title in both languages', () => {
  for (const code of PROBLEM_CODES) {
    expect(problemTitles.en[code]).toMatch(/^[A-Z]/)
    expect(problemTitles.ar[code]).toMatch(ARABIC_LETTER)
  }
})

test('a code that this version does not know is shown as it is', () => {
  const unknown = { code: 'of_a_later_version', params: {} } as unknown as Fact
  expect(formatFact(unknown, 'ar')).toBe('of_a_later_version')
})

test.each([
  ['free', 'الباقة المجانية'],
  ['starter', 'الباقة المبتدئة'],
  ['pro', 'الباقة الاحترافية'],
  ['business', 'باقة الأعمال'],
  ['of_old', 'باقة \u2068of_old\u2069'],
])('the plan %s is named in Arabic as on its page, an unknown one by its code', (plan, told) => {
  const text = formatFact({ code: 'webhooks_not_in_plan', params: { plan } }, 'ar')
  expect(text).toBe(`نقاط الاستقبال غير متاحة في ${told}.`)
})

describe('An Arabic sentence', () => {
  test.each([
    [1, 'دقيقة واحدة'],
    [2, 'دقيقتين'],
    [3, '3 دقائق'],
    [11, '11 دقيقة'],
    [100, '100 دقيقة'],
    [1_284, '1,284 دقيقة'],
  ])('counts %d minutes after a preposition as %s', (minutes, told) => {
    expect(formatFact({ code: 'too_many_tries', params: { minutes } }, 'ar')).toContain(
      `بعد ${told}.`,
    )
  })

  test('isolates a name that a person chose, and removes what could break out of the isolate', () => {
    const name = '\u2069\u202Eevil\nline'
    const text = formatFact({ code: 'unknown_step', params: { step: name } }, 'ar')
    expect(text).toContain('«\u2068evil line\u2069»')
  })

  test('differs from an English one, which isolates only text that is written from right to left', () => {
    const sentenceOf = (step: string) =>
      formatFact({ code: 'unknown_step', params: { step } }, 'en')
    expect(sentenceOf('start')).toContain('"start"')
    expect(sentenceOf('البداية')).toContain('"\u2068البداية\u2069"')
  })
})
