/**
 * A text as a QR code (ISO/IEC 18004): bytes, error correction M, the smallest of the versions 1 to 20 that
 * holds it.
 */

/** By version from 1: error-correction bytes of each block, and blocks, at level M. */
const ECC_OF_BLOCK = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]
/** Level M and the mask of a chessboard: for what is no picture of one, any mask can be read. */
const FORMAT = 0b101010000010010
const VERSION_GENERATOR = 0b1111100100101

type Grid = { isDark: boolean[][]; isFixed: boolean[][] }

/** Rows of modules, true is dark. @throws for a text of more than 666 bytes */
export function qrModules(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex((_, at) => bytes.length <= roomOf(at + 1)) + 1
  if (version === 0) throw new Error(`A text of ${bytes.length} bytes is too long for a picture.`)
  return draw(interleave(dataOf(bytes, version), version), version)
}

/** Modules for data, without the fixed patterns. */
function rawBits(version: number): number {
  let bits = (16 * version + 128) * version + 64
  if (version >= 2) {
    const alignments = Math.floor(version / 7) + 2
    bits -= (25 * alignments - 10) * alignments - 55
    if (version >= 7) bits -= 36
  }
  return bits
}

function dataBytes(version: number): number {
  const at = version - 1
  return Math.floor(rawBits(version) / 8) - ECC_OF_BLOCK[at]! * BLOCKS[at]!
}

const lengthBits = (version: number) => (version < 10 ? 8 : 16)
const roomOf = (version: number) => dataBytes(version) - (4 + lengthBits(version)) / 8

/** Mode, length, bytes, end, and what fills the rest. */
export function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const add = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1)
  }
  add(0b0100, 4)
  add(bytes.length, lengthBits(version))
  for (const byte of bytes) add(byte, 8)
  const most = dataBytes(version) * 8
  add(0, Math.min(4, most - bits.length))
  add(0, -bits.length & 7)
  for (let pad = 0xec; bits.length < most; pad ^= 0xec ^ 0x11) add(pad, 8)
  return Array.from({ length: most / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  )
}

/** In the field of 256 over x⁸ + x⁴ + x³ + x² + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let at = 7; at >= 0; at--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> at) & 1) * a
  }
  return product
}

/** The rest of the division by the generator of so many bytes. */
export function correctionOf(data: readonly number[], count: number): number[] {
  const generator: number[] = Array.from({ length: count }, (_, at) => (at === count - 1 ? 1 : 0))
  for (let step = 0, root = 1; step < count; step++, root = multiply(root, 2)) {
    for (let at = 0; at < count; at++) {
      generator[at] = multiply(generator[at]!, root) ^ (generator[at + 1] ?? 0)
    }
  }
  const rest = Array.from({ length: count }, () => 0)
  for (const byte of data) {
    const factor = byte ^ rest.shift()!
    rest.push(0)
    generator.forEach((part, at) => (rest[at] = rest[at]! ^ multiply(part, factor)))
  }
  return rest
}

/** Blocks with their corrections, a byte of each in turn. The later blocks are longer by one. */
function interleave(data: readonly number[], version: number): number[] {
  const [count, ecc] = [BLOCKS[version - 1]!, ECC_OF_BLOCK[version - 1]!]
  const short = Math.floor(data.length / count)
  const longer = data.length % count
  let from = 0
  const blocks = Array.from({ length: count }, (_, at) => {
    const block = data.slice(from, (from += short + (at >= count - longer ? 1 : 0)))
    return { block, correction: correctionOf(block, ecc) }
  })
  const inTurn = (length: number, read: (at: number, of: number) => number | undefined) =>
    Array.from({ length }, (_, at) => blocks.map((_block, of) => read(at, of))).flat()
  return [
    ...inTurn(short + 1, (at, of) => blocks[of]!.block[at]),
    ...inTurn(ecc, (at, of) => blocks[of]!.correction[at]),
  ].filter((byte) => byte !== undefined)
}

function draw(codewords: readonly number[], version: number): boolean[][] {
  const size = version * 4 + 17
  const rows = () => Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const grid: Grid = { isDark: rows(), isFixed: rows() }
  drawFixed(grid, version)
  drawFormat(grid)
  let bit = 0
  for (const [x, y] of inZigZag(size)) {
    if (grid.isFixed[y]![x]) continue
    const isSet = ((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1
    grid.isDark[y]![x] = (isSet === 1) !== ((x + y) % 2 === 0)
    bit++
  }
  return grid.isDark
}

/** Two columns at a time from the end, up and down in turn, past the column of the timing. */
function* inZigZag(size: number): Generator<[number, number]> {
  let isUp = true
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      yield [right, y]
      yield [right - 1, y]
    }
    isUp = !isUp
  }
}

function fix({ isDark, isFixed }: Grid, x: number, y: number, isSet: boolean): void {
  const row = isDark[y]
  if (row?.[x] === undefined) return
  row[x] = isSet
  isFixed[y]![x] = true
}

function drawFixed(grid: Grid, version: number): void {
  const size = grid.isDark.length
  for (let at = 0; at < size; at++) {
    fix(grid, 6, at, at % 2 === 0)
    fix(grid, at, 6, at % 2 === 0)
  }
  const square = (cx: number, cy: number, reach: number, isSet: (ring: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) {
        fix(grid, cx + dx, cy + dy, isSet(Math.max(Math.abs(dx), Math.abs(dy))))
      }
    }
  }
  const places = alignmentPlaces(version, size)
  const last = places.length - 1
  places.forEach((x, i) =>
    places.forEach((y, j) => {
      const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isCorner) square(x, y, 2, (ring) => ring !== 1)
    }),
  )
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(x, y, 4, (ring) => ring !== 2 && ring !== 4)
  }
  if (version < 7) return
  let rest = version
  for (let at = 0; at < 12; at++) rest = (rest << 1) ^ ((rest >> 11) * VERSION_GENERATOR)
  const bits = (version << 12) | rest
  for (let at = 0; at < 18; at++) {
    const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)]
    fix(grid, a, b, ((bits >> at) & 1) === 1)
    fix(grid, b, a, ((bits >> at) & 1) === 1)
  }
}

function alignmentPlaces(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - at * step).toReversed()]
}

function drawFormat(grid: Grid): void {
  const size = grid.isDark.length
  const isSet = (at: number) => ((FORMAT >> at) & 1) === 1
  for (let at = 0; at <= 5; at++) fix(grid, 8, at, isSet(at))
  fix(grid, 8, 7, isSet(6))
  fix(grid, 8, 8, isSet(7))
  fix(grid, 7, 8, isSet(8))
  for (let at = 9; at < 15; at++) fix(grid, 14 - at, 8, isSet(at))
  for (let at = 0; at < 8; at++) fix(grid, size - 1 - at, 8, isSet(at))
  for (let at = 8; at < 15; at++) fix(grid, 8, size - 15 + at, isSet(at))
  fix(grid, 8, size - 8, true)
}
