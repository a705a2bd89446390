/** Finds the parts of a secret that a reader could decode from a text. */
import { gunzipSync } from 'node:zlib'

/** Returns all texts that one decoder can read from a text. The decoders are simple regular expressions. */
function decodings(text: string): string[] {
  const fromBytes = (bytes: number[]) => Buffer.from(bytes).toString('utf8')
  /** Neighbouring units are read together: they may be bytes of one character. */
  const units = (pattern: RegExp, read: (unit: string) => string) => text.replace(pattern, read)
  const runs = (pattern: RegExp, read: (run: string) => string[]) =>
    (text.match(pattern) ?? []).flatMap(read)
  return [
    units(/(?:%[0-9a-f]{2})+/gi, (run) =>
      fromBytes(
        run
          .slice(1)
          .split('%')
          .map((byte) => Number.parseInt(byte, 16)),
      ),
    ),
    units(/\\u([0-9a-f]{4})|\\(["\\/])/gi, (unit) =>
      unit.length > 2 ? String.fromCharCode(Number.parseInt(unit.slice(2), 16)) : unit.slice(1),
    ),
    units(/&#x?[0-9a-f]+;/gi, (unit) => {
      const isHex = /^&#x/i.test(unit)
      const point = Number.parseInt(unit.slice(isHex ? 3 : 2), isHex ? 16 : 10)
      return point <= 0x10ffff ? String.fromCodePoint(point) : unit
    }),
    units(/(?:=[0-9A-F]{2}|=\r\n)+/g, (run) =>
      fromBytes((run.match(/[0-9A-F]{2}/g) ?? []).map((byte) => Number.parseInt(byte, 16))),
    ),
    text.replaceAll('+', ' '),
    ...runs(/[A-Za-z0-9+/_-](?:[A-Za-z0-9+/_-]|\r?\n)+/g, (run) =>
      [0, 1, 2, 3].flatMap((offset) => {
        const bytes = Buffer.from(run.replace(/\s/g, '').slice(offset), 'base64')
        const at = bytes.indexOf(Buffer.from([0x1f, 0x8b]))
        return [bytes.toString('utf8'), ...(at === -1 ? [] : [unzipped(bytes.subarray(at))])]
      }),
    ),
    ...runs(/[0-9a-f](?:[: ]?[0-9a-f])+/gi, (run) => {
      const digits = run.replace(/[: ]/g, '')
      return [digits, digits.slice(1)].map((from) => Buffer.from(from, 'hex').toString('utf8'))
    }),
    ...runs(/\d+(?:, ?\d+)+/g, (run) => [fromBytes(run.split(',').map(Number))]),
  ]
}

function unzipped(bytes: Buffer): string {
  try {
    return gunzipSync(bytes, { finishFlush: 2 }).toString()
  } catch {
    return ''
  }
}

/** The number of neighbouring characters that counts as a part of a secret. */
const SEEN_CHARS = 6

/**
 * Returns the text that shows a part of a secret, directly or once decoded; null when none does. The tests
 * judge the redactor by it, so it shares no code with it.
 */
export function shownOf(secret: string, text: string): string | null {
  const pieces = Array.from({ length: [...secret].length - SEEN_CHARS + 1 }, (_, at) =>
    [...secret].slice(at, at + SEEN_CHARS).join(''),
  )
  const seen = new Set([text])
  let latest = [text]
  for (let depth = 0; depth <= 4; depth++) {
    const shown = latest.find((view) => pieces.some((piece) => view.includes(piece)))
    if (shown !== undefined) return shown
    const next = new Set(latest.flatMap(decodings).flatMap((view) => view.match(READABLE) ?? []))
    latest = [...next].filter((view) => !seen.has(view))
    for (const view of latest) seen.add(view)
  }
  return null
}

/** Returns the decoded bytes as a text. Other bytes mean that the input was not encoded like that. */
// oxlint-disable-next-line no-control-regex -- control characters are what is left out
const READABLE = /[^\ufffd\0-\u0008\u000e-\u001f\u007f-\u009f]{6,}/g
