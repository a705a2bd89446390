/** What others say, set apart from what we say. Spec: Assistant › What a model is told. */

/** Controls but line breaks and tabs, direction marks and overrides, what has no width, tag characters. */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
const MARK = /<<\s*\/?\s*data\b[^>]*>>/giu

/** A mark that nobody can guess: of one request alone. */
export function markOf(token: string): string {
  return `data ${token}`
}

/** Between marks, without what could pass for one or hide something. */
export function markData(text: string, mark: string): string {
  return `<<${mark}>>\n${withoutMarks(text)}\n<</${mark}>>`
}

/** A customer's words without marks of their own making. */
export function withoutMarks(text: string): string {
  return text.replace(HIDDEN, '').replace(MARK, '')
}
