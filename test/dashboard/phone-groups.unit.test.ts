import { expect, test } from 'vitest'
import { phoneGroups } from '../../src/dashboard/parts/phone-groups.ts'

test.each([
  ['+966501234567', '+966 50 123 4567'],
  ['+201001234567', '+20 100 123 4567'],
  ['+14155550123', '+1 415 555 0123'],
  ['0501234567', '0501234567'],
])('the number %s is shown as %s', (phone, shown) => {
  expect(phoneGroups(phone).join(' ')).toBe(shown)
})
