import { describe, expect, test } from 'vitest'
import { foldText } from '../../../src/rules/text/fold-text.ts'
import { arabiziRoot, wordRoot } from '../../../src/rules/text/word-root.ts'

const rootOf = (word: string) => wordRoot(foldText(word))

describe('The root of a word', () => {
  test.each([
    ['توصيل', ['نوصل', 'توصلون', 'بتوصلو', 'يوصل']],
    ['موعد', ['مواعيد', 'الميعاد']],
    ['اشتراك', ['اشتراكي', 'مشتركين']],
    ['تفتحون', ['منفتح', 'مفتوح', 'بتفتحوا']],
    ['نقطة', ['نقاط']],
    ['delivery', ['deliver', 'deliveries', 'delivering']],
    ['price', ['pricing', 'prices']],
    ['colour', ['colors']],
  ])('is the same for all forms of %s', (word, forms) => {
    expect(forms.map((form) => [form, rootOf(form)])).toEqual(
      forms.map((form) => [form, rootOf(word)]),
    )
  })

  test.each([
    ['سعر', 'سفر'],
    ['عيب', 'عيد'],
    ['size', 'seize'],
  ])('differs for %s and %s', (one, other) => expect(rootOf(one)).not.toBe(rootOf(other)))

  test.each([
    ['daf3', 'الدفع'],
    ['knafeh', 'كنافة'],
    ['mawqi3kom', 'موقع'],
    ["3'urfa", 'غرفة'],
    ['ghurfa', 'غرفة'],
    ["7'idma", 'خدمة'],
    ['khidma', 'خدمة'],
    ['shokr', 'شكر'],
    ['chokr', 'شكر'],
    ['thaman', 'ثمن'],
    ['dhakar', 'ذكر'],
  ])('is found for Arabic in Latin letters: %s is %s', (typed, word) => {
    expect(arabiziRoot(typed)).toBe(rootOf(word))
  })

  test.each(['42', 'a', 'price-list', 'سعر'])(
    'is none for %s, which is no Arabic in Latin letters',
    (word) => {
      expect(arabiziRoot(word)).toBeNull()
    },
  )
})
