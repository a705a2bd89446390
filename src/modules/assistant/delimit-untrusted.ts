/**
 * Random delimiters that separate untrusted text from instructions, against prompt injection. Spec: Assistant › Input
 * of a model.
 */
import { REPLY_OF_ASSISTANT } from '../../core/limits/replies.ts'

/**
 * Invisible characters: controls other than line breaks and tabs, direction marks and overrides, zero-width and tag
 * characters.
 */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
/** A forged delimiter. The bounded repetition keeps the time linear for hostile text. */
const MARK = /<<\s*(?:\/\s*)?data\b[^>]{0,200}>>/giu

/** Returns the delimiter of one request; `token` must be unguessable. */
export function delimiterOf(token: string): string {
  return `data ${token}`
}

/** Returns an untrusted text between delimiters, without what could imitate one or hide something. */
export function delimitData(text: string, delimiter: string): string {
  return `<<${delimiter}>>\n${withoutDelimiters(text)}\n<</${delimiter}>>`
}

/** Returns the text without forged delimiters and invisible characters. */
export function withoutDelimiters(text: string): string {
  // Replaced by a space, so that the text around it does not form a delimiter.
  return text.replace(HIDDEN, '').replace(MARK, ' ')
}

/**
 * Returns a message's text as a model gets it: cut to the maximum length and cleaned. `read` is the number of UTF-16
 * units before the cleaning.
 */
export function modelTextOf(text: string | null): { words: string; read: number } {
  const read = (text ?? '').slice(0, REPLY_OF_ASSISTANT.messageUnits).toWellFormed()
  return { words: withoutDelimiters(read).trim(), read: read.length }
}
