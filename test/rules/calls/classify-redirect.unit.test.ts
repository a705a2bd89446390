import { expect, test } from 'vitest'
import { classifyRedirect } from '../../../src/rules/calls/classify-redirect.ts'

const FROM = 'https://api.shop.example/orders'
/** An origin of 300 characters. */
const LONGEST = `https://${'a.'.repeat(142)}example.`.padEnd(300, 'x')

test.each([
  ['/login', { kind: 'same_server' }],
  ['https://api.shop.example/other?x=1', { kind: 'same_server' }],
  ['http://api.shop.example/orders', { kind: 'elsewhere', origin: 'http://api.shop.example' }],
  ['https://id.example/login?token=x', { kind: 'elsewhere', origin: 'https://id.example' }],
  [`${LONGEST}/path`, { kind: 'elsewhere', origin: LONGEST }],
  [`${LONGEST}y/path`, { kind: 'unknown' }],
  ['ftp://files.example', { kind: 'unknown' }],
  ['https://', { kind: 'unknown' }],
])('a redirect to %s', (location, target) => {
  expect(classifyRedirect(FROM, [['Location', location]])).toEqual(target)
})

test('a redirect without a location has no known target', () => {
  expect(classifyRedirect(FROM, [])).toEqual({ kind: 'unknown' })
})
