import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import type { FetchedMedia, FileToSend, Outbound, SendResult } from '../channel-adapter.ts'
import type { CustomerRef, MediaRef, ProviderError } from '../inbound.ts'
import { ANSWER_TOO_LARGE, type ProviderExchange } from '../provider/http-exchange.ts'
import { readFields, readProviderJson, readText } from '../provider/read-values.ts'
import { refusalCode, bridgeError, type BridgeClient } from './bridge-client.ts'
import type { BridgeAddress } from '../base-urls.ts'
import { readMediaId } from './media-id.ts'
import { qrMessageId } from './message-id.ts'

type At = {
  bridge: BridgeClient
  address: BridgeAddress
  route: string
  /** The number that was linked first: while another phone is linked, nothing is sent. */
  from: string | null
}

/**
 * Sends a message by the bridge in one attempt, under an id that is derived from this service's message id.
 * @throws only when a file cannot be read, before sending
 * Spec: QR bridge › Sending.
 */
export async function sendByBridge(
  at: At,
  to: CustomerRef,
  message: Outbound,
  { ourReference, file }: { ourReference: string; file: FileToSend | null },
): Promise<SendResult> {
  if (to.number === undefined && to.lid === undefined) {
    const why = fact('customer_without_address')
    return refused({ code: 'no_address', class: 'recipient', message: '', why })
  }
  const content = await contentOf(at, message, file)
  if ('error' in content) return refused(content.error)
  const { number, lid } = to
  const id = qrMessageId(ourReference)
  const response = await at.bridge.call(at.address, {
    path: ['numbers', at.route, 'messages'],
    json: {
      id,
      ...(at.from !== null && { from: at.from }),
      to: number === undefined ? { lid } : { number },
      ...content,
    },
  })
  return readSent(response, id)
}

async function contentOf(
  at: At,
  message: Outbound,
  file: FileToSend | null,
): Promise<{ text: string } | { media: object } | { error: ProviderError }> {
  if (message.kind === 'text') return { text: message.text }
  if (message.kind !== 'media' || !file) {
    const why = fact('channel_sends_nothing')
    return { error: { code: 'unsupported', class: 'content', message: '', why } }
  }
  const body = await file.read()
  const response = await at.bridge
    .call(at.address, {
      path: ['numbers', at.route, 'uploads'],
      bytes: { body, length: file.size, type: file.mediaType },
      deadlineMs: FILE_ENGINE.uploadMs,
    })
    .finally(() => body.destroy())
  const isAnswer = response.outcome === 'answered' && response.status === 200
  const upload = isAnswer
    ? readText(readFields(readProviderJson(response.bytes)).upload)
    : undefined
  // Uploads are invisible to customers.
  if (upload === undefined) return { error: bridgeError(response) }
  const { mediaKind: kind, caption, fileName } = message
  return { media: { upload, kind, mimeType: file.mediaType, caption, fileName } }
}

/** Returns `accepted` or `refused` only by a response of the bridge itself, with this message's id. */
function readSent(response: ProviderExchange, id: string): SendResult {
  if (response.outcome === 'lost') return { outcome: 'unknown' }
  if (response.outcome === 'answered') {
    if (
      response.status === 200 &&
      readText(readFields(readProviderJson(response.bytes)).id) === id
    ) {
      return { outcome: 'accepted', providerMessageId: id }
    }
    if (refusalCode(response) === undefined && response.status !== 401)
      return { outcome: 'unknown' }
  }
  return refused(bridgeError(response))
}

const refused = (error: ProviderError): SendResult => ({ outcome: 'refused', error })

/** Returns a customer's attachment, which the bridge downloads and decrypts with the key in its `providerMediaId`. */
export async function fetchByBridge(
  { bridge, address, route }: Omit<At, 'from'>,
  { providerMediaId }: MediaRef,
  { maxBytes }: { maxBytes: number },
): Promise<FetchedMedia> {
  const media = readMediaId(providerMediaId)
  if (!media) return { outcome: 'lost', why: fact('file_gone') }
  const response = await bridge.call(address, {
    path: ['numbers', route, 'media'],
    json: { ...media, mostBytes: maxBytes },
    deadlineMs: FILE_ENGINE.fetchMs,
    answerBytes: maxBytes,
  })
  const code = refusalCode(response)
  if ((response.outcome === 'lost' && response.code === ANSWER_TOO_LARGE) || code === 'too_large') {
    return { outcome: 'lost', why: fact('file_too_large', { max: maxBytes }) }
  }
  if (code === 'gone') return { outcome: 'lost', why: fact('file_gone') }
  if (response.outcome !== 'answered' || response.status !== 200) {
    return { outcome: 'refused', error: bridgeError(response) }
  }
  return { outcome: 'fetched', bytes: response.bytes }
}
