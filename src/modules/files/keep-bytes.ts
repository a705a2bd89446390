import { createHash } from 'node:crypto'
import { sniffMediaType } from '../../rules/files/sniff-media-type.ts'
import type { FileKey, FileStore } from './file-store.ts'

/** The properties of a file that its bytes determine. */
export type KnownBytes = { mediaType: string; size: number; sha256: Buffer }

/** Returns the properties that a file's bytes determine. */
export function knowBytes(bytes: Buffer): KnownBytes {
  return {
    mediaType: sniffMediaType(bytes),
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
  }
}

/**
 * Puts the bytes of a file into the store. Its row says `kept` only afterwards: every file of the store has
 * a row, however a process dies. @throws what the store throws
 */
export async function keepBytes(
  store: FileStore,
  key: FileKey,
  bytes: Buffer,
): Promise<KnownBytes> {
  const known = knowBytes(bytes)
  await store.put(key, bytes)
  return known
}
