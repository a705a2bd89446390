/** The picture that an app reads the key of a second factor from (ISO/IEC 18004), read back by its rules. */
import { expect, test } from 'vitest'
import { correctionOf, qrModules } from '../../src/dashboard/parts/qr.ts'

const ofBits = (bits: readonly boolean[]) => bits.reduce((sum, bit) => sum * 2 + Number(bit), 0)

test('corrects as the published example of 1-M does', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
  expect(correctionOf(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
})

test('says its level and mask as the standard writes M and the chessboard, in both places', () => {
  const rows = qrModules('a text')
  const last = rows.length - 1
  const FORMAT = '101010000010010'
  const beside = [0, 1, 2, 3, 4, 5, 7].map((x) => rows[8]![x]!)
  const above = [8, 7, 5, 4, 3, 2, 1, 0].map((y) => rows[y]![8]!)
  expect([...beside, ...above].map(Number).join('')).toBe(FORMAT)
  const below = [0, 1, 2, 3, 4, 5, 6].map((at) => rows[last - at]![8]!)
  const after = [7, 6, 5, 4, 3, 2, 1, 0].map((at) => rows[8]![last - at]!)
  expect([...below, ...after].map(Number).join('')).toBe(FORMAT)
  expect(rows[last - 7]![8]).toBe(true)
})

test('says its version from the seventh on, as the standard writes it', () => {
  const rows = qrModules('x'.repeat(110))
  expect(rows.length).toBe(7 * 4 + 17)
  const bits = Array.from({ length: 18 }, (_, at) => {
    const bit = 17 - at
    return rows[Math.floor(bit / 3)]![rows.length - 11 + (bit % 3)]!
  })
  expect(bits.map(Number).join('')).toBe('000111110010010100')
})

test('a picture of version 5 reads as the text that was put in', () => {
  const uri = 'otpauth://totp/Wasla:o%40x.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Wasla'
  const rows = qrModules(uri)
  const size = rows.length
  expect(size).toBe(37)
  const isFixed = (x: number, y: number) =>
    (x < 9 && y < 9) ||
    (x > size - 9 && y < 9) ||
    (x < 9 && y > size - 9) ||
    x === 6 ||
    y === 6 ||
    (Math.abs(x - 30) < 3 && Math.abs(y - 30) < 3)
  const bits: boolean[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (!isFixed(x, y)) bits.push(rows[y]![x]! !== ((x + y) % 2 === 0))
      }
    }
    isUp = !isUp
  }
  const bytes = Array.from({ length: 134 }, (_, at) => ofBits(bits.slice(at * 8, at * 8 + 8)))
  // Two blocks of 43 bytes, a byte of each in turn, each with 24 that correct it.
  const blocks = [0, 1].map((of) => bytes.filter((_, at) => at < 86 && at % 2 === of))
  const corrections = [0, 1].map((of) => bytes.filter((_, at) => at >= 86 && at % 2 === of))
  expect(blocks.map((block) => correctionOf(block, 24))).toEqual(corrections)
  const data = blocks.flat().flatMap((byte) => [byte >> 4, byte & 15])
  expect(data[0]).toBe(0b0100)
  const length = data[1]! * 16 + data[2]!
  const read = Array.from({ length }, (_, at) => data[3 + at * 2]! * 16 + data[4 + at * 2]!)
  expect(String.fromCharCode(...read)).toBe(uri)
})

test('the longest address fits, and more than the largest picture holds is refused', () => {
  expect(() => qrModules('x'.repeat(660))).not.toThrow()
  expect(() => qrModules('x'.repeat(700))).toThrow(/too long/)
})
