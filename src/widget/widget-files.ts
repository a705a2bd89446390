/** Files of the widget for browsers: unbundled source files, read once and compressed. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

type WidgetFile = {
  bytes: Uint8Array<ArrayBuffer>
  packed: Uint8Array<ArrayBuffer>
  type: string
  tag: string
  packedTag: string
}

const FILES = [
  ['loader.js', 'text/javascript; charset=utf-8'],
  ['frame.js', 'text/javascript; charset=utf-8'],
  ['talk.js', 'text/javascript; charset=utf-8'],
  ['storage.js', 'text/javascript; charset=utf-8'],
  ['lines.js', 'text/javascript; charset=utf-8'],
  ['frame.css', 'text/css; charset=utf-8'],
] as const

/** The files by name, with their gzip form (`packed`) and the ETag of each form. */
export const WIDGET_FILES: ReadonlyMap<string, WidgetFile> = new Map(
  FILES.map(([name, type]) => {
    const bytes = new Uint8Array(readFileSync(path.join(import.meta.dirname, 'page', name)))
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    const packed = new Uint8Array(gzipSync(bytes, { level: 9 }))
    return [name, { bytes, packed, type, tag: `"${hash}"`, packedTag: `"${hash}-gzip"` }]
  }),
)
