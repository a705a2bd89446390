import { TextDecoder } from 'node:util'
import type { OutboundAnswer } from '../../infra/egress/outbound-client.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Text in these may be read as UTF-8 too, and says nothing then. */
const LIKE_UTF8 = /^(?:utf-16|iso-2022|x-user-defined)/

/**
 * The body of an answer as text, and that text as UTF-8: by the charset that its Content-Type names. What is UTF-8 is
 * read as UTF-8 whatever it is called, as JSON always is; what is neither is read as Latin-1.
 */
export function decodeAnswer({ head, headers }: Extract<OutboundAnswer, { kind: 'answer' }>): {
  bytes: Buffer
  text: string
} {
  const named = decoderOf(headers)
  const decoders = named && LIKE_UTF8.test(named.encoding) ? [named, utf8] : [utf8, named]
  for (const decoder of decoders) {
    try {
      const text = decoder?.decode(head)
      if (text !== undefined) return { bytes: decoder === utf8 ? head : Buffer.from(text), text }
    } catch {
      // Not in that one.
    }
  }
  return { bytes: head, text: head.toString('latin1') }
}

function decoderOf(headers: readonly (readonly [string, string])[]): TextDecoder | null {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const charset = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i.exec(type)?.[1]
  try {
    return charset === undefined ? null : new TextDecoder(charset, { fatal: true })
  } catch {
    return null
  }
}
