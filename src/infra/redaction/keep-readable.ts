import type { Needles } from './needles.ts'
import { createViewWriter, endOf, type View } from './view.ts'

/**
 * Returns the parts of decoded segments that may contain a secret, or an encoded one. Their bytes are ASCII without
 * controls, or occur in a secret. All other bytes result from decoding text that was not encoded.
 */
export function keepReadable(
  view: View,
  { minBytes, wholes: secrets, isReadable }: Needles,
): View[] {
  const { bytes, starts, origins, wholes, depth } = view
  const writer = createViewWriter(new Uint8Array(bytes.length + 1), depth)
  const skip = (from: number, to: number) => {
    let at = from
    while (at < to && isReadable[bytes[at]!] === 1) at++
    return at
  }
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index]!
    const end = endOf(view, index)
    if (secrets.size > 0 && wholes[index]! && skip(start, end) === end) {
      writer.end(writer.copy(bytes, start, end), origins[index]!, true)
      continue
    }
    for (let from = start; from + minBytes <= end;) {
      // A long enough readable stretch covers this byte, so most unreadable bytes are skipped in a few steps.
      let at = from + minBytes - 1
      while (at >= from && isReadable[bytes[at]!] === 1) at--
      if (at < from) {
        at = skip(from + minBytes, end)
        writer.end(writer.copy(bytes, from, at), origins[index]!, false)
      }
      from = at + 1
    }
  }
  return writer.finish()
}
