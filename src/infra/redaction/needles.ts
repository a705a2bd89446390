import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import { readSigns, SIGN_ENCODINGS } from './sign-encodings.ts'
import { asByteText, DEPTH, type View } from './view.ts'

/**
 * A short secret together with its context in the request: `Bearer abc1234`, `X-Key: abc1234`, `user:abc1234`. A
 * `space` is white space, a `colon` just that, a `field` is any separator between the name of a field and its value.
 */
export type SentPair = { before: string; joint: 'space' | 'colon' | 'field'; secret: string }

/** Length below which a secret is searched only as a whole value, because short words occur anywhere. */
const LEAST_CHARS = CALL_LIMITS.credentialHiddenFromChars

/** Lower-case bytes. White space in them matches any white space. */
export type Needle = { bytes: string; isSpaced: boolean }

/** The searched secrets, in bytes of the form of `asByteText`. */
export type Needles = {
  /** Parts of a secret, each within the next; the last is the secret. Where the first is missing, all are. */
  anywhere: Needle[][]
  pairs: RegExp[]
  /** Secrets that are removed only where they are the whole value. */
  wholes: Set<string>
  /** The fewest bytes that any but a whole value has; of whole values too, the fewest characters. */
  leastBytes: number
  leastChars: number
  /** A table by byte: 1 if it can occur in a secret or in an encoded one; else 0. */
  isReadable: Uint8Array
  /** The number of times that units of characters are decoded: once more where a secret itself can be read as units. */
  signDepth: number
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

/** Finds the runs that `withOneSpace` replaces. */
export const findSpaces = (bytes: string) => bytes.matchAll(FORM_SPACES)

/** Returns a value as it is compared with whole secrets: without white space and quotes around it. */
export const asWhole = (bytes: string): string =>
  withOneSpace(bytes).replace(/^["' ]+|["' ]+$/g, '')

const utf8 = new TextEncoder()
const bytesOf = (text: string): string => asByteText(utf8.encode(text))
/** Returns trimmed bytes with single spaces. `trim` would remove bytes of letters. */
const loosely = (bytes: string): string => bytes.replace(SPACES, ' ').replace(/^ | $/g, '')

/** Prepares secrets, and short secrets with their context, for the search. */
export function createNeedles(secrets: readonly string[], pairs: readonly SentPair[]): Needles {
  const anywhere = new Map<string, Needles['anywhere'][number]>()
  const wholes = new Set<string>()
  const lengths: number[] = []
  const readable = secrets.map(bytesOf)
  let minChars = MAX_MIN_LENGTH
  let isRead = false
  const needleOf = (bytes: string): Needle => {
    const isSpaced = bytes.includes(' ')
    return { bytes: (isSpaced ? withOneSpace(bytes) : bytes).toLowerCase(), isSpaced }
  }
  const add = (bytes: string, parts: Needle[]) => {
    anywhere.set(bytes, parts)
    lengths.push(parts[0]!.bytes.length)
  }
  for (const secret of secrets) {
    const loose = loosely(bytesOf(secret))
    if (loose === '') continue
    for (const form of formsOf(loose)) {
      isRead ||= form !== loose
      readable.push(form)
      const chars = fromBytes(form).length
      minChars = Math.min(minChars, chars)
      if (countCodePoints(fromBytes(form)) >= MIN_CHARS)
        add(form, Array.from(partsOf(form), needleOf))
      else wholes.add(asWhole(form))
    }
    if (!wholes.has(asWhole(loose)) || countCodePoints(secret) < LEAST_CHARS) continue
    // A secret that is long only by its white space is searched as it is, and as forms write it.
    for (const one of [secret, secret.replaceAll(' ', '+')].map(bytesOf)) {
      add(one, [{ bytes: one.toLowerCase(), isSpaced: false }])
    }
  }
  const given = pairs.flatMap(({ before, joint, secret }) => {
    const chars = countCodePoints(secret)
    if (chars === 0 || chars >= MIN_CHARS) return []
    return formsOf(loosely(bytesOf(secret))).map((form) => ({
      before: loosely(bytesOf(before)),
      joint,
      form,
    }))
  })
  lengths.push(...given.map(({ before, form }) => before.length + 1 + form.length))
  return {
    anywhere: [...anywhere.values()],
    pairs: given.map(patternOf),
    wholes,
    minBytes: Math.min(MAX_MIN_LENGTH, ...lengths),
    minChars,
    isReadable: readableBytes(readable.concat(given.flatMap(({ before, form }) => [before, form]))),
    signDepth: isRead ? DEPTH + 1 : DEPTH,
  }
}

const asView = (bytes: string): View => ({
  bytes: Buffer.from(bytes, 'latin1'),
  starts: [0],
  origins: [0],
  wholes: [true],
  positions: null,
  made: null,
  depth: 0,
})

/**
 * Returns a secret, and the results of decoding its own characters as units. In a text whose other units are decoded,
 * `a%41&b` becomes `aA&b`.
 */
function formsOf(loose: string): string[] {
  const forms = new Set([loose])
  for (const form of forms) {
    if (forms.size > MAX_FORMS) break
    for (const encoding of SIGN_ENCODINGS) {
      for (const read of readSigns(asView(form), encoding)) {
        const left = loosely(asByteText(read.bytes))
        if (left !== '') forms.add(left)
      }
    }
  }
  return [...forms]
}

/** Maximum number of forms of a secret: nested escapes have no more than these. */
const MAX_FORMS = 16

/** Bytes that white space consists of. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SPACE_BYTES =
  /[\0-\u0020\u007f-\u00a0\u00a8\u00a9\u00af\u00bb\u00bf\u00c2\u00e1-\u00e3\u00ef]/

/**
 * Returns the table `isReadable`. Encodings write ASCII; a secret with white space may come back with any kind of it.
 */
function readableBytes(texts: readonly string[]): Uint8Array {
  const all = texts.join('')
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

/** Number of its first characters that the text before a secret can take: `\\u` before `12ab…` is an escape. */
const TAKEN_CHARS = 4
const TAKEN = new RegExp(`^(?:[^\\u0080-\\u00bf][\\u0080-\\u00bf]*){${TAKEN_CHARS}}`)

/** The beginning of a unit at the end of a secret, which the following text may complete. */
const BEGUN = /(?:%[0-9a-f]?|=[0-9a-f]?|\\(?:[ux]\{?[0-9a-f]{0,6})?|&[#a-z0-9]{0,16})$/i
/** Fewest characters of a secret's part that is searched. */
const LEAST_CORE_CHARS = 6

/**
 * Returns a secret and parts of it, the shortest first, without the ends that may have been decoded together with the
 * text around it. A short one keeps its first characters.
 */
function partsOf(loose: string): Set<string> {
  const chars = countCodePoints(fromBytes(loose))
  // Bytes that continue a character belong to its first byte, unless they are separate characters.
  const taken =
    chars < MIN_CHARS + TAKEN_CHARS + 1 ? 0 : (TAKEN.exec(loose)?.[0].length ?? TAKEN_CHARS)
  const core = loose.slice(taken)
  const parts = [core.replace(BEGUN, ''), core.replace(/[%\\&=]$/, ''), core].map(loosely)
  const isLong = (part: string) => countCodePoints(fromBytes(part)) >= MIN_CORE_CHARS
  return new Set([...parts.filter(isLong), loose])
}

/** Largest minimum of bytes: a longer secret may come back compressed, in fewer bytes than it has. */
const MOST_LEAST = 16

const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

const MARKS = String.raw`["'\\[\]\s]{0,6}`
const JOINTS: Record<SentPair['joint'], string> = {
  space: FORM_SPACES.source,
  colon: ':',
  field: String.raw`${MARKS}(?:[:=]>?|(?<=["']),)${MARKS}`,
}

/** Number of bytes of a longer name that are compared, from its end, which is faster. */
const BEFORE_BYTES = 32

/** Returns the pattern of a pair. A letter or digit next to it would make it another, longer pair. */
function patternOf({
  before: whole,
  joint,
  form,
}: {
  before: string
  joint: SentPair['joint']
  form: string
}): RegExp {
  const end = written(whole.slice(-BEFORE_BYTES)).replaceAll(String.raw`\x2d`, '[-_]')
  const opens = whole.length > BEFORE_BYTES ? '' : '(?<![a-z0-9])'
  return new RegExp(`${opens}${end}${JOINTS[joint]}${written(form)}(?![a-z0-9])`, 'gi')
}

/** Returns a pattern for bytes in which each space matches any white space. */
const written = (loose: string): string =>
  loose
    .split(' ')
    .map((word) => RegExp.escape(word))
    .join(FORM_SPACES.source)
