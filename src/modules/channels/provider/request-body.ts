import { Readable } from 'node:stream'
import type { FileToSend } from '../channel-adapter.ts'

/**
 * An encoded form with a file: the stream of its `multipart/form-data` bytes, and their number. `type` is the content
 * type with the boundary. The stream can be read once.
 */
export type MultipartForm = { type: string; length: number; bytes: Readable }

/** Returns the body and headers of a request with a multipart form or with JSON; null when it has neither. */
export function encodeBody({ body, form }: { body?: unknown; form?: MultipartForm }) {
  if (form) {
    const { type, length, bytes } = form
    return { body: bytes, headers: { 'content-type': type, 'content-length': String(length) } }
  }
  if (body === undefined) return null
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

/**
 * Opens a file and returns an encoded form that streams it from the store. `close` ends the stream, also when the form
 * was not read to its end.
 * @throws when the file cannot be read
 */
export async function openMultipartForm(
  file: FileToSend,
  form: { fields: Readonly<Record<string, string>>; fileField: string; fileName: string },
): Promise<MultipartForm & { close(): void }> {
  // The random file id in the boundary is unknown to the file's author, so a file cannot contain the boundary.
  const boundary = `wasla-${file.id}`
  const before = Buffer.from(partsBefore(form, file.mediaType, boundary))
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const source = await file.read()
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: before.length + file.size + after.length,
    bytes: Readable.from(inOrder(before, source, after)),
    close: () => source.destroy(),
  }
}

function partsBefore(
  { fields, fileField, fileName }: Parameters<typeof openMultipartForm>[1],
  mediaType: string,
  boundary: string,
): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return [
    ...parts,
    `--${boundary}\r\ncontent-disposition: form-data; name="${fileField}"; `,
    `filename="${escapeName(fileName)}"\r\ncontent-type: ${mediaType}\r\n\r\n`,
  ].join('')
}

/** Escapes a file name as browsers do in forms. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

async function* inOrder(before: Buffer, bytes: Readable, after: Buffer): AsyncGenerator<Buffer> {
  yield before
  yield* bytes as AsyncIterable<Buffer>
  yield after
}
