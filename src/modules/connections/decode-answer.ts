import { TextDecoder } from 'node:util'
import type { OutboundAnswer } from '../../infra/egress/outbound-client.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Encodings in which arbitrary UTF-8 text may decode without an error. */
const LIKE_UTF8 = /^(?:utf-16|iso-2022|x-user-defined)/

/**
 * Decodes the body of a response by the charset of its Content-Type, and returns it also as UTF-8 bytes. Valid UTF-8
 * is decoded as UTF-8 whatever the header says, as JSON always is; a body that is neither is decoded as Latin-1.
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
      // The next decoder is tried.
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
