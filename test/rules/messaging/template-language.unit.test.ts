import { describe, expect, test } from 'vitest'
import { pickTemplateVersion } from '../../../src/rules/messaging/template-language.ts'

const versions = ['en_US', 'ar_EG', 'ar', 'fr'].map((language) => ({ language }))

describe('the language version of a template', () => {
  test.each([
    ['is the exact one', ['ar', 'en'], 'ar'],
    ['is else a region of the language', ['en', 'ar'], 'en_US'],
    ['falls back when the run’s language has none', ['de', 'fr'], 'fr'],
    ['falls back when the run has no language', [null, 'fr'], 'fr'],
    ['is none when no language has one', ['de', 'es'], undefined],
    ['is not one whose code only begins alike', ['a', 'e'], undefined],
  ])('%s', (_, wanted, language) =>
    expect(pickTemplateVersion(versions, wanted)?.language).toBe(language),
  )
})
