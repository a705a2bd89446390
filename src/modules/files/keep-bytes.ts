import { createHash } from 'node:crypto'
import { sniffMediaType } from '../../rules/files/sniff-media-type.ts'
import type { FileKey, FileStore } from './file-store.ts'

export type FileProperties = { mediaType: string; size: number; sha256: Buffer }

/** Returns the properties that a file's bytes determine. */
export function inspectBytes(bytes: Buffer): FileProperties {
  return {
    mediaType: sniffMediaType(bytes),
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
  }
}

/**
 * Writes the bytes of a file to the store. The row becomes `kept` only afterwards, so every file in the store has a
 * row, whenever a process dies.
 * @throws the store's errors
 */
export async function keepBytes(
  store: FileStore,
  key: FileKey,
  bytes: Buffer,
): Promise<FileProperties> {
  const properties = inspectBytes(bytes)
  await store.put(key, bytes)
  return properties
}
