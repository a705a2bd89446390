import { expect, test } from 'vitest'
import { acceptsEncoding } from '../../src/http/accept-encoding.ts'

test.each([
  ['gzip', true],
  ['br, GZIP ;q=0.5', true],
  ['identity, gzip; q=0', false],
  ['gzip;q=0.000', false],
  ['x-gzip', false],
  ['*', false],
  ['', false],
  [undefined, false],
] as const)('%j accepts gzip: %s', (header, isAccepted) => {
  expect(acceptsEncoding(header, 'gzip')).toBe(isAccepted)
})
