import type { Clock } from '../time.ts'
import { invalidParameter, unknownObject } from '../graph-error.ts'
import type { Fields } from '../json-fields.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { MediaShelf, ShelvedFile } from '../media-shelf.ts'

/** Media types that Meta accepts for uploads, with their maximum size in bytes. */
const UPLOADS: readonly (readonly [types: RegExp, mostBytes: number])[] = [
  [/^audio\/(aac|amr|mpeg|mp4|ogg)$/, 16_777_216],
  [/^image\/(jpeg|png)$/, 5_242_880],
  [/^image\/webp$/, 512_000],
  [/^video\/(mp4|3gpp)$/, 16_777_216],
  [
    /^(text\/plain|application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.\S+))$/,
    104_857_600,
  ],
]

/** Creates the media API: uploads, URLs that are valid for five minutes, and the files themselves. */
export function createMediaRoutes({ shelf, clock }: { shelf: MediaShelf; clock: Clock }) {
  const find = (id: string, method = 'GET'): ShelvedFile => {
    const file = shelf.find(id)
    if (!file) throw unknownObject(id, method)
    return file
  }

  return {
    /** Answers `POST /{number}/media`, a form with a file. */
    async upload(bytes: Buffer, contentType: string): Promise<Fields> {
      const headers = { 'content-type': contentType }
      const form = await new Response(new Uint8Array(bytes), { headers })
        .formData()
        .catch(() => null)
      if (form?.get('messaging_product') !== 'whatsapp') {
        throw invalidParameter('The parameter messaging_product is required.')
      }
      const file = form.get('file')
      if (!(file instanceof Blob)) throw invalidParameter('The parameter file is required.')
      const type = file.type.split(';', 1)[0]!
      const maxBytes = UPLOADS.find(([types]) => types.test(type))?.[1]
      if (maxBytes === undefined) {
        throw invalidParameter(
          `Param file must be a file with one of the supported types. Received file of type '${type}'.`,
        )
      }
      if (file.size > maxBytes) throw invalidParameter('Param file is larger than it may be.')
      const { id } = shelf.put(Buffer.from(await file.arrayBuffer()), file.type)
      return { id }
    },
    /** Answers `GET /{media}` with a URL of the file, which is valid for a while. */
    locate(id: string, origin: string): Fields {
      const { bytes, mimeType, sha256 } = find(id)
      const until = clock.now().getTime() + SIMULATOR_LIMITS.mediaUrlMs
      return {
        messaging_product: 'whatsapp',
        url: `${origin}/simulator/graph/files/${id}?until=${until}`,
        mime_type: mimeType,
        sha256: sha256.toString('hex'),
        file_size: bytes.length,
        id,
      }
    },
    /** Returns the file for a URL of `locate`, until the URL expires. */
    download(id: string, until: string | null): ShelvedFile {
      if (!(Number(until) > clock.now().getTime())) throw unknownObject(id, 'GET')
      return find(id)
    },
    /** Throws unless the file exists and has the kind with which the business sends it. */
    requireSendable(type: string, id: string): void {
      const file = shelf.find(id)
      const family = file?.mimeType.split('/', 1)[0]
      const isKind =
        type === 'document' || type === family || (type === 'sticker' && family === 'image')
      if (!file || !isKind) {
        throw invalidParameter(
          `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`,
        )
      }
    },
  }
}
/** The media API of the simulator. */
export type MediaRoutes = ReturnType<typeof createMediaRoutes>
