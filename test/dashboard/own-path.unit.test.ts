/** Where a sign-in may lead: to pages of this service alone. */
import { expect, test } from 'vitest'
import { ownPath } from '../../src/dashboard/sign-in/own-path.ts'

const OWN = 'https://shop.example'

test.each(['/', '/p/7/inbox', '/p/7/contacts?q=%D8%A3#top', '/a//b'])('to %s', (next) => {
  expect(ownPath(next, OWN)).toBe(next)
})

test.each([
  undefined,
  '',
  'p/7',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '\\\\elsewhere.example',
  'https://elsewhere.example/',
  'https:elsewhere.example',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '/@elsewhere.example\u0000//',
])('never to %j', (next) => {
  expect(new URL(ownPath(next, OWN), OWN).origin).toBe(OWN)
})
