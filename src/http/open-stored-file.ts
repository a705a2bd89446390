import { Readable } from 'node:stream'
import { fact } from '../core/facts/fact.ts'
import { ServiceError } from '../core/service-error.ts'
import {
  FileNotInStore,
  storeFault,
  type ByteRange,
  type FileStore,
} from '../modules/files/file-store.ts'

/**
 * Opens a stored file, or a range of it, as the body of a response. Call it before any header is written: a refusal has
 * different headers.
 * @throws not_found, service_unavailable
 */
export async function openStoredFile(
  files: FileStore,
  key: { companyId: string; id: string },
  range: ByteRange | null = null,
): Promise<ReadableStream> {
  try {
    const bytes: unknown = Readable.toWeb(await files.read(key, range ?? undefined))
    // The types of the browser and of Node describe the same object.
    return bytes as ReadableStream
  } catch (error) {
    if (error instanceof FileNotInStore) throw new ServiceError('not_found', fact('file_gone'))
    const why = fact('store_failed', { fault: storeFault(error) })
    throw new ServiceError('service_unavailable', why, { cause: error })
  }
}
