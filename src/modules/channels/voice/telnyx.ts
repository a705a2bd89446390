/** Webhooks of Telnyx, which report that a conversation ended; its transcript is loaded from the API. */
import { createPublicKey, verify } from 'node:crypto'
import { SECOND_MS } from '../../../core/limits/units.ts'
import { readFields, readList, readText } from '../provider/read-values.ts'
import { readInstant, type CallReport, type CallTurn } from './call-report.ts'
import { isFresh, type ReportProvider } from './report-provider.ts'

const SIGNATURE = 'telnyx-signature-ed25519'
const TIMESTAMP = 'telnyx-timestamp'
const SIGNATURE_CHARS = 88

/** Telnyx as a provider of call reports. */
export const TELNYX: ReportProvider = {
  mayBeGenuine: ({ [SIGNATURE]: signature, [TIMESTAMP]: at }) =>
    String(signature).length === SIGNATURE_CHARS && /^\d{10}$/.test(String(at)),
  /** The key signs the time, a `|` and the body. */
  isSigned({ headers, body }, publicKey, now) {
    const at = String(headers[TIMESTAMP])
    if (!/^\d{10}$/.test(at) || !isFresh(Number(at) * SECOND_MS, now)) return false
    const signature = Buffer.from(String(headers[SIGNATURE]), 'base64')
    const x = Buffer.from(publicKey, 'base64').toString('base64url')
    try {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
      return verify(null, Buffer.concat([Buffer.from(`${at}|`), body]), key, signature)
    } catch {
      // The key is not of this type.
      return false
    }
  },
  read(report) {
    const event = readFields(readFields(report).data)
    const type = readText(event.event_type)
    if (type !== 'call.conversation.ended') return { ignored: `an event ${type ?? 'of nothing'}` }
    const { conversation_id: id, from, to, direction } = readFields(event.payload)
    const conversationId = readText(id)
    if (conversationId === undefined) return { ignored: 'a conversation without id' }
    const isOutbound = direction === 'outgoing' || direction === 'outbound'
    const customer = readText(isOutbound ? to : from)
    return {
      toRead: {
        conversationId,
        ...(customer !== undefined && { customer }),
        ...(typeof event.occurred_at === 'string' && { endedAt: event.occurred_at }),
      },
    }
  },
}

/** Converts a conversation and its messages to a report: what `TELNYX.read` refers to. */
export function readTelnyxCall(
  { conversationId, customer, endedAt }: Readonly<Record<string, string>>,
  conversation: unknown,
  messages: readonly unknown[],
): CallReport {
  const { metadata, created_at: createdAt } = readFields(readFields(conversation).data)
  const turns = messages
    .flatMap((item): CallTurn[] => {
      const { role, text, sent_at: sentAt, created_at: at } = readFields(item)
      if (role !== 'user' && role !== 'assistant') return []
      const by = role === 'user' ? 'caller' : 'agent'
      return [{ by, text, at: readInstant(sentAt) ?? readInstant(at) }]
    })
    .toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))
  return {
    callId: conversationId!,
    // The conversation names its customer for both directions.
    isOutbound: false,
    from: readText(readFields(metadata).telnyx_end_user_target) ?? customer,
    to: null,
    startedAt: readInstant(createdAt) ?? readInstant(endedAt),
    turns,
  }
}

/** Returns the messages of a page, and the number of pages. */
export function readTelnyxPage(page: unknown): { messages: unknown[]; pages: number } {
  const { data, meta } = readFields(page)
  const { total_pages: pages } = readFields(meta)
  return { messages: readList(data), pages: typeof pages === 'number' ? pages : 1 }
}
