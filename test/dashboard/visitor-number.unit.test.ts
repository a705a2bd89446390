/** The names of website visitors who gave none. */
import { expect, test } from 'vitest'
import { visitorNumber } from '../../src/dashboard/parts/visitor-number.ts'

test('nameless visitors have five-digit numbers that distinguish them and never change', () => {
  const ids = Array.from({ length: 30 }, (_, at) => `c_018f00000000700080000000000000${at + 10}`)
  const numbers = ids.map(visitorNumber)
  expect(new Set(numbers).size).toBe(ids.length)
  for (const number of numbers) expect(number).toMatch(/^[1-9]\d{4}$/)
  expect(ids.map(visitorNumber)).toEqual(numbers)
})
