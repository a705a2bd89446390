import { startOfMerged } from './merged-starts.ts'
import { asWhole, findSpaces, withOneSpace, type Needle, type Needles } from './needles.ts'
import type { Steps } from './steps.ts'
import { asByteText, endOf, type View } from './view.ts'

/**
 * The maximum length of a needle for which the built-in `indexOf` is fast with any text; a longer one can be made to
 * take minutes.
 */
const SHORT_NEEDLE = 64

/** Works like `indexOf` of a text, in time that is linear in the text (Knuth, Morris and Pratt). */
function indexOf(bytes: string, needle: string, from: number): number {
  if (needle.length <= SHORT_NEEDLE) return bytes.indexOf(needle, from)
  const borders = bordersOf(needle)
  let matched = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes.charCodeAt(at)
    while (matched > 0 && needle.charCodeAt(matched) !== byte) {
      matched = borders[matched - 1] as number
    }
    if (needle.charCodeAt(matched) === byte) matched++
    if (matched === needle.length) return at + 1 - matched
  }
  return -1
}

/** Returns, for each prefix of the needle, the length of the longest proper prefix that it also ends with. */
function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length)
  for (let at = 1, length = 0; at < needle.length; at++) {
    while (length > 0 && needle.charCodeAt(at) !== needle.charCodeAt(length)) {
      length = borders[length - 1] as number
    }
    if (needle.charCodeAt(at) === needle.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}

/** A range of bytes, without `to`. */
export type Range = [from: number, to: number]

/** The receiver of findings. */
export type Finder = {
  /** Reports that a value or run with this origin contains a secret, or may contain one. */
  foundIn(origin: number): void
  /** Reports a secret in this range of the source. */
  foundAt(range: Range): void
  /** Reports that the whole source is a secret, or could not be searched. */
  foundAll(): void
}

/**
 * Searches the bytes of a view for secrets as they are, without decoding. `text` is the content of the view as a byte
 * text.
 */
export function* match(view: View, text: string, needles: Needles, finder: Finder): Steps<void> {
  const { anywhere } = needles
  const lower = anywhere.length > 0 ? text.toLowerCase() : ''
  let spaced: string | null = null
  const find = ({ bytes, isSpaced }: Needle): boolean => {
    const found = findAll(isSpaced ? (spaced ??= withOneSpace(text).toLowerCase()) : lower, bytes)
    if (found.length > 0) report(view, isSpaced ? unspaced(text, found) : found, finder)
    return found.length > 0
  }
  for (const parts of anywhere) {
    for (const part of parts) if (!find(part)) break
    yield
  }
  for (const { taken, core } of needles.merged) {
    const found: Range[] = []
    for (let at = indexOf(lower, core, 0); at !== -1; at = indexOf(lower, core, at + 1)) {
      const from = startOfMerged(view.bytes, lower, at, taken)
      if (from !== -1) found.push([from, at + core.length])
    }
    report(view, found, finder)
    yield
  }
  for (const pattern of needles.pairs) {
    const found = Array.from(text.matchAll(pattern), ({ index, 0: { length } }): Range => [
      index,
      index + length,
    ])
    report(view, found, finder)
    yield
  }
  if (needles.wholes.size > 0) matchWholes(view, needles.wholes, finder)
}

function findAll(text: string, needle: string): Range[] {
  const found: Range[] = []
  let at = indexOf(text, needle, 0)
  for (; at !== -1; at = indexOf(text, needle, at + needle.length))
    found.push([at, at + needle.length])
  return found
}

/** Converts ranges of a text in which each run of white space is one space to ranges of the original text. */
function unspaced(text: string, ranges: readonly Range[]): Range[] {
  const runs = [...findSpaces(text)]
  let [next, more] = [0, 0]
  /** Returns the position in the original text. */
  const positionOf = (at: number): number => {
    while (next < runs.length && runs[next]!.index - more < at) more += runs[next++]![0].length - 1
    return at + more
  }
  return ranges.map(([from, to]) => [positionOf(from), positionOf(to)])
}

function report(
  { starts, origins, positions }: View,
  ranges: readonly Range[],
  finder: Finder,
): void {
  let index = 0
  for (const [from, to] of ranges) {
    if (positions !== null) {
      finder.foundAt([positions[from]!, positions[to]!])
      continue
    }
    while (index + 1 < starts.length && starts[index + 1]! <= from) index++
    finder.foundIn(origins[index]!)
  }
}

/** Largest size of a short secret with the characters around it. */
const WHOLE_BYTES = 64
const AROUND = new Set([0x20, 0x09, 0x0a, 0x0d, 0x22, 0x27])

function matchWholes(view: View, secrets: ReadonlySet<string>, finder: Finder): void {
  const { bytes, starts, origins, wholes, positions } = view
  for (const [index, start] of starts.entries()) {
    if (!wholes[index]) continue
    let [from, to] = [start, endOf(view, index)]
    while (from < to && AROUND.has(bytes[from]!)) from++
    while (from < to && AROUND.has(bytes[to - 1]!)) to--
    if (to - from > WHOLE_BYTES) continue
    if (!secrets.has(asWhole(asByteText(bytes.subarray(from, to))))) continue
    if (positions !== null) finder.foundAll()
    else finder.foundIn(origins[index]!)
  }
}
