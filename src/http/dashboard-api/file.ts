import { Readable } from 'node:stream'
import type { Context as Hc } from 'hono'
import { FileQuery, UploadQuery, type FileRoutes } from '../../contract/dashboard/file.ts'
import { fact } from '../../core/facts/fact.ts'
import {
  FileNotInStore,
  storeFault,
  type ByteRange,
  type FileStore,
} from '../../modules/files/file-store.ts'
import { deleteFlowFile, listFlowFiles } from '../../modules/files/flow-files.ts'
import { loadFile, showFile } from '../../modules/files/load-file.ts'
import { uploadFile } from '../../modules/files/upload-file.ts'
import { FILE_LIMITS } from '../../core/limits/files.ts'
import { ServiceError } from '../../core/service-error.ts'
import { admins, everybody } from './access.ts'
import { acceptFile, answer, answerAs, owned } from './answer.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

export const UPLOAD_PATH_END = '/files'
export const UPLOAD_TYPE = 'application/octet-stream'

const FILES = `/companies/:companyId${UPLOAD_PATH_END}` as const
const FILE = `${FILES}/:fileId` as const

/** Media types that browsers display: they run nothing. All other types are only saved. */
const SHOWN = /^(image\/(jpeg|png|gif|webp)|audio\/[a-z0-9]+|video\/(mp4|webm|3gpp|quicktime))$/

export const fileRoutes = routes<FileRoutes>()
  .get(FILES, admins(), query(FileQuery), answer(listFlowFiles))
  .post(
    FILES,
    everybody(),
    query(UploadQuery),
    acceptFile(uploadFile, {
      types: [UPLOAD_TYPE],
      otherType: fact('file_body_type'),
      maxBytes: FILE_LIMITS.bytes,
      tooLarge: fact('file_too_large', { max: FILE_LIMITS.bytes }),
    }),
  )
  .get(FILE, everybody(), answer(showFile))
  .delete(FILE, admins(), answerAs(deleteFlowFile))
  .get(`${FILE}/content`, everybody(), async (c) => {
    const { db, files } = c.var.context
    const { id, companyId, state, mediaType, size, sha256, name } = await loadFile(
      db.kysely,
      owned(c, 'fileId'),
    )
    if (state === 'awaited') throw new ServiceError('conflict', fact('file_not_here_yet'))
    if (state !== 'kept') throw new ServiceError('not_found', fact('file_gone'))
    const tag = `"${sha256!.toString('base64url')}"`
    const isKnown = c.req.header('if-none-match') === tag
    const range = readRange(c.req.header('range'), size!)
    // The body of a HEAD response is never read, so an open stream would never be closed.
    const isRead = c.req.method !== 'HEAD' && !isKnown && range !== 'outside'
    // The file is opened before any header is written: a refusal has different headers.
    const bytes = isRead ? await open(files, { companyId, id }, range) : null
    writeFileHeaders(c, { mediaType: mediaType!, name, tag })
    if (isKnown) return c.body(null, 304)
    if (range === 'outside') {
      c.header('content-range', `bytes */${size}`)
      return c.body(null, 416)
    }
    if (range) c.header('content-range', `bytes ${range.from}-${range.to}/${size}`)
    c.header('content-length', String(range ? range.to - range.from + 1 : size))
    const status = range ? 206 : 200
    return bytes ? c.body(bytes, status) : c.body(null, status)
  })

/**
 * Writes headers under which a visitor's file is shown by its actual type, in a sandbox, and saved where displaying
 * it could run something. A browser that has cached it asks each time whether it may show it.
 *
 * Spec: Files › Showing.
 */
function writeFileHeaders(
  c: Hc,
  { mediaType, name, tag }: { mediaType: string; name: string | null; tag: string },
): void {
  const isShown = SHOWN.test(mediaType)
  const encoded = encodeURIComponent(name ?? 'file').replaceAll(/['()*]/g, percent)
  c.header('content-type', isShown ? mediaType : UPLOAD_TYPE)
  c.header(
    'content-disposition',
    `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`,
  )
  c.header('content-security-policy', "sandbox; default-src 'none'")
  c.header('cross-origin-resource-policy', 'same-origin')
  c.header('cache-control', 'private, no-cache')
  c.header('accept-ranges', 'bytes')
  c.header('etag', tag)
}

const percent = (sign: string) => `%${sign.codePointAt(0)!.toString(16).toUpperCase()}`

/**
 * Returns the requested byte range, as players send it. Returns null for the whole file, and for forms that are not
 * supported.
 */
function readRange(header: string | undefined, size: number): ByteRange | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from > to ? 'outside' : { from, to }
}

async function open(
  files: FileStore,
  key: { companyId: string; id: string },
  range: ByteRange | null,
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
