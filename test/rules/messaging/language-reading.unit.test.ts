import { expect, test } from 'vitest'
import { readLanguage } from '../../../src/rules/messaging/language-reading.ts'

const ARABIC = ['ar', 'AR', 'ar-SA', 'ar_EG', 'arabic', 'Arabic', ' ar ']
test.each(ARABIC)('values starting with ar mean Arabic: %s', (value) =>
  expect(readLanguage(value)).toBe('ar'),
)

test.each([
  'عربي',
  'عربى',
  'عربية',
  'العربية',
  'العربيه',
  'العَرَبِيَّة',
  'عربي (السعودية)',
  '\u200fعـربي',
])('so does "Arabic" in Arabic script: %s', (value) => expect(readLanguage(value)).toBe('ar'))

test.each(['en', 'EN-us', 'English'])('values starting with en mean English: %s', (value) =>
  expect(readLanguage(value)).toBe('en'),
)

const OTHERS = ['', '  ', 'fr', 'a', 'e', 'tr', 'ار', '["ar"]', '1025', 'fa-AR']
test.each(OTHERS)("anything else falls back to the contact's language: %j", (value) =>
  expect(readLanguage(value)).toBeNull(),
)
