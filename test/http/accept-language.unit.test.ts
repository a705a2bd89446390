import { expect, test } from 'vitest'
import { readAcceptLanguage } from '../../src/http/accept-language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['ar', 'ar'],
  ['AR-sa', 'ar'],
  ['ar-SA,ar;q=0.9,en;q=0.8', 'ar'],
  ['en-GB,en;q=0.9,ar;q=0.8', 'en'],
  ['fr, ar;q=0.5, en;q=0.4', 'ar'],
  ['fr', 'en'],
  ['*', 'en'],
  ['*;q=0.1, ar;q=0.2', 'ar'],
  ['en, ar', 'en'],
  ['ar, en', 'ar'],
  ['ar;q=0, en;q=0.1', 'en'],
  ['ar;q=0', 'en'],
  ['ar ; q=0.7', 'ar'],
  ['ar;q=2', 'en'],
  ['ar;q=abc', 'en'],
  ['arx', 'en'],
  [`${'x,'.repeat(100_000)}ar`, 'en'],
])('Accept-Language %j is answered in %s', (header, language) => {
  expect(readAcceptLanguage(header)).toBe(language)
})
