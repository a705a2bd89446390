/**
 * A build as it is served: read whole into memory, so that nobody is given half of one, or of two, while
 * another is put in its place.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { STAMP } from './places.ts'

export type BuiltFile = {
  bytes: Buffer<ArrayBuffer>
  /** The same, packed beforehand; null where that saves nothing. */
  br: Buffer<ArrayBuffer> | null
  gzip: Buffer<ArrayBuffer> | null
  type: string
  /** Of `bytes`, without quotes. */
  hash: string
  /** Its name changes with what it holds. */
  isHashed: boolean
}

export type Build = {
  /** Changes with anything that the dashboard's pages load. */
  version: string
  /** Of which sources it was made; null when it was made by hand. */
  sources: string | null
  /** With `__NONCE__` and `__VERSION__` where those go. */
  page: string
  /** By the path of a request: `/assets/index-x.js`. */
  files: ReadonlyMap<string, BuiltFile>
}

/** More than this is no build of ours, and is not held in memory. */
const MOST_BYTES = 32 * 1024 * 1024
/** A build that is put in place at this moment is looked for again, this often. */
const LOOKS = 5
const VERSION_CHARS = 16
const PACKED = /\.(br|gz)$/
const PAGE = '/index.html'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** The build in this folder; null where there is none. @throws when it is larger than a build can be */
export async function readBuild(folder: string): Promise<Build | null> {
  for (let look = 0; look < LOOKS; look++) {
    const sources = await readStamp(folder)
    const read = await readFiles(folder)
    // Otherwise another one was put in its place meanwhile.
    if (read && sources === (await readStamp(folder))) return asBuild(sources, read)
  }
  return null
}

async function readStamp(folder: string): Promise<string | null> {
  const text = await readFile(path.join(folder, STAMP), 'utf8').catch(() => null)
  return text === null ? null : text.trim()
}

/** By path; null where there is no page, or a file went away meanwhile. */
async function readFiles(folder: string): Promise<Map<string, Buffer<ArrayBuffer>> | null> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const name = path.relative(folder, path.join(entry.parentPath, entry.name))
      return `/${name.split(path.sep).join('/')}`
    })
    // What begins with a dot is not for browsers.
    .filter((name) => !name.includes('/.'))
    .toSorted()
  const files = new Map<string, Buffer<ArrayBuffer>>()
  let size = 0
  for (const name of names) {
    const bytes = await readFile(path.join(folder, name)).catch(() => null)
    if (bytes === null) return null
    size += bytes.length
    if (size > MOST_BYTES) {
      throw new Error(`The dashboard that was built has more than ${MOST_BYTES} bytes.`)
    }
    files.set(name, bytes)
  }
  return files.has(PAGE) ? files : null
}

function asBuild(sources: string | null, read: Map<string, Buffer<ArrayBuffer>>): Build {
  const files = new Map<string, BuiltFile>()
  for (const [name, bytes] of read) {
    if (name === PAGE || (PACKED.test(name) && read.has(name.replace(PACKED, '')))) continue
    files.set(name, {
      bytes,
      br: read.get(`${name}.br`) ?? null,
      gzip: read.get(`${name}.gz`) ?? null,
      type: TYPES[path.extname(name)] ?? 'application/octet-stream',
      hash: hashOf([bytes]),
      isHashed: name.startsWith('/assets/'),
    })
  }
  const page = read.get(PAGE)!
  const parts = [...files].map(([name, { hash }]) => Buffer.from(`${name}\0${hash}\0`))
  return { version: hashOf([page, ...parts]), sources, page: page.toString('utf8'), files }
}

function hashOf(parts: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url').slice(0, VERSION_CHARS)
}
