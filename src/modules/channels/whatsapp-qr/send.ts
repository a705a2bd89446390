import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import type { FetchedMedia, FileToSend, Outbound, SendResult } from '../channel-adapter.ts'
import type { CustomerRef, MediaRef, ProviderError } from '../inbound.ts'
import { ANSWER_TOO_LARGE, type ProviderExchange } from '../provider/http-exchange.ts'
import { readFields, readJson, readText } from '../provider/read-values.ts'
import { refusalCode, whyNot, type Bridge } from './bridge-client.ts'
import type { BridgeAddress } from '../base-urls.ts'
import { readMediaId } from './media-id.ts'
import { qrMessageId } from './message-id.ts'

type At = {
  bridge: Bridge
  address: BridgeAddress
  route: string
  /** The number that the channel was linked to: while another phone has scanned, nothing goes out. */
  from: string | null
}

/**
 * Sends once, under an id of ours. @throws only where a file cannot be read, before it sends.
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
  const asked = await at.bridge.ask(at.address, {
    path: ['numbers', at.route, 'messages'],
    json: {
      id,
      ...(at.from !== null && { from: at.from }),
      to: number === undefined ? { lid } : { number },
      ...content,
    },
  })
  return readSent(asked, id)
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
  const asked = await at.bridge
    .ask(at.address, {
      path: ['numbers', at.route, 'uploads'],
      bytes: { body, length: file.size, type: file.mediaType },
      deadlineMs: FILE_ENGINE.uploadMs,
    })
    .finally(() => body.destroy())
  const isAnswer = asked.outcome === 'answered' && asked.status === 200
  const upload = isAnswer ? readText(readFields(readJson(asked.bytes)).upload) : undefined
  // Nothing reaches a customer by it.
  if (upload === undefined) return { error: whyNot(asked) }
  const { mediaKind: kind, caption, fileName } = message
  return { media: { upload, kind, mimeType: file.mediaType, caption, fileName } }
}

/** Only a word of the bridge's own says that it went out, under our id, or that nothing did. */
function readSent(asked: ProviderExchange, id: string): SendResult {
  if (asked.outcome === 'lost') return { outcome: 'unknown' }
  if (asked.outcome === 'answered') {
    if (asked.status === 200 && readText(readFields(readJson(asked.bytes)).id) === id) {
      return { outcome: 'accepted', providerMessageId: id }
    }
    if (refusalCode(asked) === undefined && asked.status !== 401) return { outcome: 'unknown' }
  }
  return refused(whyNot(asked))
}

const refused = (error: ProviderError): SendResult => ({ outcome: 'refused', error })

/** Fetches and deciphers what a customer sent, which only the bridge can. */
export async function fetchByBridge(
  { bridge, address, route }: Omit<At, 'from'>,
  { providerMediaId }: MediaRef,
  { mostBytes }: { mostBytes: number },
): Promise<FetchedMedia> {
  const media = readMediaId(providerMediaId)
  if (!media) return { outcome: 'lost', why: fact('file_gone') }
  const asked = await bridge.ask(address, {
    path: ['numbers', route, 'media'],
    json: { ...media, mostBytes },
    deadlineMs: FILE_ENGINE.fetchMs,
    answerBytes: mostBytes,
  })
  const code = refusalCode(asked)
  if ((asked.outcome === 'lost' && asked.code === ANSWER_TOO_LARGE) || code === 'too_large') {
    return { outcome: 'lost', why: fact('file_too_large', { most: mostBytes }) }
  }
  if (code === 'gone') return { outcome: 'lost', why: fact('file_gone') }
  if (asked.outcome !== 'answered' || asked.status !== 200) {
    return { outcome: 'refused', error: whyNot(asked) }
  }
  return { outcome: 'fetched', bytes: asked.bytes }
}
