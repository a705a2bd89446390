import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { countCodePoints } from '../text/json-text.ts'
import { accept, refuse, type Result } from '../result.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads an `Idempotency-Key` header as Node provides it: each byte is one character, and two headers are joined by `,
 * `. Returns null for no key. A key in UTF-8 is decoded, so that 200 Arabic letters are 200 characters; any other bytes
 * differ from every UTF-8 key.
 * Spec: Hooks › Request; reading H6.
 */
export function readIdempotencyKey(
  header: string | undefined,
): Result<string | null, 'idempotency_key_too_long'> {
  // HTTP knows only space and tab as white space; `trim` would also remove the last byte of some letters.
  const bytes = trimSpaces(header ?? '')
  if (bytes === '') return accept(null)
  const key = decodeKey(bytes)
  return countCodePoints(key) > HOOK_LIMITS.idempotencyKeyChars
    ? refuse('idempotency_key_too_long')
    : accept(key)
}

function trimSpaces(text: string): string {
  const isSpace = (at: number): boolean => text[at] === ' ' || text[at] === '\t'
  let start = 0
  let end = text.length
  while (start < end && isSpace(start)) start++
  while (end > start && isSpace(end - 1)) end--
  return text.slice(start, end)
}

function decodeKey(latin1: string): string {
  if (!/[\u0080-\u00ff]/.test(latin1)) return latin1
  try {
    return utf8.decode(Uint8Array.from(latin1, (byte) => byte.charCodeAt(0)))
  } catch {
    return latin1.replace(/[\u0080-\u00ff]/g, (byte) =>
      String.fromCharCode(0xf700 + byte.charCodeAt(0)),
    )
  }
}
