import { fact } from '../../../core/facts/fact.ts'
import type { FileToSend, Outbound, SendResult } from '../channel-adapter.ts'
import type { CustomerRef, ProviderError } from '../inbound.ts'
import { buildMessage, hasAddress } from './build-message.ts'
import { callGraph, explainFailure, type GraphExchange } from '../meta/call-graph.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { WhatsAppConnection } from './connection.ts'
import { readGraphError } from '../meta/read-graph-error.ts'
import { readBusinessScopedId } from './read-customer.ts'
import {
  withoutUndefined,
  readFields,
  readProviderJson,
  readList,
  readPhoneDigits,
  readText,
  readId,
} from '../provider/read-values.ts'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import { postForm } from '../meta/post-form.ts'

type Uploaded =
  | { outcome: 'uploaded'; providerMediaId: string }
  | { outcome: 'refused'; error: ProviderError }

/**
 * Uploads a file, which WhatsApp keeps for a month. Uploads are invisible to customers, so a lost response is a
 * temporary refusal. @throws when the file cannot be read
 */
async function uploadMedia(
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
  const id = isAnswer ? readId(readFields(readProviderJson(result.body)).id) : undefined
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

/** The options of a send. */
export type SendOptions = {
  ourReference: string
  /** The file of a message that has one. */
  file?: FileToSend | null
  signal?: AbortSignal | undefined
}

/**
 * Sends a message by WhatsApp's Cloud API, once, without a retry.
 * @throws only when a file cannot be read, before sending
 */
export async function sendMessage(
  client: ProviderClient,
  connection: WhatsAppConnection,
  to: CustomerRef,
  message: Outbound,
  { ourReference, file, signal }: SendOptions,
): Promise<SendResult> {
  if (message.kind === 'media' && file && file.providerMediaId === null && hasAddress(to)) {
    const uploaded = await uploadMedia(client, connection, file)
    if (uploaded.outcome === 'refused') return uploaded
    const known = { ...file, providerMediaId: uploaded.providerMediaId }
    return sendMessage(client, connection, to, message, { ourReference, file: known, signal })
  }
  const body = buildMessage(to, message, { ourReference, mediaId: file?.providerMediaId ?? null })
  if (body === null) {
    const why = fact('customer_without_address')
    const error = { code: 'no_address', class: 'recipient', message: '', why } as const
    return { outcome: 'refused', error }
  }
  const path = [connection.phoneNumberId, 'messages']
  const result = await callGraph(client, connection, { path, body, signal })
  const sent = readSendResult(result, connection)
  if (message.kind !== 'media' || sent.outcome !== 'refused') return sent
  if (sent.error.class !== 'content') return sent
  // WhatsApp may have deleted the upload: the next attempt uploads the file again.
  const isOld = (await file?.forget()) === true
  return isOld ? { ...sent, error: { ...sent.error, class: 'transient' } } : sent
}

/**
 * Returns `refused` only when WhatsApp refused, or nothing was sent. Another 5xx may come from a proxy, after the
 * message was sent.
 */
function readSendResult(result: GraphExchange, connection: WhatsAppConnection): SendResult {
  if (result.outcome === 'lost') {
    return { outcome: 'unknown' }
  }
  if (result.outcome === 'answered') {
    const { status, body } = result
    if (status >= 200 && status < 300) {
      return readAccepted(body)
    }
    if (status >= 500 && readGraphError(body, connection.classifyCode) === null) {
      return { outcome: 'unknown' }
    }
  }
  return { outcome: 'refused', error: explainFailure(result, connection) }
}

/** WhatsApp returns the customer's real number, which may differ from the one that was used. */
function readAccepted(body: string): SendResult {
  const answer = readFields(readProviderJson(body))
  const providerMessageId = readText(readFields(readList(answer.messages)[0]).id)
  if (providerMessageId === undefined) {
    return { outcome: 'unknown' }
  }
  const contact = readFields(readList(answer.contacts)[0])
  const customer = withoutUndefined<CustomerRef>({
    number: readPhoneDigits(contact.wa_id),
    businessScopedId: readBusinessScopedId(contact.user_id),
    parentBusinessScopedId: readBusinessScopedId(contact.parent_user_id),
  })
  return Object.keys(customer).length === 0
    ? { outcome: 'accepted', providerMessageId }
    : { outcome: 'accepted', providerMessageId, customer }
}
