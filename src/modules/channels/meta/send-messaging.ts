import { fact } from '../../../core/facts/fact.ts'
import type { FileToSend, Outbound, SendResult } from '../channel-adapter.ts'
import type { CustomerRef, ProviderError } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readProviderJson } from '../provider/read-values.ts'
import { callGraph, explainFailure, type GraphExchange } from './call-graph.ts'
import type { MessagingConnection } from './messaging-connection.ts'
import { readGraphError } from './read-graph-error.ts'
import { writeReference } from './reference.ts'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { MediaKind } from '../../../core/vocabulary/files.ts'
import { postForm } from './post-form.ts'

type Uploaded =
  | { outcome: 'uploaded'; providerMediaId: string }
  | { outcome: 'refused'; error: ProviderError }

/**
 * Uploads a file unless the provider already has it. Uploads are invisible to customers, so a lost response is a
 * temporary refusal.
 * @throws when the file cannot be read
 */
async function uploadAttachment(
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
  const id = isAnswer ? readId(readFields(readProviderJson(result.body)).attachment_id) : undefined
  if (id === undefined) {
    const error = explainFailure(result, connection)
    // A response of a proxy, or an unreadable one, says nothing about the file.
    const isUnclear = error.class === 'other'
    return { outcome: 'refused', error: isUnclear ? { ...error, class: 'transient' } : error }
  }
  await file.remember(id, PROVIDER_LIMITS.uploadKnownMs)
  return { outcome: 'uploaded', providerMediaId: id }
}

/**
 * Sends a message by Messenger's or Instagram's API, once, without a retry.
 * @throws only when a file cannot be read, before sending
 */
export async function sendMessaging(
  client: ProviderClient,
  connection: MessagingConnection,
  to: CustomerRef,
  message: Outbound,
  { ourReference, file }: { ourReference: string; file: FileToSend | null },
): Promise<SendResult> {
  const { providerUserId } = to
  if (providerUserId === undefined) return refused('no_address', 'recipient')
  if (message.kind === 'template') return refused('no_templates', 'content')
  let mediaId: string | null = null
  if (message.kind === 'media' && file) {
    const uploaded = await uploadAttachment(client, connection, message.mediaKind, file)
    if (uploaded.outcome === 'refused') return uploaded
    mediaId = uploaded.providerMediaId
  }
  const content = buildContent(message, mediaId)
  const result = await callGraph(client, connection, {
    path: [connection.sender, 'messages'],
    body: connection.repeatsReferences
      ? {
          recipient: { id: providerUserId },
          messaging_type: 'RESPONSE',
          message: { ...content, metadata: writeReference(ourReference) },
        }
      : { recipient: { id: providerUserId }, message: content },
  })
  const sent = readSendResult(result, connection)
  if (message.kind !== 'media' || sent.outcome !== 'refused') return sent
  if (sent.error.class !== 'content' || file?.providerMediaId == null) return sent
  // The provider may have deleted the upload: the next attempt uploads the file again.
  await file.forget()
  return { ...sent, error: { ...sent.error, class: 'transient' } }
}

/**
 * Builds the content. Quick replies are displayed below the text until the customer writes; lists have no other form
 * here.
 */
function buildContent(
  message: Exclude<Outbound, { kind: 'template' }>,
  mediaId: string | null,
): Record<string, unknown> {
  switch (message.kind) {
    case 'text':
      return { text: message.text }
    case 'buttons':
    case 'list': {
      const targets = message.kind === 'buttons' ? message.buttons : message.rows
      return {
        text: message.text,
        quick_replies: targets.map(({ label, payload }) => {
          return { content_type: 'text', title: label, payload }
        }),
      }
    }
    case 'media': {
      const type = message.mediaKind === 'document' ? 'file' : message.mediaKind
      return { attachment: { type, payload: { attachment_id: mediaId } } }
    }
  }
}

/**
 * Returns `refused` only when the provider refused, or nothing was sent. Another 5xx may come from a proxy, after the
 * message was sent.
 */
function readSendResult(result: GraphExchange, connection: MessagingConnection): SendResult {
  if (result.outcome === 'lost') return { outcome: 'unknown' }
  if (result.outcome === 'answered') {
    const { status, body } = result
    if (status >= 200 && status < 300) {
      const id = readId(readFields(readProviderJson(body)).message_id)
      return id === undefined
        ? { outcome: 'unknown' }
        : { outcome: 'accepted', providerMessageId: id }
    }
    if (status >= 500 && readGraphError(body, connection.classifyCode) === null) {
      return { outcome: 'unknown' }
    }
  }
  return { outcome: 'refused', error: explainFailure(result, connection) }
}

function refused(code: 'no_address' | 'no_templates', errorClass: 'recipient' | 'content') {
  const why = fact(code === 'no_address' ? 'customer_without_address' : 'channel_sends_nothing')
  return { outcome: 'refused' as const, error: { code, class: errorClass, message: '', why } }
}
