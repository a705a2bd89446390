/** Matches control characters except tab and line feed, and marks that override the text direction. */
// oxlint-disable-next-line no-control-regex -- exactly these are to be replaced
const NOT_SHOWN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g
const REPLACEMENT = '\ufffd'

/**
 * Decodes untrusted bytes into text that is safe to display as text, never as HTML. Invalid UTF-8, NUL, other controls
 * and direction overrides become U+FFFD. A character that the cut split is dropped.
 */
export function toDisplayText(bytes: Uint8Array, { isCut }: { isCut: boolean }): string {
  const whole = isCut ? bytes.subarray(0, bytes.length - openBytes(bytes)) : bytes
  return new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(whole)
    .replaceAll('\r\n', '\n')
    .replace(NOT_SHOWN, REPLACEMENT)
}

/** Returns the number of bytes at the end that begin a character without completing it. */
function openBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? back : 0
  }
  return 0
}

/** Headers whose values are never shown, because they can open a session in the merchant's system. */
const HIDDEN = new Set(['set-cookie', 'set-cookie2', 'authorization', 'proxy-authorization'])

/** Decodes stored header lines (`name: value`) into names and values that are safe to display, in their order. */
export function toDisplayHeaders(bytes: Uint8Array): { name: string; value: string }[] {
  const lines = Buffer.from(bytes).toString('latin1').split('\n').filter(Boolean)
  return lines.map((line) => {
    const colon = line.indexOf(': ')
    const name = line.slice(0, colon === -1 ? line.length : colon)
    const value = colon === -1 ? '' : line.slice(colon + 2)
    return {
      name: toDisplayText(Buffer.from(name, 'latin1'), { isCut: false }),
      value: HIDDEN.has(name.toLowerCase())
        ? '(not shown)'
        : toDisplayText(Buffer.from(value, 'latin1'), { isCut: false }),
    }
  })
}
