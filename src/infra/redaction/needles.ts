import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import { mergedStartOf, type MergedStart } from './merged-starts.ts'
import { readSigns, SIGN_ENCODINGS } from './sign-encodings.ts'
import { asByteText, DEPTH, type View } from './view.ts'

/**
 * A short secret with the text that preceded it in the request: `Bearer abc1234`, `X-Key: abc1234`, `user:abc1234`.
 * The joint `space` is white space, `colon` is a colon, and `field` is any text that may separate a field's name from
 * its value.
 */
export type SentPair = { before: string; joint: 'space' | 'colon' | 'field'; secret: string }

/**
 * Minimum length of a secret that is removed anywhere. Shorter ones may be ordinary words, so they are removed only
 * where they are the whole value.
 */
const MIN_CHARS = CALL_LIMITS.credentialHiddenFromChars

/** A search text of bytes in lower case. One with white space matches any white space in its place. */
export type Needle = { bytes: string; isSpaced: boolean }

/** The search texts of a redactor, as byte texts (`asByteText`). */
export type Needles = {
  /**
   * Parts of a secret, each contained in the next; the last is the secret. Where the first part is absent, the others
   * are absent too.
   */
  anywhere: Needle[][]
  pairs: RegExp[]
  /** Secrets that are too short to be searched for without their first characters. */
  merged: MergedStart[]
  /** Secrets that are removed only where they are the whole value. */
  wholes: Set<string>
  /**
   * The smallest number of bytes of any secret but a whole value; `minChars` includes whole values and counts
   * characters.
   */
  minBytes: number
  minChars: number
  /** A table by byte: 1 where the byte can occur in a secret or in an encoded secret, else 0. */
  isReadable: Uint8Array
  /** Maximum number of passes for escapes: one more where a secret itself can be read as an escape. */
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

/** Finds the runs of white space that `withOneSpace` replaces. */
export const findSpaces = (bytes: string) => bytes.matchAll(FORM_SPACES)

/** Returns a value as it is compared with whole secrets: without white space and quotes around it. */
export const asWhole = (bytes: string): string =>
  withOneSpace(bytes).replace(/^["' ]+|["' ]+$/g, '')

const utf8 = new TextEncoder()
const bytesOf = (text: string): string => asByteText(utf8.encode(text))
/**
 * Removes white space at both ends. `trim` does not work on bytes: it takes some bytes of a letter for white space.
 */
const loosely = (bytes: string): string => bytes.replace(SPACES, ' ').replace(/^ | $/g, '')

/** Prepares secrets, and short secrets with their context, for the search. */
export function createNeedles(secrets: readonly string[], pairs: readonly SentPair[]): Needles {
  const anywhere = new Map<string, Needles['anywhere'][number]>()
  const merged: MergedStart[] = []
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
      if (countCodePoints(fromBytes(form)) >= MIN_CHARS) {
        const parts = [...partsOf(form)]
        add(form, Array.from(parts, needleOf))
        const start = isShort(form) ? mergedStartOf(parts[0]!) : null
        if (start !== null) merged.push(start)
      } else wholes.add(asWhole(form))
    }
    if (!wholes.has(asWhole(loose)) || countCodePoints(secret) < MIN_CHARS) continue
    // A secret that is long only by its white space is searched for literally, and as forms write it.
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
    merged,
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
 * Returns a secret and the forms that decoding leaves of it when its own characters look like escapes. In a decoded
 * text, `a%41&b` has become `aA&b`.
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

/**
 * Maximum number of first characters that a preceding text can absorb when it is decoded: `\\u` in front of `12ab…`
 * is an escape.
 */
const TAKEN_CHARS = 4
const TAKEN = new RegExp(`^(?:[^\\u0080-\\u00bf][\\u0080-\\u00bf]*){${TAKEN_CHARS}}`)

/** An incomplete escape at the end of a secret: the text behind the secret may complete it. */
const BEGUN =
  /(?:%(?:u[0-9a-f]{0,3}|[0-9a-f]?)|=[0-9a-f]?|\\(?:[ux]\{?[0-9a-f]{0,7}|[0-7]{0,2})|&[#a-z0-9]{0,16})$/i
/** Minimum length of a part of a secret, in characters. */
const MIN_CORE_CHARS = 6

/** Returns whether too little is left of a secret without the first characters. */
const isShort = (loose: string): boolean =>
  countCodePoints(fromBytes(loose)) < MIN_CHARS + TAKEN_CHARS + 1

/**
 * Returns a secret and parts of it, the shortest first. The parts lack the ends that decoding may have merged with
 * the surrounding text. A short secret keeps its first characters.
 */
function partsOf(loose: string): Set<string> {
  // Continuation bytes stay with the first byte of their character.
  const taken = isShort(loose) ? 0 : (TAKEN.exec(loose)?.[0].length ?? TAKEN_CHARS)
  const core = loose.slice(taken)
  const parts = [core.replace(BEGUN, ''), core.replace(/[%\\&=]$/, ''), core].map(loosely)
  const isLong = (part: string) => countCodePoints(fromBytes(part)) >= MIN_CORE_CHARS
  return new Set([...parts.filter(isLong), loose])
}

/** Upper limit of `minBytes`: longer secrets may come back compressed, in fewer bytes than they have. */
const MAX_MIN_LENGTH = 16

const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

const MARKS = String.raw`["'\\[\]\s]{0,6}`
const JOINTS: Record<SentPair['joint'], string> = {
  space: FORM_SPACES.source,
  colon: ':',
  field: String.raw`${MARKS}(?:[:=]>?|(?<=["']),)${MARKS}`,
}

/** The number of bytes at the end of a long field name that are compared: more would only be slower. */
const BEFORE_BYTES = 32

/** Returns the pattern of a pair. A letter or digit next to it would make it a different, longer pair. */
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
