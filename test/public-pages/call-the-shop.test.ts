/** The link of a public page that calls the shop. */
import { expect, test } from 'vitest'
import { writeCall } from '../../src/http/public-pages/shop-markup.ts'

test.each([
  ['+966 (11) 234-5678', '+966112345678'],
  ['٠١١ ٢٣٤ ٥٦٧٨', '0112345678'],
  ['+۹۸ ۲۱ ۱۲۳۴', '+98211234'],
])('dials a number that the shop wrote as %s', async (phone, dialled) => {
  const link = String(await writeCall('ar', { phone }))
  expect(link).toContain(`href="tel:${dialled}"`)
  expect(link).toContain(phone)
})

test('is not there where the shop tells none', () => {
  expect(writeCall('ar', { phone: null })).toBe('')
})
