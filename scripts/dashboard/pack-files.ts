import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const packers = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // The highest quality, 11, takes three times as long and saves only one percent more.
        [constants.BROTLI_PARAM_QUALITY]: 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
}

/** Smallest file that is compressed. A smaller one fits into one network packet anyway. */
const MIN_BYTES = 1024
/** Largest ratio of compressed to original size at which a compressed file is kept. */
const MAX_RATIO = 0.95
/** Names of files whose format is compressed already. */
const PACKED = /\.(br|gz|woff2|png|jpg|webp|mp3|ogg)$/

/** Writes a compressed copy of every file of the folder for which it saves enough. */
export async function packFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    // Dot files are not served, and the page's text differs for every response.
    .filter((name) => !name.startsWith('.') && name !== 'index.html' && !PACKED.test(name))
  await Promise.all(
    files.map(async (name) => {
      const file = path.join(folder, name)
      const bytes = readFileSync(file)
      if (bytes.length < MIN_BYTES) return
      for (const [end, pack] of Object.entries(packers)) {
        const packed = await pack(bytes)
        if (packed.length < bytes.length * MAX_RATIO) writeFileSync(`${file}.${end}`, packed)
      }
    }),
  )
}
