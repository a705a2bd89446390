import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import { asByteText } from './view.ts'

/**
 * A short secret together with what it was sent behind: `Bearer abc1234`, `X-Key: abc1234`, `user:abc1234`. A `space`
 * is white space, a `colon` just that, a `field` is whatever may stand between the name of a field and its value.
 */
export type SentPair = { before: string; joint: 'space' | 'colon' | 'field'; secret: string }

/** Shorter ones are words that may stand anywhere: only a value that is nothing else is one. */
const LEAST_CHARS = CALL_LIMITS.credentialHiddenFromChars

/** What is looked for, in bytes as `asByteText` has them. */
export type Needles = {
  /** In lower case. Those with white space are looked for with any white space in its place. */
  anywhere: { bytes: string; isSpaced: boolean }[]
  pairs: RegExp[]
  /** Only as the whole of a value. */
  wholes: Set<string>
  /** The fewest bytes that any but a whole value has; of whole values too, the fewest characters. */
  leastBytes: number
  leastChars: number
  /** For each byte, 1 where it can stand in a secret, or in what a secret is decoded from; else 0. */
  isReadable: Uint8Array
}

/** White space of every kind and control characters, as bytes. */
const SPACE =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\0-\u0020\u007f]|\u00c2[\u0080-\u00a0]|\u00e1\u009a\u0080|\u00e2\u0080[\u0080-\u008a\u00a8\u00a9\u00af]|\u00e2\u0081\u009f|\u00e3\u0080\u0080|\u00ef\u00bb\u00bf/
const SPACES = new RegExp(`(?:${SPACE.source})+`, 'g')
/** Forms write a space as a plus sign. */
const FORM_SPACES = new RegExp(`(?:${SPACE.source}|\\+)+`, 'g')

/** Returns bytes with each run of white space, or of what forms write for it, as one space. */
export const withOneSpace = (bytes: string): string => bytes.replace(FORM_SPACES, ' ')

/** The runs that `withOneSpace` replaces. */
export const findSpaces = (bytes: string) => bytes.matchAll(FORM_SPACES)

/** Returns a value as it is compared with whole secrets: without white space and quotes around it. */
export const asWhole = (bytes: string): string =>
  withOneSpace(bytes).replace(/^["' ]+|["' ]+$/g, '')

const utf8 = new TextEncoder()
const bytesOf = (text: string): string => asByteText(utf8.encode(text))
/** Not `trim`: some bytes of a letter are white space for it. */
const loosely = (text: string): string => bytesOf(text).replace(SPACES, ' ').replace(/^ | $/g, '')

/** Prepares secrets, and short ones as they were sent, for being looked for. */
export function createNeedles(secrets: readonly string[], pairs: readonly SentPair[]): Needles {
  const anywhere = new Map<string, Needles['anywhere'][number]>()
  const wholes = new Set<string>()
  let leastChars = MOST_LEAST
  const add = (bytes: string, isSpaced: boolean) => {
    const sought = isSpaced ? withOneSpace(bytes) : bytes
    anywhere.set(bytes, { bytes: sought.toLowerCase(), isSpaced })
  }
  for (const secret of secrets) {
    const loose = loosely(secret)
    if (loose === '') continue
    leastChars = Math.min(leastChars, fromBytes(loose).length)
    if (countCodePoints(fromBytes(loose)) >= LEAST_CHARS) {
      for (const part of [loose, coreOf(loose)]) add(part, part.includes(' '))
      continue
    }
    wholes.add(asWhole(loose))
    if (countCodePoints(secret) < LEAST_CHARS) continue
    // One that is long by its white space alone, as it stands and as forms write it.
    for (const one of [secret, secret.replaceAll(' ', '+')]) add(bytesOf(one), false)
  }
  const given = pairs.filter(({ secret }) => {
    const chars = countCodePoints(secret)
    return chars > 0 && chars < LEAST_CHARS
  })
  const lengths = [
    ...Array.from(anywhere.keys(), (bytes) => bytes.length),
    ...given.map(({ before, secret }) => loosely(before).length + 1 + loosely(secret).length),
  ]
  return {
    anywhere: [...anywhere.values()],
    pairs: given.map(patternOf),
    wholes,
    leastBytes: Math.min(MOST_LEAST, ...lengths),
    leastChars,
    isReadable: readableBytes(
      secrets.concat(given.flatMap(({ before, secret }) => [before, secret])),
    ),
  }
}

/** The bytes of which white space is made. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SPACE_BYTES =
  /[\0-\u0020\u007f-\u00a0\u00a8\u00a9\u00af\u00bb\u00bf\u00c2\u00e1-\u00e3\u00ef]/

/** Encodings write ASCII; where a secret has white space all kinds count. */
function readableBytes(texts: readonly string[]): Uint8Array {
  const all = texts.map(bytesOf).join('')
  const some = all + all.toLowerCase() + all.toUpperCase()
  const isSpaced = new RegExp(SPACE.source).test(all)
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte)
    const isReadable =
      (byte >= 0x20 && byte < 0x7f) ||
      '\t\r\n'.includes(character) ||
      some.includes(character) ||
      (isSpaced && SPACE_BYTES.test(character))
    return Number(isReadable)
  })
}

/** So many of its first characters the text in front of a secret can take: `\\u` in front of `12ab…` is an escape. */
const TAKEN_CHARS = 4

/** A long secret without those of its ends that may have been read with what stands beside it. */
function coreOf(loose: string): string {
  const chars = [...fromBytes(loose)]
  if (chars.length < LEAST_CHARS + TAKEN_CHARS + 1) return loose
  const core = chars
    .slice(TAKEN_CHARS)
    .join('')
    .replace(/[%\\&=]$/, '')
  return loosely(core)
}

/** What is longer may come back compressed, in fewer bytes than it has. */
const MOST_LEAST = 16

const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

const MARKS = String.raw`["'\\[\]\s]{0,6}`
const JOINTS: Record<SentPair['joint'], string> = {
  space: FORM_SPACES.source,
  colon: ':',
  field: String.raw`${MARKS}(?:[:=]>?|(?<=["']),)${MARKS}`,
}

/** Of a longer name its end is enough, and quicker to look for. */
const BEFORE_BYTES = 32

/** No letter or digit may stand beside a pair: it would be another, longer one. */
function patternOf({ before, joint, secret }: SentPair): RegExp {
  const whole = loosely(before)
  const end = written(whole.slice(-BEFORE_BYTES)).replaceAll(String.raw`\x2d`, '[-_]')
  const opens = whole.length > BEFORE_BYTES ? '' : '(?<![a-z0-9])'
  return new RegExp(`${opens}${end}${JOINTS[joint]}${written(loosely(secret))}(?![a-z0-9])`, 'gi')
}

/** A pattern for bytes whose spaces stand for any white space. */
const written = (loose: string): string =>
  loose
    .split(' ')
    .map((word) => RegExp.escape(word))
    .join(FORM_SPACES.source)
