/**
 * Splits a reply that is too long for one message of its channel. It cuts between paragraphs, else lines, sentences or
 * words, and never inside a grapheme, a number or a link. No text is lost.
 *
 * Spec: Assistant › Long replies.
 */
import { PART_LIMITS } from '../../core/limits/assistant.ts'
import { capabilitiesOf } from '../messaging/channel-capabilities.ts'
import { measureText, type TextUnit } from '../text/text-length.ts'

/**
 * The parts of a text; `parts` is empty for an empty text. `ok` is false when the text needs more messages than the
 * channel allows.
 */
export type Split = { ok: true; parts: string[] } | { ok: false }

/** Splits a reply into as few messages as the channel's maximum length allows. */
export function splitText(text: string, channelType: string): Split {
  const { longestText, textUnit, pacing } = capabilitiesOf(channelType)
  if (longestText === null) return { ok: false }
  const max = pacing?.kind === 'gaps' ? PART_LIMITS.partsWhereSendsWait : PART_LIMITS.parts
  const whole = text.trim()
  if (whole === '') return { ok: true, parts: [] }
  if (measureText(whole, textUnit) <= longestText) return { ok: true, parts: [whole] }
  if (measureText(whole.replace(/\s+/g, ''), textUnit) > max * longestText) return { ok: false }
  const signs = signsOf(whole, textUnit)
  for (const kinds of TRIES) {
    const parts = cut(signs, longestText, kinds, max)
    if (parts) return { ok: true, parts }
  }
  return { ok: false }
}

/** The gaps between two parts, from the best to the worst. */
type Gap = 'paragraph' | 'line' | 'sentence' | 'word'
/** Gaps of one list are equally good. When a good cut makes too many parts, the next attempt allows worse cuts. */
const TRIES: readonly (readonly (readonly Gap[])[])[] = [
  [['paragraph'], ['line'], ['sentence'], ['word']],
  [['paragraph', 'line', 'sentence'], ['word']],
  [['paragraph', 'line', 'sentence', 'word']],
]

/** A grapheme of a text, with its position in the channel's unit. */
type Sign = {
  text: string
  /** The end of the sign, in the channel's unit. */
  ends: number
  isSpace: boolean
  /** The gap that begins at the first white space after a word; null inside a number. */
  gap: Gap | null
  /** True inside a number or link, where no part begins. */
  isBound: boolean
}

function cut(
  signs: readonly Sign[],
  limit: number,
  kinds: readonly (readonly Gap[])[],
  max: number,
): string[] | null {
  const parts: string[] = []
  let from = 0
  while (from < signs.length) {
    const to = parts.length === max ? null : endOfPart(signs, from, limit, kinds)
    if (to === null) return null
    const part = signs.slice(from, to).map(({ text }) => text)
    parts.push(part.join('').trim())
    from = to
    while (signs[from]?.isSpace) from++
  }
  return parts
}

/** Returns the end of the part that begins at an index; null when the text there is too long and cannot be cut. */
function endOfPart(
  signs: readonly Sign[],
  from: number,
  limit: number,
  kinds: readonly (readonly Gap[])[],
): number | null {
  const start = signs[from - 1]?.ends ?? 0
  /** The last gap of each kind within the limit; `between` is the last position between letters. */
  const gaps = new Map<Gap, { at: number; length: number }>()
  let between = from
  let length = 0
  let end = from
  for (; end < signs.length; end++) {
    const { ends, isSpace, gap, isBound } = signs[end]!
    if (gap) gaps.set(gap, { at: end, length })
    if (!isBound) between = end
    // White space at the end of a part is not sent.
    if (isSpace) continue
    if (ends - start > limit) break
    length = ends - start
  }
  if (end === signs.length) return end
  for (const alike of kinds) {
    const last = lastOf(alike.flatMap((kind) => gaps.get(kind) ?? []))
    const min = alike.includes('word') ? 0 : limit * PART_LIMITS.minShare
    if (last && last.length >= min) return last.at
  }
  // A word that is longer than a message is split between letters.
  return lastOf([...gaps.values()])?.at ?? (between > from ? between : null)
}

const lastOf = <Place extends { at: number }>(places: readonly Place[]): Place | undefined =>
  places.toSorted((a, b) => b.at - a.at)[0]

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
const SPACE = /^\s+$/u
/** Matches the end of a sentence, with optional closing quotes and brackets. */
const ENDS_SENTENCE = /(?<!^\p{N}{1,3})[.!?؟。۔…]["'”’»)\]]*$/u

function signsOf(text: string, unit: TextUnit): Sign[] {
  const bound = boundPlaces(text)
  const signs: Sign[] = []
  let ends = 0
  let line = ''
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    ends += measureText(segment, unit)
    const isSpace = SPACE.test(segment)
    const isBound = bound[index] === 1
    const isFirst = isSpace && !signs.at(-1)?.isSpace
    signs.push({ text: segment, ends, isSpace, gap: null, isBound })
    if (isFirst && !isBound) signs.at(-1)!.gap = gapAt(text, index, line)
    // The last characters of a line suffice to detect the end of a sentence.
    line = /[\r\n]/.test(segment) ? '' : `${line}${segment}`.slice(-8)
  }
  return signs
}

const SPACES = /\s+/uy

/** Returns the gap of the white space at an index. */
function gapAt(text: string, index: number, before: string): Gap {
  SPACES.lastIndex = index
  const lines = (SPACES.exec(text)?.[0] ?? '').split(/\r\n?|\n/).length - 1
  if (lines > 0) return lines > 1 ? 'paragraph' : 'line'
  return ENDS_SENTENCE.test(before) ? 'sentence' : 'word'
}

/** Matches links and addresses, numbers with separators, and numbers in groups. */
const BOUND = [
  /(?:https?:\/\/|www\.)\S+|[^\s@]{1,64}@[^\s@]{1,255}|(?<![^\s(])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{2,63})+(?:\/\S*)?/giu,
  /\p{Nd}+(?:[.,:/٫٬٪-]\p{Nd}+)*/gu,
  /\+?\(?\p{Nd}{1,4}\)?(?:[ \u00a0-]\p{Nd}{2,4}){1,6}(?!\p{Nd})|[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?/gu,
]

/** Returns for each UTF-16 unit whether it continues a number or link. */
function boundPlaces(text: string): Uint8Array {
  const places = new Uint8Array(text.length)
  for (const pattern of BOUND) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      places.fill(1, index + 1, index + found.length)
    }
  }
  return places
}
