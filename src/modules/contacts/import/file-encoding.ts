import { isUtf8 } from 'node:buffer'
import type { ImportEncoding } from '../../../core/vocabulary/contacts.ts'

const LOOKED_AT_BYTES = 65_536
/** Read in one step: a whole file would hold everybody up. */
const STEP_BYTES = 262_144

/**
 * Returns how the letters of a file are written: as its mark says; else UTF-8, if it is that; else UTF-16, if half of
 * its bytes are zeros; else what Windows writes.
 */
export function* detectEncoding(bytes: Buffer): Generator<undefined, ImportEncoding> {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, LOOKED_AT_BYTES)
  const zeros = [0, 0]
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2]! += 1
  // In UTF-16 one byte of each Latin letter, digit and delimiter is zero, and it is always the same one.
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) > start.length / 10) return odd > even ? 'utf-16le' : 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  return (yield* hasWordsOfHighBytes(bytes)) ? 'windows-1256' : 'windows-1252'
}

/** Arabic words are bytes above ASCII throughout; of Western words it is a letter here and there. */
function* hasWordsOfHighBytes(bytes: Buffer): Generator<undefined, boolean> {
  let [high, besideAnother] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === STEP_BYTES - 1) yield
    if (bytes[at]! < LEAST_LETTER) continue
    high += 1
    if ((bytes[at - 1] ?? 0) >= LEAST_LETTER || (bytes[at + 1] ?? 0) >= LEAST_LETTER) {
      besideAnother += 1
    }
  }
  return besideAnother > high / 2
}

const LEAST_LETTER = 0xc0

/** In UTF-8, of a letter that other encodings write in one byte. */
const MOST_BYTES_OF_LETTER = 3
const UTF8_MARK = Buffer.from('\ufeff')

/** Returns a file in UTF-8, without a byte order mark; null if it is not written so. */
export function* toUtf8(
  bytes: Buffer,
  encoding: ImportEncoding,
): Generator<undefined, Buffer | null> {
  if (encoding === 'utf-8') {
    const hasMark = bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK)
    const text = hasMark ? bytes.subarray(UTF8_MARK.length) : bytes
    return isUtf8(text) && !text.includes(0) ? text : null
  }
  const decoder = new TextDecoder(encoding, { fatal: true })
  // Room for the longest: what is not written to takes no memory.
  const written = Buffer.allocUnsafe(bytes.length * MOST_BYTES_OF_LETTER)
  let size = 0
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      const end = at + STEP_BYTES
      const text = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length })
      if (text.includes('\0')) return null
      size += written.write(text, size)
      yield
    }
  } catch {
    return null
  }
  return written.subarray(0, size)
}
