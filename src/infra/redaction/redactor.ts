import type { JsonValue } from '../../rules/text/json-text.ts'
import { listSpots, renameField } from './json-spots.ts'
import type { Range } from './match.ts'
import { createNeedles, type SentPair } from './needles.ts'
import { search } from './search.ts'
import type { Budget, Steps } from './steps.ts'
import { placedView, viewOfTexts } from './view.ts'

/** What stands where a secret was. */
export const REMOVED = '[removed]'

/** Of one answer, or of one value of it, so much is decoded for each of its bytes, and so much besides. */
const DECODED_OF_A_BYTE = 16
const DECODED_BESIDES = 65_536

export type Redactor = {
  text(text: string): string
  /** Changes the value that it is given: keys, strings, numbers and lists of numbers. Iterative, as deep as may be. */
  json(value: JsonValue): JsonValue
  /** The same in steps: an untrusted answer can be written so that it takes a second. */
  textInSteps(text: string): Steps<string>
  jsonInSteps(value: JsonValue): Steps<JsonValue>
}

/**
 * Removes secrets from what a merchant's server answered, through whatever encodings they come back in, four of them
 * inside one another: percent signs, escapes of JSON and JavaScript, HTML, quoted-printable, Base64, hexadecimal, lists of
 * numbers, gzip and zlib within these. Letter case does not count, and white space of any kind and number is one space.
 * A secret of fewer than 8 characters is removed where it is a whole value, and with what it was sent behind (`pairs`).
 * What holds a secret inside Base64 and the like goes as a whole; what cannot be looked through within the bounds
 * is withheld. Must come before any cutting: half a secret is not found.
 *
 * Spec: Calls › Credentials; reading C2.
 */
export function createRedactor(
  secrets: readonly string[],
  pairs: readonly SentPair[] = [],
): Redactor {
  const needles = createNeedles(secrets, pairs)
  const isIdle = needles.anywhere.length + needles.pairs.length + needles.wholes.size === 0

  /** Returns the numbers of the texts that hold a secret, or may. */
  function* suspectsOf(texts: readonly string[]): Steps<Set<number>> {
    const suspects = new Set<number>()
    const view = viewOfTexts(texts)
    yield
    yield* search(view, needles, budgetOf(view.bytes.length), {
      ...UNPLACED,
      foundIn: (text) => void suspects.add(text),
      isSettled: () => suspects.size === texts.length,
    })
    return suspects
  }

  /** Cuts the secrets out of a suspect. `budget` is that of all suspects of an answer. */
  function* cut(text: string, budget: Budget): Steps<string> {
    const view = placedView(text)
    const own = { left: Math.min(budgetOf(view.bytes.length).left, budget.left) }
    budget.left -= own.left
    const ranges: Range[] = []
    const runs: Range[] = []
    let isWithheld = false
    yield* search(view, needles, own, {
      foundIn: (run) => void ranges.push(runs[run]!),
      foundAt: (range) => void ranges.push(range),
      foundAll: () => void (isWithheld = true),
      isSettled: () => isWithheld,
      numberRun: (from, to) => runs.push([from, to]) - 1,
    })
    budget.left += own.left
    return isWithheld || ranges.length === 0 ? REMOVED : cutOut(view.bytes, ranges)
  }

  function* redact(text: string): Steps<string> {
    if (isIdle || text.length < needles.leastChars) return text
    if ((yield* suspectsOf([text])).size === 0) return text
    return yield* cut(text, { left: Infinity })
  }

  function* redactJson(value: JsonValue): Steps<JsonValue> {
    if (isIdle) return value
    const root = { value }
    const spots = yield* listSpots(root, needles.leastChars)
    const texts = spots.map(({ text }) => text)
    const suspects = Array.from(yield* suspectsOf(texts), (number) => spots[number]!)
    const budget = budgetOf(texts.reduce((sum, text) => sum + text.length, 0))
    const renamed: [Record<string, JsonValue>, string, string][] = []
    for (const { into, key, kind, text } of suspects) {
      const fields = into as Record<string, JsonValue>
      const left = kind === 'scalar' ? REMOVED : yield* cut(text, budget)
      if (kind === 'key') renamed.push([fields, key, left])
      else fields[key] = left
    }
    for (const [fields, key, name] of renamed) renameField(fields, key, name)
    return root.value
  }

  return {
    text: (text) => atOnce(redact(text)),
    json: (value) => atOnce(redactJson(value)),
    textInSteps: redact,
    jsonInSteps: redactJson,
  }
}

const budgetOf = (bytes: number): Budget => ({ left: bytes * DECODED_OF_A_BYTE + DECODED_BESIDES })

const ignore = () => {}
/** Of a search in many texts is asked only in which of them something was found. */
const UNPLACED = { foundAt: ignore, foundAll: ignore, numberRun: () => 0 }

function cutOut(source: Uint8Array, ranges: readonly Range[]): string {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  let out = ''
  let at = 0
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from >= at) out += bytes.toString('utf8', at, from) + REMOVED
    at = Math.max(at, to)
  }
  return out + bytes.toString('utf8', at)
}

function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
