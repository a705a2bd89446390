import { describe, expect, test } from 'vitest'
import { searchTerms } from '../../../src/rules/text/search-terms.ts'

const haveOneInCommon = (one: string, other: string) =>
  searchTerms(one).some((term) => searchTerms(other).includes(term))

describe('The terms that a text is searched by', () => {
  test.each([
    ['التوصيل', 'توصيل'],
    ['وللتوصيل', 'توصيل'],
    ['وبالرياض', 'الرياض'],
    ['العياده', 'عيادة'],
    ['ﺍﻟﺘﻮﺻﻴﻞ', 'تَوصيــل'],
    ['deliveries', 'Delivery'],
    ['addresses', 'address'],
    ['flies', 'fly'],
    ['ties', 'tie'],
    ['the shop’s hours', 'shop'],
    ['الـdelivery', 'delivery'],
    ['٢٥ريال', 'ريال'],
    ['١٥٬٠٠٠', '15,000'],
  ])('are the same for %s and %s', (one, other) => expect(haveOneInCommon(one, other)).toBe(true))

  test.each([
    ['ولد', 'لد'],
    ['الم', 'م'],
    ['سعر', 'سفر'],
    ['price', 'prize'],
    ['42', '420'],
    ['bus', 'bu'],
  ])('differ for %s and %s', (one, other) => expect(haveOneInCommon(one, other)).toBe(false))

  test('are unique, in their order', () => {
    expect(searchTerms('Price of delivery, delivery price')).toEqual(['price', 'of', 'delivery'])
  })

  test.each(['؟؟؟', '   ', '', '\u200f', '👍', '...'])('are none for %j', (text) => {
    expect(searchTerms(text)).toEqual([])
  })

  const LONG = ['ا'.repeat(5_000), 'a'.repeat(5_000), '王'.repeat(900), '½ Ⅻ ﷺ ǆ 한국']
  test.each(LONG)('are short, in ASCII letters and digits, whatever was written', (text) => {
    for (const term of searchTerms(text)) expect(term).toMatch(/^[a-z0-9]{1,64}$/)
  })
})
