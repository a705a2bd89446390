import type { Context as Hc } from 'hono'
import { FileQuery, UploadQuery, type FileRoutes } from '../../contract/dashboard/file.ts'
import { fact } from '../../core/facts/fact.ts'
import type { ByteRange } from '../../modules/files/file-store.ts'
import { deleteFlowFile, listFlowFiles } from '../../modules/files/flow-files.ts'
import { loadFile, showFile } from '../../modules/files/load-file.ts'
import { uploadFile } from '../../modules/files/upload-file.ts'
import { FILE_LIMITS } from '../../core/limits/files.ts'
import { ServiceError } from '../../core/service-error.ts'
import { admins, members } from './access.ts'
import { openStoredFile } from '../open-stored-file.ts'
import { acceptFile, answer, answerAs, pathIds } from './answer.ts'
import { query } from './read-input.ts'
import { routes } from './routes.ts'

/** The end of every path to which a file is uploaded. */
export const UPLOAD_PATH_END = '/files'
/** The media type of an upload's body, whatever the file is. */
export const UPLOAD_TYPE = 'application/octet-stream'

const FILES = `/companies/:companyId${UPLOAD_PATH_END}` as const
const FILE = `${FILES}/:fileId` as const

/** Media types that browsers may display, because they contain no code. All other types are only saved. */
const SHOWN = /^(image\/(jpeg|png|gif|webp)|audio\/[a-z0-9]+|video\/(mp4|webm|3gpp|quicktime))$/

export const fileRoutes = routes<FileRoutes>()
  .get(FILES, admins(), query(FileQuery), answer(listFlowFiles))
  .post(
    FILES,
    members(),
    query(UploadQuery),
    acceptFile(uploadFile, {
      types: [UPLOAD_TYPE],
      otherType: fact('file_body_type'),
      maxBytes: FILE_LIMITS.bytes,
      tooLarge: fact('file_too_large', { max: FILE_LIMITS.bytes }),
    }),
  )
  .get(FILE, members(), answer(showFile))
  .delete(FILE, admins(), answerAs(deleteFlowFile))
  .get(`${FILE}/content`, members(), async (c) => {
    const { db, files } = c.var.context
    const { id, companyId, state, mediaType, size, sha256, name } = await loadFile(
      db.kysely,
      pathIds(c, 'fileId'),
    )
    if (state === 'awaited') throw new ServiceError('conflict', fact('file_not_here_yet'))
    if (state !== 'kept') throw new ServiceError('not_found', fact('file_gone'))
    const tag = `"${sha256!.toString('base64url')}"`
    const isKnown = c.req.header('if-none-match') === tag
    const range = readRange(c.req.header('range'), size!)
    // The body of a HEAD response is never read, so an open stream would never be closed.
    const isRead = c.req.method !== 'HEAD' && !isKnown && range !== 'outside'
    const bytes = isRead ? await openStoredFile(files, { companyId, id }, range) : null
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
 * Sets the headers of a file. A browser displays it by its actual type in a sandbox, or saves it when displaying it could
 * run code. It revalidates a cached file before each use.
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
 * Returns the requested byte range, as players send it, and `outside` for one that the file does not have. Returns null
 * for the whole file, and for forms that are not supported.
 */
function readRange(header: string | undefined, size: number): ByteRange | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from > to ? 'outside' : { from, to }
}
