import { buffer } from 'node:stream/consumers'
import type { FileStore } from './file-store.ts'

/** No company has this id. */
const NO_COMPANY = '00000000-0000-0000-0000-000000000000'

/** Checks that the store works: writes a file, reads it and deletes it. @throws the store's errors */
export async function checkStore(store: FileStore, id: string): Promise<void> {
  const key = { companyId: NO_COMPANY, id }
  const bytes = Buffer.from(`probe ${id}`)
  await store.put(key, bytes)
  try {
    const read = await buffer(await store.read(key))
    if (!read.equals(bytes)) throw new Error('what was read is not what was put')
  } finally {
    await store.delete(key)
  }
}
