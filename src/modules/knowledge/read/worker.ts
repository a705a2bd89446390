/** Reads one document in a separate thread, which is ended when it takes too much time or memory. */
import { parentPort, workerData } from 'node:worker_threads'
import { prepareSource, type PreparedSource } from '../prepare-chunks.ts'
import { readDocument, type DocumentToRead } from './read-document.ts'
import { Unreadable, type UnreadableWhy } from './unreadable.ts'

/** The input of the thread: a document, and the title of its source. */
export type WorkerInput = Omit<DocumentToRead, 'bytes'> & {
  bytes: Uint8Array
  title: string
  /** True when the title stays, whichever title the document has. */
  keepsTitle?: boolean
}
/** The output of the thread. */
export type WorkerOutput =
  | { ok: true; title: string | null; prepared: PreparedSource }
  | { ok: false; why: UnreadableWhy }

const { bytes, title, keepsTitle = false, ...about } = workerData as WorkerInput
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window's
parentPort!.postMessage(await read())

async function read(): Promise<WorkerOutput> {
  try {
    const found = await readDocument({
      ...about,
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    })
    const ownTitle = keepsTitle ? null : found.title
    const prepared = prepareSource(ownTitle ?? title, found.blocks)
    if (prepared.chunks.length === 0) return { ok: false, why: 'empty' }
    return { ok: true, title: ownTitle, prepared }
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, why: error.why }
    const isLocked = (error as Error).name === 'PasswordException'
    return { ok: false, why: isLocked ? 'locked' : 'broken' }
  }
}
