/** Writes archives of the operator: compressed tar files that exist under their names only when they are complete. */
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

/** An archive that is being written. */
export type Archive = {
  /** Adds bytes of the tar format. */
  put(chunk: Buffer): Promise<void>
  /** Adds an entry with its content. */
  putEntry(name: string, content: Buffer, at: Date): Promise<void>
}

/**
 * Writes an archive whose entries `write` adds. It has a temporary name until it is complete and on the disk, and only
 * its owner can read it. Returns what `write` returns, and the size of the file.
 * @throws when the file exists already, or anything could not be read or written; then nothing is left
 */
export async function writeArchive<Made>(
  file: string,
  write: (archive: Archive) => Promise<Made>,
): Promise<{ made: Made; bytes: number }> {
  if (await isThere(file))
    throw new Error(`${file} already exists. Backups never overwrite a file.`)
  const part = `${file}.part`
  await rm(part, { force: true })
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants
  const handle = await open(part, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600)
  try {
    const made = await writeInto(handle, write)
    await handle.sync()
    const { size } = await handle.stat()
    await handle.close()
    if (await isThere(file)) throw new Error(`${file} was created by someone else in the meantime.`)
    await rename(part, file)
    await syncFolder(path.dirname(file))
    return { made, bytes: size }
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

async function writeInto<Made>(
  handle: FileHandle,
  write: (archive: Archive) => Promise<Made>,
): Promise<Made> {
  const gzip = createGzip({ level: 3 })
  const written = pipeline(gzip, async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) await handle.writeFile(chunk)
  })
  // A waiting `put` fails with the error instead of waiting without end.
  written.catch((error: Error) => gzip.destroy(error))
  const put = async (chunk: Buffer) => {
    if (gzip.destroyed) await written
    if (!gzip.write(chunk)) await Promise.race([once(gzip, 'drain'), written])
  }
  try {
    const made = await write({
      put,
      async putEntry(name, content, at) {
        await put(tarHeader(name, content.length, at))
        await put(content)
        await put(tarPadding(content.length))
      },
    })
    await put(TAR_END)
    gzip.end()
    await written
    return made
  } finally {
    gzip.destroy()
  }
}

/** Returns whether a file exists. */
export async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null
}

/** Flushes a folder to the disk, without which a new name may be lost. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
