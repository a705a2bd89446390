import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDisplayHeaders, toDisplayText } from '../../../src/rules/calls/shown-answer.ts'

// oxlint-disable-next-line no-control-regex -- none of these may be shown
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('The kept answer as text', () => {
  test('is the sent text, when it is text', () => {
    const text = 'مرحبا\n\t{"ok":true} 🎉\u200f'
    expect(toDisplayText(Buffer.from(text), { isCut: false })).toBe(text)
  })

  test('leaves off a character that the cut went through, whatever its length', () => {
    for (const character of ['é', 'م', '€', '🎉']) {
      const bytes = Buffer.from(`${'a'.repeat(20)}${character}`)
      for (let cut = 21; cut < bytes.length; cut += 1) {
        expect(toDisplayText(bytes.subarray(0, cut), { isCut: true })).toBe('a'.repeat(20))
      }
      expect(toDisplayText(bytes, { isCut: true })).toBe(bytes.toString())
    }
  })

  test('shows that bytes are missing where nothing was cut', () => {
    expect(toDisplayText(Buffer.from([0x61, 0xd9]), { isCut: false })).toBe('a\ufffd')
  })

  test('is well formed and free of controls, whatever was sent', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.boolean(), (bytes, isCut) => {
        const text = toDisplayText(bytes, { isCut })
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(UNSAFE)
      }),
    )
  })
})

describe('The kept headers', () => {
  test('are in their order, without those that open a session', () => {
    const lines = 'Server: x\nSet-Cookie: sid=1\nserver: y\nempty: '
    expect(toDisplayHeaders(Buffer.from(lines))).toEqual([
      { name: 'Server', value: 'x' },
      { name: 'Set-Cookie', value: '(not shown)' },
      { name: 'server', value: 'y' },
      { name: 'empty', value: '' },
    ])
    expect(toDisplayHeaders(Buffer.alloc(0))).toEqual([])
  })

  const SECRET = ['set-cookie', 'Set-Cookie2', 'AUTHORIZATION', 'Proxy-Authorization']
  test.each(SECRET)('show that there is %s, and not its value', (name) => {
    expect(toDisplayHeaders(Buffer.from(`${name}: secret`))).toEqual([
      { name, value: '(not shown)' },
    ])
  })

  test('are shown also when one has no colon, or several', () => {
    expect(toDisplayHeaders(Buffer.from('odd\ntime: 10: 30: 00\nshort:x'))).toEqual([
      { name: 'odd', value: '' },
      { name: 'time', value: '10: 30: 00' },
      { name: 'short:x', value: '' },
    ])
  })

  test('are safe to show, whatever was sent', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        for (const { name, value } of toDisplayHeaders(bytes)) {
          expect(`${name}${value}`).not.toMatch(UNSAFE)
        }
      }),
    )
  })
})
