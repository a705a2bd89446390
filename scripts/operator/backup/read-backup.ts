import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream'
import type { z } from 'zod'
import { fileEntry, Manifest, MANIFEST_BYTES, MANIFEST_NAME, STORED } from './manifest.ts'
import type { Progress } from './progress.ts'
import { readTar, type TarPiece } from './tar.ts'

/** Reads the entries of a backup in the order of the archive, each in one or more pieces. */
export function readPieces(file: string): AsyncGenerator<TarPiece> {
  const unpacked = createGunzip({ chunkSize: 262_144 })
  // The reader of the stream receives errors of the file and of the compression.
  pipeline(createReadStream(file), unpacked, () => {})
  return readTar(unpacked)
}

/** Largest total of a backup's small files; a larger one was not made by this program. */
const FILES_BYTES = 64 * 1_048_576

/** A backup that matches its manifest. */
export type CheckedBackup<Made = Manifest> = {
  manifest: Made
  /** Files of the data folder, by their path in it. */
  files: Map<string, Buffer>
}

/**
 * Reads a whole backup and compares it with its manifest, without writing anything.
 * @throws when it is incomplete, damaged or no backup; the error says that nothing was changed
 */
export async function checkBackup<Made extends Content = Manifest>(
  file: string,
  progress: Progress,
  schema: z.ZodType<Made> = Manifest as unknown as z.ZodType<Made>,
): Promise<CheckedBackup<Made>> {
  try {
    return await check(file, progress, schema)
  } catch (error) {
    const { message } = error as Error
    throw new Error(`${file} cannot be restored: ${message}. Nothing was changed.`, {
      cause: error,
    })
  }
}

/** The parts of a manifest that are compared with the file. */
type Content = Pick<Manifest, 'tables' | 'files' | 'stored'>

async function check<Made extends Content>(
  file: string,
  progress: Progress,
  schema: z.ZodType<Made>,
): Promise<CheckedBackup<Made>> {
  const seen = new Map<string, { hash: Hash; bytes: number }>()
  const filePieces = new Map<string, Buffer[]>()
  let fileBytes = 0
  const manifestPieces: Buffer[] = []
  let isEnded = false
  let bytesRead = 0
  for await (const { name, bytes, isLast } of readPieces(file)) {
    if (isEnded) throw new Error('there is data after its manifest')
    bytesRead += bytes.length
    progress.now(`checked ${Math.round(bytesRead / 1_048_576)} MB`)
    if (name === MANIFEST_NAME) {
      manifestPieces.push(bytes)
      isEnded = isLast
      if (Buffer.concat(manifestPieces).length > MANIFEST_BYTES) {
        throw new Error('its manifest is too long')
      }
      continue
    }
    const of = contentName(name)
    const content = seen.get(of) ?? { hash: createHash('sha256'), bytes: 0 }
    seen.set(of, content)
    content.hash.update(bytes)
    content.bytes += bytes.length
    if (!of.startsWith(FILES)) continue
    fileBytes += bytes.length
    if (fileBytes > FILES_BYTES) throw new Error('its files are too large')
    const path = of.slice(FILES.length)
    filePieces.set(path, [...(filePieces.get(path) ?? []), bytes])
  }
  if (!isEnded) throw new Error('it ends before its manifest')
  const manifest = readManifest(Buffer.concat(manifestPieces), schema)
  const expected = [
    ...manifest.tables.map((table) => ({ ...table, of: `tables/${table.name}` })),
    ...manifest.files.map((one) => ({ ...one, of: `${FILES}${one.path}` })),
    ...(manifest.stored ? [{ ...manifest.stored, of: STORED }] : []),
  ]
  for (const { of, bytes, sha256 } of expected) {
    const found = seen.get(of)
    seen.delete(of)
    const matches = found
      ? found.bytes === bytes && found.hash.digest('hex') === sha256
      : bytes === 0
    if (!matches) throw new Error(`${of} does not match the manifest`)
  }
  if (seen.size > 0) throw new Error(`${[...seen.keys()].join(', ')} is not in its manifest`)
  const files = new Map([...filePieces].map(([path, pieces]) => [path, Buffer.concat(pieces)]))
  return { manifest, files }
}

const FILES = fileEntry('')

/**
 * Returns the name of the content to which an entry belongs. The manifest has one checksum of each content: a table with
 * all of its parts, a file of the data folder, or all files of customers and members.
 */
export function contentName(entry: string): string {
  if (entry.startsWith(STORED)) return STORED
  return entry.startsWith('tables/') ? entry.slice(0, entry.lastIndexOf('/')) : entry
}

function readManifest<Made>(bytes: Buffer, schema: z.ZodType<Made>): Made {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Error('its manifest cannot be read')
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success)
    throw new Error('its manifest has an unknown format or comes from a newer version')
  return parsed.data
}
