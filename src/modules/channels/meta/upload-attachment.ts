import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { MediaKind } from '../../../core/vocabulary/files.ts'
import type { FileToSend } from '../channel-adapter.ts'
import type { ProviderError } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readJson } from '../provider/read-values.ts'
import { explainFailure } from './call-graph.ts'
import type { MessagingConnection } from './messaging-connection.ts'
import { postForm } from './post-form.ts'

type Uploaded =
  | { outcome: 'uploaded'; providerMediaId: string }
  | { outcome: 'refused'; error: ProviderError }

/**
 * Uploads a file unless the provider already has it. Uploads are invisible to customers, so a lost response is a
 * temporary refusal.
 * @throws when the file cannot be read
 */
export async function uploadAttachment(
  client: ProviderClient,
  connection: MessagingConnection,
  mediaKind: MediaKind,
  file: FileToSend,
): Promise<Uploaded> {
  if (file.providerMediaId !== null) {
    return { outcome: 'uploaded', providerMediaId: file.providerMediaId }
  }
  const type = mediaKind === 'document' ? 'file' : mediaKind
  const attachment = { type, payload: { is_reusable: true } }
  const result = await postForm(client, connection, {
    path: [connection.sender, 'message_attachments'],
    fields: {
      message: JSON.stringify({ attachment }),
      ...(connection.platform === null ? {} : { platform: connection.platform }),
    },
    fileField: 'filedata',
    fileName: mediaKind === 'document' ? (file.name ?? 'file') : 'file',
    file,
  })
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const id = isAnswer ? readId(readFields(readJson(result.body)).attachment_id) : undefined
  if (id === undefined) {
    const error = explainFailure(result, connection)
    // A response of a proxy, or an unreadable one, says nothing about the file.
    const isUnclear = error.class === 'other'
    return { outcome: 'refused', error: isUnclear ? { ...error, class: 'transient' } : error }
  }
  await file.remember(id, PROVIDER_LIMITS.uploadKnownMs)
  return { outcome: 'uploaded', providerMediaId: id }
}
