/** What others say, set apart from what we say. Spec: Assistant › What a model is told. */
import { REPLY_OF_ASSISTANT } from '../../core/limits/replies.ts'

/** Controls but line breaks and tabs, direction marks and overrides, what has no width, tag characters. */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
/** Bounded, so that the time of a hostile text grows with its length alone. */
const MARK = /<<\s*(?:\/\s*)?data\b[^>]{0,200}>>/giu

/** A mark that nobody can guess: of one request alone. */
export function delimiterOf(token: string): string {
  return `data ${token}`
}

/** Between marks, without what could pass for one or hide something. */
export function markData(text: string, mark: string): string {
  return `<<${mark}>>\n${withoutDelimiters(text)}\n<</${mark}>>`
}

/** Returns what somebody wrote without marks of their own making. */
export function withoutDelimiters(text: string): string {
  // A space, so that what stands around a mark becomes none.
  return text.replace(HIDDEN, '').replace(MARK, ' ')
}

/** Returns the words of one message that a model is told, and how much of it was read. */
export function wordsOf(text: string | null): { words: string; read: number } {
  const read = (text ?? '').slice(0, REPLY_OF_ASSISTANT.messageUnits).toWellFormed()
  return { words: withoutDelimiters(read).trim(), read: read.length }
}
