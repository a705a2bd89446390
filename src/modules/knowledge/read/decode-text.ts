/** The encoding of text that is not UTF-8 and declares no encoding: that of Windows in Arabic countries. */
const ELSE = 'windows-1256'

/**
 * Decodes bytes by their byte order mark, else by `charset`, else as UTF-8, else as Windows' Arabic encoding.
 * @param charset as a header or the document names it
 */
export function decodeText(bytes: Uint8Array, charset: string | null = null): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  for (const label of [charset, 'utf-8']) {
    if (label === null) continue
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes)
    } catch {
      // Not that one, or none that there is.
    }
  }
  return new TextDecoder(ELSE).decode(bytes)
}
