import type { Needles } from './needles.ts'
import { createViewWriter, endOf, type View } from './view.ts'

/**
 * The stretches of decoded segments in which a secret can stand, or something that it can be decoded from: of bytes
 * that are ASCII without controls, or belong to a secret. All else comes of decoding what was no such encoding.
 */
export function keepReadable(
  view: View,
  { leastBytes, wholes: secrets, isReadable }: Needles,
): View[] {
  const { bytes, starts, origins, wholes, depth } = view
  const writer = createViewWriter(new Uint8Array(bytes.length + 1), depth)
  for (const [index, start] of starts.entries()) {
    const end = endOf(view, index)
    for (let from = start; from < end; from++) {
      let to = from
      while (to < end && isReadable[bytes[to]!]) to++
      const isWhole = wholes[index]! && from === start && to === end && secrets.size > 0
      if (to - from >= leastBytes || isWhole) {
        writer.end(writer.copy(bytes, from, to), origins[index]!, isWhole)
      }
      from = to
    }
  }
  return writer.finish()
}
