/**
 * The storage of files' bytes: a folder, or the operator's object store. A file is written once, under a key of ids
 * only: no name that a person chose is part of a path.
 */
import type { Readable } from 'node:stream'
import { fact } from '../../core/facts/fact.ts'
import { isUuid } from '../../rules/text/uuid.ts'

/** The ids of a file and of its company, by which its bytes are stored. */
export type FileKey = { companyId: string; id: string }

/** The offsets of the first and of the last byte of a part, counted from 0. */
export type ByteRange = { from: number; to: number }

/** A storage of files' bytes. */
export type FileStore = {
  /** Stores the bytes durably. A second call for the same key replaces them. */
  put(key: FileKey, bytes: Buffer): Promise<void>
  /** @throws FileNotInStore */
  read(key: FileKey, range?: ByteRange): Promise<Readable>
  /** Deletes the file. A missing file is no error. */
  delete(key: FileKey): Promise<void>
  close(): Promise<void>
}

/** The error for a file whose bytes are not in the store. */
export class FileNotInStore extends Error {
  override name = 'FileNotInStore'
  constructor(key: FileKey) {
    super(`the store has no file ${key.companyId}/${key.id}`)
  }
}

/** Returns the code or name of a store's error; its message may contain paths of the machine. */
export function storeFault(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException
  return code ?? name
}

/** Returns the failure of a store, as the reason why a file is not stored, read or deleted. */
export const storeFailure = (error: unknown) => fact('store_failed', { fault: storeFault(error) })

/**
 * Returns the path or object key under which a file's bytes are stored.
 * @throws for an invalid id.
 */
export function objectKey({ companyId, id }: FileKey): string {
  if (!isUuid(companyId) || !isUuid(id)) throw new Error('a file is kept by ids alone')
  return `${companyId}/${id}`
}
