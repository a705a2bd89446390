/**
 * Where the bytes of files are: a folder, or a store at the operator's. One file is written once, under a
 * key made of ids alone: nothing that anybody called it is ever part of a place.
 */
import type { Readable } from 'node:stream'
import { isUuid } from '../../rules/text/uuid.ts'

export type FileKey = { companyId: string; id: string }

/** The first and the last byte of a part, counted from 0. */
export type ByteRange = { from: number; to: number }

export type FileStore = {
  /** Keeps the bytes, so that they outlive a crash from here on. Written again, the last ones count. */
  put(key: FileKey, bytes: Buffer): Promise<void>
  /** @throws FileNotInStore */
  read(key: FileKey, range?: ByteRange): Promise<Readable>
  /** That there is none is no fault. */
  delete(key: FileKey): Promise<void>
  close(): Promise<void>
}

export class FileNotInStore extends Error {
  override name = 'FileNotInStore'
  constructor(key: FileKey) {
    super(`the store has no file ${key.companyId}/${key.id}`)
  }
}

/** What went wrong with a store, in a word: whole sentences of a system name places on its machine. */
export function storeFault(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException
  return code ?? name
}

/** The key in words. @throws for what is no id of ours. */
export function placeOf({ companyId, id }: FileKey): string {
  if (!isUuid(companyId) || !isUuid(id)) throw new Error('a file is kept by ids alone')
  return `${companyId}/${id}`
}
