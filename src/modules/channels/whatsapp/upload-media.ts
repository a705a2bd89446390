import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { FileToSend } from '../channel-adapter.ts'
import type { ProviderError } from '../inbound.ts'
import { explainFailure } from '../meta/call-graph.ts'
import { postForm } from '../meta/post-form.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readJson } from '../provider/read-values.ts'
import type { WhatsAppConnection } from './connection.ts'

type Uploaded =
  | { outcome: 'uploaded'; providerMediaId: string }
  | { outcome: 'refused'; error: ProviderError }

/**
 * Uploads a file, which WhatsApp keeps for a month. Uploads are invisible to customers, so a lost response is a
 * temporary refusal. @throws when the file cannot be read
 */
export async function uploadMedia(
  client: ProviderClient,
  connection: WhatsAppConnection,
  file: FileToSend,
): Promise<Uploaded> {
  const result = await postForm(client, connection, {
    path: [connection.phoneNumberId, 'media'],
    fields: { messaging_product: 'whatsapp', type: file.mediaType },
    fileField: 'file',
    fileName: 'file',
    file,
  })
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const id = isAnswer ? readId(readFields(readJson(result.body)).id) : undefined
  if (id === undefined) return { outcome: 'refused', error: uploadError(result, connection) }
  await file.remember(id, PROVIDER_LIMITS.uploadKnownMs)
  return { outcome: 'uploaded', providerMediaId: id }
}

/** Returns the error of an upload. A response of a proxy, or an unreadable one, says nothing about the file. */
function uploadError(
  result: Parameters<typeof explainFailure>[0],
  connection: WhatsAppConnection,
): ProviderError {
  const error = explainFailure(result, connection)
  return error.class === 'other' ? { ...error, class: 'transient' } : error
}
