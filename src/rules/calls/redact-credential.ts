import {
  decodeView,
  ENCODINGS,
  fromByteText,
  placeOf,
  spacedView,
  toByteText,
  unwrapView,
  type View,
} from '../text/byte-text.ts'
import { compactJson, countCodePoints, type JsonValue } from '../text/json-text.ts'

/** What stands where a credential was. */
export const CREDENTIAL_REMOVED = '[removed]'

/** Shorter ones are words that may stand anywhere: only a value that is nothing else is one. */
const LEAST_CHARS = 8
/** Encodings inside one another that are looked through. */
const DEPTH = 2

/** Work in steps of a few milliseconds: who runs it can do something else in between. */
export type Steps<Result> = Generator<undefined, Result>

export type Redactor = {
  text(text: string): string
  /** Changes the value that it is given: keys, strings and numbers. Iterative, as deep as may be. */
  json(value: JsonValue): JsonValue
  /** The same in steps: a stranger's answer can be written so that it takes a second. */
  textInSteps(text: string): Steps<string>
  jsonInSteps(value: JsonValue): Steps<JsonValue>
}

/**
 * Removes secrets from what a merchant's server answered, in every form in which they can come back:
 * plain in any letter case, percent-encoded, JSON-escaped, as HTML, in hexadecimal, in Base64 of
 * either alphabet at any place of a longer text, and two of these in one another. White space of any
 * kind and number is one space, and none around it counts: who reads an answer later may write it so.
 * Must come before any cutting: half a credential is not found.
 * Spec: Calls › Credentials; reading C2.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const given = [...new Set(secrets.flatMap((secret) => [secret, loosely(secret)]))].filter(
    (secret) => loosely(secret) !== '',
  )
  const long = given.filter((secret) => countCodePoints(secret) >= LEAST_CHARS).map(needlesOf)
  const short = given.filter((secret) => countCodePoints(secret) < LEAST_CHARS).map(needlesOf)
  // Every form is at least as long as the secret itself.
  const least = Math.min(...given.map((secret) => secret.length))
  const hasSpace = given.some((secret) => secret.includes(' '))
  const needsSpaced = hasSpace || short.length > 0

  function* redact(text: string): Steps<string> {
    if (text.length < least) return text
    const source = toByteText(text)
    const ranges: Range[] = []
    for (const view of yield* viewsOf(source, hasSpace)) {
      const spaced = needsSpaced ? spacedView(view) : view
      yield
      if (short.some((needles) => isWhole(spaced.bytes, needles))) return CREDENTIAL_REMOVED
      for (const needles of long) yield* findIn(view, spaced, needles, ranges)
    }
    yield
    return ranges.length === 0 ? text : cutOut(source, ranges)
  }

  function* scalar(value: JsonValue): Steps<JsonValue> {
    if (typeof value === 'string') return yield* redact(value)
    if (typeof value !== 'number' && typeof value !== 'bigint') return value
    const digits = compactJson(value)
    return (yield* redact(digits)) === digits ? value : CREDENTIAL_REMOVED
  }

  function* everywhere(root: JsonValue): Steps<JsonValue> {
    if (given.length === 0) return root
    if (typeof root !== 'object' || root === null) return yield* scalar(root)
    const containers: (JsonValue[] | Record<string, JsonValue>)[] = [root]
    for (let into = containers.pop(); into !== undefined; into = containers.pop()) {
      for (const key of Object.keys(into)) {
        const fields = into as Record<string, JsonValue>
        const value = fields[key] as JsonValue
        if (typeof value === 'object' && value !== null) containers.push(value)
        else fields[key] = yield* scalar(value)
        if (!Array.isArray(into)) rename(fields, key, yield* redact(key))
      }
    }
    return root
  }

  return {
    text: (text) => atOnce(redact(text)),
    json: (value) => atOnce(everywhere(value)),
    textInSteps: redact,
    jsonInSteps: everywhere,
  }
}

function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

function rename(fields: Record<string, JsonValue>, key: string, to: string): void {
  if (key === to) return
  const value = fields[key] as JsonValue
  delete fields[key]
  fields[to] = value
}

/** With each run of white space as one space and none around it. */
const loosely = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

type Needles = {
  plain: string
  /** Looked for whatever white space the answer has in its place. */
  isLoose: boolean
  hex: string
  base64: string[]
  wholeBase64: string[]
}
type Range = [from: number, to: number]

function needlesOf(secret: string): Needles {
  const plain = toByteText(secret.toWellFormed())
  const hex = Array.from(plain, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  // The same bytes read differently after none, one or two others; the letters at the ends are theirs.
  const base64 = [0, 1, 2].map((before) => {
    const letters = btoa('\0'.repeat(before) + plain)
    const from = Math.ceil((before * 8) / 6)
    return letters.slice(from, Math.floor(((before + plain.length) * 8) / 6))
  })
  const wholeBase64 = [btoa(plain), btoa(plain).replaceAll('=', '')]
  return { plain, isLoose: secret === loosely(secret), hex, base64, wholeBase64 }
}

/** The text, and the text through one or two encodings. */
function* viewsOf(source: string, hasSpace: boolean): Steps<View[]> {
  const views: View[] = [{ bytes: source, places: null }]
  // Forms write a space as a plus sign.
  if (hasSpace && source.includes('+')) {
    views.push({ bytes: source.replaceAll('+', ' '), places: null })
  }
  let latest = [...views]
  for (let depth = 0; depth < DEPTH; depth++) {
    const decoded: View[] = []
    for (const view of latest) {
      for (const encoding of ENCODINGS) {
        const through = decodeView(view, encoding)
        if (through !== null) decoded.push(through)
        yield
      }
    }
    views.push(...decoded)
    latest = decoded
  }
  return views
}

function isWhole(spaced: string, { plain, hex, wholeBase64 }: Needles): boolean {
  // Not `trim`: some bytes of a letter are white space for it.
  const whole = spaced.replace(/^ | $/g, '')
  return (
    whole === plain ||
    whole.toLowerCase() === hex ||
    wholeBase64.includes(whole.replaceAll('-', '+').replaceAll('_', '/'))
  )
}

function* findIn(view: View, spaced: View, needles: Needles, ranges: Range[]): Steps<void> {
  const { plain, isLoose, hex, base64 } = needles
  find(lowerCase(isLoose ? spaced : view), plain.toLowerCase(), ranges, 0)
  yield
  find(lowerCase(view), hex, ranges, 0)
  yield
  for (const lines of [view, unwrapView(view)]) {
    if (lines === null) continue
    const bytes = lines.bytes.replaceAll('-', '+').replaceAll('_', '/')
    // One letter more on either side: it holds some bits of the secret too.
    for (const letters of base64) {
      find({ bytes, places: lines.places }, letters, ranges, 1)
      yield
    }
  }
}

/** Of bytes: what becomes of those of a letter is the same in the needle. */
const lowerCase = ({ bytes, places }: View): View => ({ bytes: bytes.toLowerCase(), places })

function find(view: View, needle: string, ranges: Range[], beside: 0 | 1): void {
  const { bytes } = view
  for (let at = indexOf(bytes, needle, 0); at !== -1; at = indexOf(bytes, needle, at)) {
    let from = at
    let to = at + needle.length
    if (beside === 1) {
      if (/[A-Za-z0-9+/]/.test(bytes[from - 1] ?? '')) from--
      if (/[A-Za-z0-9+/]/.test(bytes[to] ?? '')) to++
      while (bytes[to] === '=') to++
    }
    ranges.push([placeOf(view, from), placeOf(view, to)])
    at = to
  }
}

/** Up to this length `indexOf` is quick with any text; a long needle can be made to take minutes. */
const SHORT_NEEDLE = 64

/** As `indexOf`, in a time that grows with the text alone (Knuth, Morris and Pratt). */
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

/** For each beginning of the needle, the length of the longest one that it also ends with. */
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

function cutOut(source: string, ranges: Range[]): string {
  let out = ''
  let at = 0
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from >= at) out += source.slice(at, from) + CREDENTIAL_REMOVED
    at = Math.max(at, to)
  }
  return fromByteText(out + source.slice(at))
}
