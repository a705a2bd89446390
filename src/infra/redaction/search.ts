import { LETTER_ENCODINGS, readLetters, type NumberRun } from './letter-encodings.ts'
import { match, type Finder } from './match.ts'
import type { Needles } from './needles.ts'
import { readSigns, SIGN_ENCODINGS } from './sign-encodings.ts'
import { decompress } from './decompress.ts'
import { asByteText, DEPTH, type View, createViewWriter, endOf } from './view.ts'
import type { Steps, Budget } from './steps.ts'

/**
 * Returns the parts of decoded segments that may contain a secret, or an encoded one. Their bytes are ASCII without
 * controls, or occur in a secret. All other bytes result from decoding text that was not encoded.
 */
function keepReadable(view: View, { minBytes, wholes: secrets, isReadable }: Needles): View[] {
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

/**
 * Searches a view for secrets in steps, with all that can be decoded from it up to four encodings deep, and reports
 * them to `finder`. Decoding reduces `budget`; once it is exhausted, the rest is reported as left out.
 */
export function* search(
  source: View,
  needles: Needles,
  budget: Budget,
  finder: Finder & {
    numberRun: NumberRun
    /** Returns whether this origin already has a finding: the search can skip it. */
    isFound(origin: number): boolean
    /** Reports that the budget was exhausted before all of this origin was searched. */
    leftOut(origin: number): void
    /** Returns true once no additional finding matters. */
    isSettled(): boolean
  },
): Steps<void> {
  const queue = [{ view: source, text: asByteText(source.bytes) }]
  const seen = createSeen()
  const add = (view: View, text = asByteText(view.bytes)) => {
    budget.left -= view.bytes.length
    queue.push({ view, text })
  }
  for (let number = 0; number < queue.length; number++) {
    const { view, text } = queue[number]!
    yield* match(view, text, needles, finder)
    if (finder.isSettled()) return
    if (view.depth >= needles.signDepth) continue
    for (const encoding of SIGN_ENCODINGS) {
      for (const read of readSigns(view, encoding)) {
        // Escapes within quoted-printable give the same text as quoted-printable within escapes, which is searched
        // only once.
        const decoded = asByteText(read.bytes)
        if (seen.isNew(read, decoded)) add(read, decoded)
      }
      yield
    }
    if (view.depth < DEPTH) {
      for (const encoding of LETTER_ENCODINGS) {
        const read = readLetters(view, encoding, needles, finder.numberRun)
        yield
        for (const one of read) {
          budget.left -= one.bytes.length
          const unpacked = yield* decompress(one, budget, finder)
          for (const decoded of [one, ...unpacked])
            for (const readable of keepReadable(decoded, needles)) add(readable)
          yield
        }
      }
    }
    if (budget.left >= 0) continue
    for (const { view: rest } of queue.slice(number)) {
      if (rest.positions !== null) finder.foundAll()
      else for (const origin of rest.origins) finder.leftOut(origin)
    }
    return
  }
}

/** Remembers views by their content and by the origins of their segments. */
function createSeen() {
  const seen = new Map<string, (readonly number[])[]>()
  return {
    isNew({ origins }: View, text: string): boolean {
      const before = seen.get(text)
      if (before === undefined) seen.set(text, [origins])
      else if (before.some((others) => isSame(others, origins))) return false
      else before.push(origins)
      return true
    },
  }
}

const isSame = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((origin, index) => origin === other[index])
