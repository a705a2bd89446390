import { isUtf8 } from 'node:buffer'
import type { ImportEncoding } from '../../../core/vocabulary/contacts.ts'

const SAMPLE_BYTES = 65_536
/** The size of a step, after which other work may run. */
const STEP_BYTES = 262_144

/**
 * Detects a file's encoding. Without a byte order mark of UTF-16 it is UTF-16 if over a tenth of the bytes at its start
 * are zeros at even or at odd offsets. Otherwise it is UTF-8 if that is valid, or else a Windows encoding, Arabic or
 * Western.
 */
export function* detectEncoding(bytes: Buffer): Generator<undefined, ImportEncoding> {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2]! += 1
  // In UTF-16 one byte of each Latin letter, digit and delimiter is zero, always the same one.
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) > start.length / 10) return odd > even ? 'utf-16le' : 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  return (yield* hasWordsOfHighBytes(bytes)) ? 'windows-1256' : 'windows-1252'
}

/** Arabic words consist of bytes above ASCII; Western words contain only a few. */
function* hasWordsOfHighBytes(bytes: Buffer): Generator<undefined, boolean> {
  let [high, adjacent] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    if (at % STEP_BYTES === STEP_BYTES - 1) yield
    if (bytes[at]! < MIN_LETTER) continue
    high += 1
    if ((bytes[at - 1] ?? 0) >= MIN_LETTER || (bytes[at + 1] ?? 0) >= MIN_LETTER) {
      adjacent += 1
    }
  }
  return adjacent > high / 2
}

const MIN_LETTER = 0xc0

/** The maximum in UTF-8, for a letter of one byte in another encoding. */
const MAX_BYTES_PER_LETTER = 3
const UTF8_MARK = Buffer.from('\ufeff')

/** Converts a file to UTF-8 without a byte order mark; null when it does not have the encoding. */
export function* toUtf8(
  bytes: Buffer,
  encoding: ImportEncoding,
): Generator<undefined, Buffer | null> {
  if (encoding === 'utf-8') {
    const hasMark = bytes.subarray(0, UTF8_MARK.length).equals(UTF8_MARK)
    const text = hasMark ? bytes.subarray(UTF8_MARK.length) : bytes
    if (!isUtf8(text)) return null
    yield
    return text.includes(0) ? null : text
  }
  const decoder = new TextDecoder(encoding, { fatal: true })
  // Allocated for the maximum; unwritten pages use no memory.
  const written = Buffer.allocUnsafe(bytes.length * MAX_BYTES_PER_LETTER)
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
