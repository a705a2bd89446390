import { Readable } from 'node:stream'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import type { FileToSend } from '../channel-adapter.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { callGraph, type GraphExchange, type GraphConnection } from './call-graph.ts'

/** The random file id in the boundary is unknown to the file's author, so a file cannot contain the boundary. */
const boundaryOf = ({ id }: FileToSend) => `wasla-${id}`

/**
 * Posts a form with a file that is streamed from the store, within the deadline of uploads.
 * @throws when the file cannot be read
 */
export async function postForm(
  client: ProviderClient,
  connection: GraphConnection,
  form: {
    path: readonly string[]
    fields: Readonly<Record<string, string>>
    fileField: string
    fileName: string
    file: FileToSend
  },
): Promise<GraphExchange> {
  const bytes = await form.file.read()
  const boundary = boundaryOf(form.file)
  const before = Buffer.from(partsBefore(form, boundary))
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  return callGraph(client, connection, {
    path: form.path,
    form: {
      type: `multipart/form-data; boundary=${boundary}`,
      length: before.length + form.file.size + after.length,
      bytes: Readable.from(inOrder(before, bytes, after)),
    },
    deadlineMs: FILE_ENGINE.uploadMs,
  }).finally(() => bytes.destroy())
}

function partsBefore(
  { fields, fileField, fileName, file: { mediaType } }: Parameters<typeof postForm>[2],
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
