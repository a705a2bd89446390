import type { JsonValue } from '../../rules/text/json-text.ts'
import { listSpots, renameField } from './json-spots.ts'
import type { Range } from './match.ts'
import { createNeedles, type SentPair } from './needles.ts'
import { search } from './search.ts'
import type { Budget, Steps } from './steps.ts'
import { viewWithPositions, viewOfTexts } from './view.ts'

/** The replacement of a secret. */
export const REMOVED = '[removed]'

/** The budget of decoded bytes of an answer, or one value of it: a factor for each of its bytes, and a constant. */
const DECODED_PER_BYTE = 16
const DECODED_BESIDES = 65_536

/** Replaces secrets in the response of a merchant's server by `REMOVED`. */
export type Redactor = {
  /** Returns the text without secrets. */
  text(text: string): string
  /**
   * Removes secrets in keys, strings, numbers and lists of numbers. Changes the given value in place, at any depth.
   */
  json(value: JsonValue): JsonValue
  /** Do the same in steps: an untrusted response can be written so that the search takes a second. */
  textInSteps(text: string): Steps<string>
  jsonInSteps(value: JsonValue): Steps<JsonValue>
}

/**
 * Creates a redactor, which removes secrets from the response of a merchant's server. It decodes up to four nested
 * encodings: percent signs, escapes of JSON and JavaScript, HTML, quoted-printable, Base64, hexadecimal, lists of
 * numbers, gzip and zlib within these. Letter case is ignored, and white space counts as one space. A secret of fewer
 * than 8 characters is removed where it is a whole value, and together with its context (`pairs`). A Base64 text with a
 * secret is removed as a whole, and so is text that exceeds the budget. It must run before any cutting: half a secret
 * is not found.
 *
 * Spec: Calls › Credentials; reading C2.
 */
export function createRedactor(
  secrets: readonly string[],
  pairs: readonly SentPair[] = [],
): Redactor {
  const needles = createNeedles(secrets, pairs)
  const isIdle = needles.anywhere.length + needles.pairs.length + needles.wholes.size === 0

  /**
   * Returns the numbers of the texts that contain a secret, or may contain one; those were not fully searched if
   * `isUnseen`.
   */
  function* suspectsOf(texts: readonly string[]): Steps<Map<number, { isUnseen: boolean }>> {
    const suspects = new Map<number, { isUnseen: boolean }>()
    const view = viewOfTexts(texts)
    yield
    yield* search(view, needles, budgetOf(view.bytes.length), {
      ...UNPLACED,
      foundIn: (text) => void suspects.set(text, { isUnseen: false }),
      leftOut: (text) => {
        if (!suspects.has(text)) suspects.set(text, { isUnseen: true })
      },
      isFound: (text) => suspects.has(text),
      isSettled: () => suspects.size === texts.length,
    })
    return suspects
  }

  /**
   * Cuts the secrets out of a suspect, which may contain none if it `isUnseen`. All suspects of an answer share
   * `budget`.
   */
  function* cut(text: string, budget: Budget, isUnseen: boolean): Steps<string> {
    if (budget.left < 0) return REMOVED
    const view = viewWithPositions(text)
    const own = { left: Math.min(budgetOf(view.bytes.length).left, budget.left) }
    budget.left -= own.left
    const ranges: Range[] = []
    const runs: Range[] = []
    const found = new Set<number>()
    let isWithheld = false
    yield* search(view, needles, own, {
      foundIn: (run) => void found.add(run),
      leftOut: (run) => void found.add(run),
      isFound: (run) => found.has(run),
      foundAt: (range) => void ranges.push(range),
      foundAll: () => void (isWithheld = true),
      isSettled: () => isWithheld,
      numberRun: (from, to) => runs.push([from, to]) - 1,
    })
    budget.left += own.left
    for (const run of found) ranges.push(runs[run]!)
    if (isWithheld) return REMOVED
    if (ranges.length === 0) return isUnseen ? text : REMOVED
    return cutOut(view.bytes, ranges)
  }

  function* redact(text: string): Steps<string> {
    if (isIdle || text.length < needles.minChars) return text
    const suspect = (yield* suspectsOf([text])).get(0)
    if (suspect === undefined) return text
    // The same budget would be exhausted again.
    return suspect.isUnseen ? REMOVED : yield* cut(text, { left: Infinity }, false)
  }

  function* redactJson(value: JsonValue): Steps<JsonValue> {
    if (isIdle) return value
    const root = { value }
    const spots = yield* listSpots(root, needles.minChars)
    const texts = spots.map(({ text }) => text)
    const suspects = yield* suspectsOf(texts)
    const chars = texts.reduce((sum, text) => sum + text.length, 0)
    const budget = budgetOf(chars)
    const unseenBudget = { left: budget.left / UNSEEN_PART }
    const renamed: [Record<string, JsonValue>, string, string][] = []
    for (const [number, { isUnseen }] of suspects) {
      const { into, key, kind, text } = spots[number]!
      const fields = into as Record<string, JsonValue>
      // A separate budget helps a value only where other values have exhausted the common one.
      const isHopeless = isUnseen && text.length > chars / 2
      const left =
        kind === 'scalar' || isHopeless
          ? REMOVED
          : yield* cut(text, isUnseen ? unseenBudget : budget, isUnseen)
      if (kind === 'key') renamed.push([fields, key, left])
      else fields[key] = left
    }
    for (const [fields, key, name] of renamed) renameField(fields, key, name)
    return root.value
  }

  return {
    text: (text) => runAll(redact(text)),
    json: (value) => runAll(redactJson(value)),
    textInSteps: redact,
    jsonInSteps: redactJson,
  }
}

const budgetOf = (bytes: number): Budget => ({ left: bytes * DECODED_PER_BYTE + DECODED_BESIDES })

/**
 * The share of the budget for values that were left out: most of them are of the kind that exhausted the first one.
 */
const UNSEEN_PART = 4

const ignore = () => {}
/** A finder for the search in many texts, which needs only the texts with a finding. */
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

/** Runs all steps without a pause, and returns their result. */
function runAll<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
