/**
 * Renders the result of a call for the assistant. The service has already removed the credential from the response; the
 * rendered text holds no address, status, header or detail of the request.
 * Spec: Calls › AI actions; Errors › Failed calls.
 */
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { cleanText, compactJson, cutCodePoints, type JsonValue } from '../text/json-text.ts'
import { maskJson, maskText, type OwnDetails } from './personal-data.ts'
import { isCustomersValue, type CustomerValue } from './ownership.ts'
import { readAt, readPathExpression } from '../hooks/path-expression.ts'

/** The text for a call without a usable response. */
export const COULD_NOT_CHECK =
  'It could not be checked: the shop’s system did not give an answer that can be used. Tell the customer that you could not check.'

/** The text for a call that may change something, when the merchant's system reported that it did not. */
export const REFUSED_BY_SERVER =
  'The shop’s system refused it, and it was not done; why could not be checked. Tell the customer that the shop did not accept it.'

/** The text for a response that belongs to another customer or names no owner: the same for both, to reveal neither. */
export const NOTHING_FOUND = 'Nothing was found.'

const DONE = 'It is done. The shop’s system gave no details.'

/**
 * The text for a success whose response cannot be read. No part of it is shown, because its owner cannot be checked.
 */
export const DONE_UNREADABLE =
  'It is done, but the shop’s system answered in a way that could not be read: tell the customer that it was done, and nothing of what was answered.'

/** The outcome of a call, with its response. */
type Answered = {
  outcome: 'success' | 'failed'
  /** Null when the response is not JSON. */
  answer: { json: unknown } | null
  answerText: string | null
  /** True when a response arrived that cannot be decoded: an unknown compression, or damaged bytes. */
  isUnreadable?: boolean
}

/** Statuses that leave the outcome open: 408, and the 499 that proxies use for a client that went away. */
const GIVEN_UP: readonly number[] = [408, 499]

/**
 * Returns whether a response proves that the requested change was not made; any other failure leaves that open. A GET
 * changes nothing, so the result for it is always false.
 */
export function isRefusedByServer(method: string, httpStatus: number | null): boolean {
  if (method === 'GET' || httpStatus === null || GIVEN_UP.includes(httpStatus)) return false
  return httpStatus >= 400 && httpStatus < 500
}

type Shown = readonly { label: string; path: string; isPublic?: boolean | undefined }[]

/**
 * Returns the text of a call's result for the assistant. `owner` is the customer's value for an action about them, and
 * null for any other. With `said`, phone numbers, addresses and names of people are masked, except those that the
 * customer has written and those in public fields.
 */
export function formatAnswer(
  { outcome, answer, answerText, isUnreadable }: Answered,
  { shown, ownershipPath }: { shown: Shown; ownershipPath: string | null },
  owner: CustomerValue | null,
  said: OwnDetails | null,
): string {
  if (outcome === 'failed') return COULD_NOT_CHECK
  if (isUnreadable) return DONE_UNREADABLE
  const json = answer === null ? undefined : (answer.json as JsonValue)
  if (ownershipPath !== null && (owner === null || !isCustomersValue(json, ownershipPath, owner))) {
    return NOTHING_FOUND
  }
  const text = shown.length > 0 ? linesOf(json, shown, said) : wholeAnswer(json, answerText, said)
  const cut = cutCodePoints(text, ACTION_LIMITS.answerChars)
  return cut.length < text.length ? `${cut}… (cut short)` : cut
}

function linesOf(json: JsonValue | undefined, shown: Shown, said: OwnDetails | null): string {
  const masked = json === undefined || said === null ? json : maskJson(json, said)
  return shown
    .map(({ label, path, isPublic }) => `${label}: ${readLine(isPublic ? json : masked, path)}`)
    .join('\n')
}

/** Returns the lines of the public fields, which any customer may read; empty when no picked field is public. */
export function publicLines({ outcome, answer, isUnreadable }: Answered, shown: Shown): string {
  if (outcome === 'failed' || isUnreadable || answer === null) return ''
  const open = shown.filter(({ isPublic }) => isPublic)
  return linesOf(answer.json as JsonValue, open, null)
}

/** Returns the value of one field as a single line, so that a value cannot imitate another field. */
function readLine(json: JsonValue | undefined, path: string): string {
  const steps = readPathExpression(path)
  if (json === undefined || !steps.ok) return ''
  return readAt(json, steps.value).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

function wholeAnswer(
  json: JsonValue | undefined,
  text: string | null,
  said: OwnDetails | null,
): string {
  const plain = cleanText(text ?? '').trim()
  const whole =
    json === undefined
      ? said === null
        ? plain
        : maskText(plain, said)
      : compactJson(said === null ? json : maskJson(json, said))
  return whole === '' || whole === 'null' ? DONE : whole
}
