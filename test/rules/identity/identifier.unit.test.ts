import { expect, test } from 'vitest'
import { identifiersOf } from '../../../src/rules/identity/identifier.ts'

const CUSTOMER = { number: '966501112233', providerUserId: '77' }

test.each([
  ['website', ['r1:77', '966501112233']],
  ['whatsapp', ['966501112233', 'r1:77']],
])('a conversation on %s is filed under the first of %j', (type, filedUnder) => {
  const identifiers = identifiersOf(CUSTOMER, { type, route: 'r1' })
  expect(identifiers.map((identifier) => identifier.filedUnder)).toEqual(filedUnder)
})
