import { Readable } from 'node:stream'
import { FILE_ENGINE } from '../../limits/files.ts'
import { PROVIDER_LIMITS } from '../../limits/messaging.ts'
import type { FileToSend, ProviderError } from '../channel-adapter.ts'
import { callGraph, explainFailure } from '../meta/call-graph.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { WhatsAppConnection } from './connection.ts'
import { readFields, readId, readJson } from '../provider/read-values.ts'

type Uploaded =
  | { outcome: 'uploaded'; providerMediaId: string }
  | { outcome: 'refused'; error: ProviderError }

/** Nobody who makes a file knows by which id it will be kept: none can hold the line that ends it. */
const boundaryOf = ({ id }: FileToSend) => `wasla-${id}`

/**
 * Gives a file to WhatsApp, which keeps it for a month under an id of its own. Nothing reaches a customer
 * by it, so what is lost on the way is only refused for now. @throws where the file cannot be read
 */
export async function uploadMedia(
  client: ProviderClient,
  connection: WhatsAppConnection,
  file: FileToSend,
): Promise<Uploaded> {
  const bytes = await file.read()
  const boundary = boundaryOf(file)
  const before = Buffer.from(partsBefore(file, boundary))
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const result = await callGraph(client, connection, {
    path: [connection.phoneNumberId, 'media'],
    form: {
      type: `multipart/form-data; boundary=${boundary}`,
      length: before.length + file.size + after.length,
      bytes: Readable.from(inOrder(before, bytes, after)),
    },
    deadlineMs: FILE_ENGINE.uploadMs,
  }).finally(() => bytes.destroy())
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const id = isAnswer ? readId(readFields(readJson(result.body)).id) : undefined
  if (id === undefined) return { outcome: 'refused', error: whyNotUploaded(result, connection) }
  await file.remember(id, PROVIDER_LIMITS.uploadKnownMs)
  return { outcome: 'uploaded', providerMediaId: id }
}

/** A machine in between, or an answer that nobody can read, says nothing of the file. */
function whyNotUploaded(
  result: Parameters<typeof explainFailure>[0],
  connection: WhatsAppConnection,
): ProviderError {
  const error = explainFailure(result, connection)
  return error.class === 'other' ? { ...error, class: 'transient' } : error
}

function partsBefore({ mediaType }: FileToSend, boundary: string): string {
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return [
    field('messaging_product', 'whatsapp'),
    field('type', mediaType),
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file"\r\n`,
    `content-type: ${mediaType}\r\n\r\n`,
  ].join('')
}

async function* inOrder(before: Buffer, bytes: Readable, after: Buffer): AsyncGenerator<Buffer> {
  yield before
  yield* bytes as AsyncIterable<Buffer>
  yield after
}
