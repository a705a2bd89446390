import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPunycodeLabel } from '../../../src/rules/addresses/punycode-label.ts'

describe('a label that begins with xn-- stands for a text', () => {
  test.each(
    `xn--mgbh0fb xn--kgbechtv xn--mgberp4a5d4ar xn--wgbl6a xn--ogbpf8fl xn--bcher-kva
    xn--fiqs8s xn--hxajbheg2az3al xn--80akhbyknj4f xn--e28h xn--maana-pta xn--3e0b707e
    xn--j6w193g xn--strae-oqa xn--zckzah`.split(/\s+/),
  )('%s', (label) => expect(isPunycodeLabel(label)).toBe(true))

  test('whatever letters of whatever scripts it has', () => {
    const letter = fc.constantFrom(...'abz09-éßñвюяأبجمويשת日本語한국😀𐐨ไทยनम')
    const isRefused = (text: string) => {
      const label = domainToASCII(`${text}.com`).replace(/\.com$/, '')
      return label.startsWith('xn--') && label.length <= 63 && !isPunycodeLabel(label)
    }
    const texts = fc.sample(fc.string({ unit: letter, minLength: 1, maxLength: 24 }), {
      numRuns: 2_000,
      seed: 1,
    })
    expect(texts.filter(isRefused)).toEqual([])
  })
})

describe('No text is encoded by', () => {
  test.each([
    ['a label with nothing after the prefix', 'xn--'],
    ['a label that ends with its delimiter', 'xn--abc-'],
    ['a label that ends amid a number', 'xn--a'],
    ['a label with a sign that is no digit', 'xn--mgbh0_b'],
    ['a label for plain ASCII', 'xn--abc-a'],
    ['a label with a number that never ends', 'xn--99999999'],
    ['a label beyond the last code point', 'xn--99999b'],
    ['a label for a text that another label encodes', 'xn--BCHER-kva'],
  ])('%s: %s', (_, label) => expect(isPunycodeLabel(label)).toBe(false))
})
