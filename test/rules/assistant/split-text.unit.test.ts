import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAPABILITIES } from '../../../src/rules/messaging/channel-capabilities.ts'
import { measureText } from '../../../src/rules/text/text-length.ts'
import { splitText } from '../../../src/rules/assistant/split-text.ts'
import { systemTest } from '../../support/system-tests.ts'

const partsOf = (text: string, channelType = 'messenger'): string[] | null => {
  const split = splitText(text, channelType)
  return split.ok ? split.parts : null
}
const endsOf = (text: string, channelType?: string) =>
  partsOf(text, channelType)?.map((part) => part.slice(-12))

describe('a reply that fits', () => {
  test.each([
    ['as it is', 'أهلا بك', ['أهلا بك']],
    ['without the space around it', ' hello\n', ['hello']],
    ['with its line breaks', 'a\n\nb', ['a\n\nb']],
    ['not at all, of nothing', ' \n ', []],
  ])('is sent %s', (_, text, parts) => expect(partsOf(text)).toEqual(parts))

  test.each([
    ['whatsapp', 4_096, 'ا'],
    ['telegram', 4_096, '😀'],
    ['messenger', 2_000, 'ا'],
    ['instagram', 500, 'ا'],
    ['instagram', 250, '😀'],
    ['whatsapp_qr', 4_096, 'a'],
  ])('%s: has up to %i of %s', (channelType, max, letter) => {
    expect(partsOf(letter.repeat(max), channelType)).toHaveLength(1)
    expect(partsOf(letter.repeat(max + 1), channelType)?.length).not.toBe(1)
  })
})

describe('a text is cut', () => {
  const sentence = (times: number, word = 'word') => `${`${word} `.repeat(times)}end. `

  test('between paragraphs before anything else', () => {
    const text = `${sentence(300)}\n\n${sentence(100)}${sentence(100)}`
    expect(endsOf(text)).toEqual(['rd word end.', 'rd word end.'])
    expect(partsOf(text)![0]).toBe(sentence(300).trim())
  })

  test('with a heading in the same part as its text', () => {
    expect(partsOf(`Delivery\n\n${sentence(80).repeat(8)}`)![0]!.length).toBeGreaterThan(1_000)
  })

  test('between the lines of a list', () => {
    const list = Array.from({ length: 90 }, (_, at) => `- item ${at} costs ten. Or less`)
    const parts = partsOf(list.join('\n'))!
    expect(parts).toHaveLength(2)
    expect(parts.join('\n')).toBe(list.join('\n'))
  })

  const MARKS = ['.', '!', '?', '؟', '."', '.)', '…']
  test.each(MARKS)('behind a sentence that ends with %s', (mark) => {
    const text = `${'word '.repeat(30)}end${mark} `.repeat(14)
    expect(partsOf(text)!.every((part) => part.endsWith(`end${mark}`))).toBe(true)
  })

  test('never behind the number of a line of a list', () => {
    const text = `${'word '.repeat(390)}\n12. ${'more '.repeat(90)}`
    expect(endsOf(text)![0]).not.toMatch(/12\.$/)
  })

  test('between words where a sentence does not end', () => {
    expect(endsOf('word '.repeat(700))).toEqual(['rd word word', 'rd word word'])
  })

  test('less well when good cuts would make too many parts', () => {
    const paragraphs = Array.from({ length: 5 }, () => sentence(220).trim()).join('\n\n')
    expect(partsOf(paragraphs)).toHaveLength(3)
  })

  const NUMBERS = ['1,234,567.50', '١٬٢٣٤٫٥٠', '2026-10-05', '12:30', '+966 50 123 4567']
  const LINKS = ['https://shop.example/a.b/c!d?e=f.g', 'https://shop.example/تتبع/طلب-١٠٤٢']
  const NAMES = ['SA03 8000 0000 6080 1016 7519', 'shop.example/returns', 'sales@shop.example']
  test.each([...NUMBERS, ...LINKS, ...NAMES, '👨‍👩‍👧‍👦'])('never inside %s', (whole) => {
    for (let before = 1_960; before < 2_010; before++) {
      const parts = partsOf(`${'a'.repeat(before - 1)} ${whole} and more`)!
      expect(parts.filter((part) => part.includes(whole))).toHaveLength(1)
    }
  })

  test('inside a word only when it is longer than a message', () => {
    expect(partsOf('a'.repeat(2_500))).toEqual(['a'.repeat(2_000), 'a'.repeat(500)])
    expect(partsOf(`b ${'a'.repeat(1_999)}`)).toEqual(['b', 'a'.repeat(1_999)])
  })
})

test.each([
  ['more than three messages', 'word '.repeat(1_300), 'messenger'],
  ['more than one where each waits', 'word '.repeat(900), 'whatsapp_qr'],
  ['a number that is longer than a message', '7'.repeat(2_001), 'messenger'],
  ['a link that is longer than a message', `https://a.example/${'b'.repeat(2_000)}`, 'messenger'],
  ['anything, where nothing can be sent', 'hello', 'voice'],
  ['anything, where it is not known what can be sent', 'hello', 'pigeon'],
])('does not fit: %s', (_, text, channelType) => {
  expect(splitText(text, channelType)).toEqual({ ok: false })
})

const PIECES = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('word ', 'كلمة ', ' ', 'end. ', 'نعم؟ ', 'e\u0301') },
  fc.constantFrom('\n', '\n\n', '\r\n', '\u00a0', ' \u0301', '\u200f', '\t'),
  fc.constantFrom('👨‍👩‍👧‍👦', '🇸🇦', '👍🏽', 'مُ', '1️⃣', '\ud83d', 'ﷺ'),
  fc.constantFrom('1,234.50 ', 'https://shop.example/a?b=1 ', '+966 50 123 4567 ', 'a@b.example '),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const TEXTS = fc
  .array(fc.tuple(PIECES, fc.integer({ min: 1, max: 220 })), { maxLength: 14 })
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''))
const withoutSpace = (text: string) => text.replace(/\s+/g, '')

systemTest('no text loses anything, and no part is empty or too long', () => {
  const channels = fc.constantFrom('whatsapp', 'whatsapp_qr', 'messenger', 'instagram')
  fc.assert(
    fc.property(TEXTS, channels, (text, channelType) => {
      const split = splitText(text, channelType)
      if (!split.ok) return
      const { longestText, textUnit } = CAPABILITIES[channelType as 'messenger']
      expect(split.parts.length).toBeLessThanOrEqual(channelType === 'whatsapp_qr' ? 1 : 3)
      expect(withoutSpace(split.parts.join(''))).toBe(withoutSpace(text))
      const bounds = new Set<number>([0])
      let bound = 0
      for (const { segment } of new Intl.Segmenter().segment(text)) {
        bounds.add((bound += withoutSpace(segment).length))
      }
      let at = 0
      for (const part of split.parts) {
        expect(part).not.toBe('')
        expect(measureText(part, textUnit)).toBeLessThanOrEqual(longestText!)
        expect(bounds).toContain(at)
        at += withoutSpace(part).length
      }
    }),
    { numRuns: 300 },
  )
})

test('words that leave a tenth of each message free always fit', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 900 })
  fc.assert(
    fc.property(words, (some) => {
      const text = some.join(' ').slice(0, 5_400)
      expect(splitText(text, 'messenger').ok).toBe(true)
    }),
    { numRuns: 100 },
  )
})
