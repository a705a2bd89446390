import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLinks } from '../../../src/rules/text/find-links.ts'

const linksOf = (text: string) =>
  findLinks(text).flatMap((piece) => (piece.href === null ? [] : [[piece.text, piece.href]]))

test.each<[text: string, links: [string, string][]]>([
  [
    'See https://shop.example/a?b=1#c, please.',
    [['https://shop.example/a?b=1#c', 'https://shop.example/a?b=1#c']],
  ],
  ['(www.shop.example)', [['www.shop.example', 'https://www.shop.example']]],
  [
    'https://en.example/Tea_(drink)',
    [['https://en.example/Tea_(drink)', 'https://en.example/Tea_(drink)']],
  ],
  ['الموقع https://متجر.example/طلب؟', [['https://متجر.example/طلب', 'https://متجر.example/طلب']]],
  ['<https://a.example>', [['https://a.example', 'https://a.example']]],
  ['write to sara@shop.example.', [['sara@shop.example', 'mailto:sara@shop.example']]],
  [
    'call +966 50 123 4567 or 0501234567',
    [
      ['+966 50 123 4567', 'tel:+966501234567'],
      ['0501234567', 'tel:0501234567'],
    ],
  ],
  ['اتصل ٠٥٠١٢٣٤٥٦٧', [['٠٥٠١٢٣٤٥٦٧', 'tel:0501234567']]],
  ['00966-50-123-4567', [['00966-50-123-4567', 'tel:00966501234567']]],
  ['order 1234567890, 2026-12-01 10:30, SAR 1,000.50, A-0501234567', []],
  ['javascript:alert(1) data:text/html,x file:///etc/passwd http:// https://', []],
  ['', []],
])('%s', (text, links) => expect(linksOf(text)).toEqual(links))

test('the pieces together are the text, and open nothing but pages, e-mails and numbers', () => {
  const words = fc.constantFrom(
    'https://a.example',
    'x@y.example',
    '+966501234567',
    '(',
    ')',
    ' ',
    '\n',
    'م',
    '٠',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(words).map((all) => all.join('')),
      ),
      (text) => {
        const pieces = findLinks(text)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        for (const { href } of pieces) expect(href ?? 'tel:').toMatch(/^(https?:|mailto:|tel:)/i)
      },
    ),
  )
})
