import { inflateRawSync } from 'node:zlib'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { Unreadable } from './unreadable.ts'

const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const COMMENT_BYTES = 65_535
/** The value of a 16-bit field whose number is in a ZIP64 record instead. */
const IN_ZIP64 = 0xffff
const STORED = 0
const DEFLATED = 8

/**
 * Checks that the entries of a ZIP file (a Word document) do not exceed the limit when unpacked. It unpacks them to
 * measure them, because the declared size may be false, and the reader has no limit.
 * @throws Unreadable
 */
export function checkUnpacked(zip: Buffer): void {
  let left: number = KNOWLEDGE_LIMITS.unpackedBytes
  for (const entry of entriesOf(zip)) {
    left -= entry.method === STORED ? entry.packed : inflatedBytes(zip, entry, left)
    if (left < 0) throw tooMuch()
  }
}

type Entry = { method: number; packed: number; at: number }

/**
 * Returns the entries of the directory that the reader uses. The reader finds entries by their marks, whatever number
 * is declared, and accepts ZIP64 records and data in front of the archive. Documents with any of these are refused.
 */
function* entriesOf(zip: Buffer): Generator<Entry> {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  const isApart = at + zip.readUInt32LE(end + 12) !== end
  if (isApart || [4, 6, 8, 10].some((field) => zip.readUInt16LE(end + field) === IN_ZIP64)) {
    throw broken()
  }
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > zip.length || zip.readUInt32LE(at) !== ENTRY_MARK) throw broken()
    const method = zip.readUInt16LE(at + 10)
    if (method !== STORED && method !== DEFLATED) throw broken()
    yield { method, packed: zip.readUInt32LE(at + 20), at: zip.readUInt32LE(at + 42) }
    at +=
      ENTRY_BYTES +
      zip.readUInt16LE(at + 28) +
      zip.readUInt16LE(at + 30) +
      zip.readUInt16LE(at + 32)
  }
  if (at !== end) throw broken()
}

function findEnd(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - COMMENT_BYTES)
  for (let at = zip.length - END_BYTES; at >= first; at--) {
    if (zip.readUInt32LE(at) === END_MARK) return at
  }
  throw broken()
}

function inflatedBytes(zip: Buffer, { packed, at }: Entry, max: number): number {
  if (at + LOCAL_BYTES > zip.length) throw broken()
  const from = at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  try {
    return inflateRawSync(zip.subarray(from, from + packed), { maxOutputLength: Math.max(1, max) })
      .length
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch() : broken()
  }
}

const broken = () => new Unreadable('broken')
const tooMuch = () => new Unreadable('unpacked')
