import { describe, expect, test } from 'vitest'
import { foldText } from '../../../src/rules/text/fold-text.ts'
import { arabiziRoot, wordRoot } from '../../../src/rules/text/word-root.ts'

const rootOf = (word: string) => wordRoot(foldText(word))

describe('What the forms of one word have in common', () => {
  test.each([
    ['توصيل', ['نوصل', 'توصلون', 'بتوصلو', 'يوصل']],
    ['موعد', ['مواعيد', 'الميعاد']],
    ['اشتراك', ['اشتراكي', 'مشتركين']],
    ['تفتحون', ['منفتح', 'مفتوح', 'بتفتحوا']],
    ['نقطة', ['نقاط']],
    ['delivery', ['deliver', 'deliveries', 'delivering']],
    ['price', ['pricing', 'prices']],
    ['colour', ['colors']],
  ])('%s', (word, forms) => {
    expect(forms.map((form) => [form, rootOf(form)])).toEqual(
      forms.map((form) => [form, rootOf(word)]),
    )
  })

  test.each([
    ['سعر', 'سفر'],
    ['عيب', 'عيد'],
    ['size', 'seize'],
  ])('%s and %s have another', (one, other) => expect(rootOf(one)).not.toBe(rootOf(other)))

  test.each([
    ['daf3', 'الدفع'],
    ['knafeh', 'كنافة'],
    ['mawqi3kom', 'موقع'],
  ])('Arabic in Latin letters: %s is %s', (typed, word) => {
    expect(arabiziRoot(typed)).toBe(rootOf(word))
  })

  test.each(['42', 'a', 'price-list', 'سعر'])('%s is none', (word) => {
    expect(arabiziRoot(word)).toBeNull()
  })
})
