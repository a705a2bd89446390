import { createHash } from 'node:crypto'
import { sniffMediaType } from '../../rules/files/sniff-media-type.ts'
import type { FileKey, FileStore } from './file-store.ts'

/** The properties of a file that its bytes determine; `size` is in bytes. */
export type FileProperties = { mediaType: string; size: number; sha256: Buffer }

/** Returns the media type that a file's content shows, its size and its hash. */
export function inspectBytes(bytes: Buffer): FileProperties {
  return {
    mediaType: sniffMediaType(bytes),
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
  }
}

/**
 * Writes the bytes of a file to the store, and returns their properties. The caller has inserted the row before, and
 * marks it as `kept` afterwards, so that every file in the store has a row, whenever a process dies.
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
