import { splitText } from '../../src/rules/assistant/split-text.ts'
import { capabilitiesOf } from '../../src/rules/messaging/channel-capabilities.ts'
import { measureText } from '../../src/rules/text/text-length.ts'
import { acceptedBy, runRule, unknownIn, unknownInCase, words } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

/** Strings, and strings with a number of repetitions and `#` for the number of each, which are joined. */
type Generator = string | (string | { repeat: string; times: number })[]
type Expected = {
  parts?: Generator[]
  count?: number | [number, number]
  tooLong?: boolean
  endsWith?: string[]
  whole?: string[]
  graphemes?: string
}
type SplitCase = {
  id: string
  channelType: string
  text?: string
  generator?: Generator
  expect: Expected
  also_accept?: Expected[]
}

const KNOWN_OF_EXPECTED = words('parts count tooLong endsWith whole graphemes')

/** Runs cases of splitting a reply. Each case also checks the rules of every split. */
export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<SplitCase>(cases, report, {
    unknown: (one) => [
      ...unknownInCase(one, words('channelType text generator')),
      ...acceptedBy(one).flatMap((expected) => unknownIn(expected, KNOWN_OF_EXPECTED)),
    ],
    read: (one) => judge(made(one.text ?? one.generator!), one.channelType, acceptedBy(one)),
    answer: () => 'as expected',
  })

/** Returns `as expected`, or the first difference of the parts. */
function judge(text: string, channelType: string, accepted: readonly Expected[]): string {
  const split = splitText(text, channelType)
  const broken = split.ok ? issueFact(split.parts, text, channelType) : null
  if (broken !== null) return broken
  const faults = accepted.map((expected) => {
    if (!split.ok) return expected.tooLong ? null : 'too long'
    if (expected.tooLong) return `not too long: ${split.parts.length} parts`
    return faultOf(split.parts, text, expected)
  })
  return faults.includes(null) ? 'as expected' : faults.join('; or ')
}

function faultOf(parts: readonly string[], text: string, expected: Expected): string | null {
  const { count, endsWith, whole, graphemes } = expected
  const wanted = expected.parts?.map(made)
  if (wanted && JSON.stringify(wanted) !== JSON.stringify(parts)) return `${parts.length} parts`
  if (count !== undefined) {
    const [min, max] = typeof count === 'number' ? [count, count] : count
    if (parts.length < min || parts.length > max) return `${parts.length} parts`
  }
  const ends =
    endsWith &&
    parts.slice(0, -1).find((part) => !endsWith.some((end) => part.trimEnd().endsWith(end)))
  if (ends !== undefined) return `a part ends in ${JSON.stringify(ends.slice(-20))}`
  const broken = whole?.find(
    (piece) =>
      occurrences(text, piece) !== parts.reduce((sum, part) => sum + occurrences(part, piece), 0),
  )
  if (broken !== undefined) return `${broken} is cut`
  if (
    graphemes !== undefined &&
    parts.some((part) => part.replaceAll(graphemes, '').trim() !== '')
  ) {
    return `${graphemes} is cut`
  }
  return null
}

/** Returns the rule of every split that the parts break, or null when they break none. */
function issueFact(parts: readonly string[], text: string, channelType: string): string | null {
  const { longestText, textUnit } = capabilitiesOf(channelType)
  if (parts.some((part) => part.trim() === '')) return 'a part is empty'
  if (parts.some((part) => measureText(part, textUnit) > longestText!)) return 'a part is too long'
  if (withoutSpace(parts.join('')) !== withoutSpace(text)) return 'something is left out'
  const bounds = new Set<number>()
  let bound = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bounds.add(bound)
    bound += withoutSpace(segment).length
  }
  let length = 0
  for (const part of parts) {
    if (!bounds.has(length)) return 'a grapheme is cut'
    length += withoutSpace(part).length
  }
  return null
}

const withoutSpace = (text: string): string => text.replace(/\s+/gu, '')
const occurrences = (text: string, piece: string): number => text.split(piece).length - 1

function made(generator: Generator): string {
  if (typeof generator === 'string') return generator
  return generator
    .map((piece) =>
      typeof piece === 'string'
        ? piece
        : Array.from({ length: piece.times }, (_, at) =>
            piece.repeat.replaceAll('#', String(at + 1)),
          ).join(''),
    )
    .join('')
}
