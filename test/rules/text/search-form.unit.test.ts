import { describe, expect, test } from 'vitest'
import { searchForm } from '../../../src/rules/text/search-form.ts'

describe('The form in which a text is searched', () => {
  test.each([
    ['أحمد', 'احمد'],
    ['فاطمة', 'فاطمه'],
    ['مُوسَى', 'موسي'],
    ['ســارة', 'ساره'],
    ['ﺗﻮﺻﻴﻞ', 'توصيل'],
    ['سؤال', 'سوال'],
    ['طلب ١٠٤٢', 'طلب 1042'],
    ['José', 'JOSE'],
    ['Al-Harbi', 'al harbi'],
  ])('is the same for %s and %s', (one, other) => expect(searchForm(one)).toBe(searchForm(other)))

  const TEXTS = ['مرحبا بكم', 'Иван', '王小明', 'cafe قهوة', '👍 ok', 'ß', 'پيبسي گلاس']
  test.each(TEXTS)('has only small ASCII letters, digits and single spaces for %s', (text) => {
    expect(searchForm(text)).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$/)
  })

  test.each([
    ['بنت', 'نبت'],
    ['سعر', 'سفر'],
    ['ت', 'ط'],
    ['ح', 'ه'],
    ['ث', 'س'],
    ['غ', 'ع'],
    ['Иван', 'Иуан'],
  ])('differs for %s and %s', (one, other) => expect(searchForm(one)).not.toBe(searchForm(other)))

  test('is empty for punctuation and emoji', () => expect(searchForm('—!؟ 👍')).toBe(''))
})
