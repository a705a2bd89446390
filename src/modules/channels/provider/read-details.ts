/**
 * The details of a message without text, for staff: of a card, an order, a form or a poll, as lines in the sender's
 * words. They are not the message's text, so they are not answered as such.
 */
import { cutCodePoints } from '../../../rules/text/json-text.ts'
import { readFields, readProviderJson, readList, readText } from './read-values.ts'

const DETAIL_CHARS = 2_000
const MAX_LINES = 50

/** Joins the parts of each line and then the lines, for staff to read. Returns null when all are empty. */
export function formatDetails(lines: readonly (readonly (string | undefined)[])[]): string | null {
  const texts = lines
    .map((pieces) => pieces.filter((piece) => piece !== undefined).join(', '))
    .filter((line) => line !== '')
  return texts.length === 0
    ? null
    : cutCodePoints(texts.slice(0, MAX_LINES).join('\n'), DETAIL_CHARS)
}

/** Adds details to content, if there are any. */
export function withDetails<Content extends object>(
  content: Content,
  details: string | null,
): Content & { details?: string } {
  return details === null ? content : { ...content, details }
}

/** Formats the answers of a form as lines `field: answer` for staff. Returns null when there are none. */
export function formatFormAnswers(json: unknown): string | null {
  const answers = Object.entries(readFields(readProviderJson(readText(json) ?? '')))
  return formatDetails(
    answers
      // The token identifies the form for its author; the customer has not seen it.
      .filter(([name]) => name !== 'flow_token')
      .map(([name, answer]) => [`${name}: ${readAnswer(answer)}`]),
  )
}

/** Formats one or several chosen values. Nested ones, such as uploads, have no text. */
function readAnswer(answer: unknown): string {
  const chosen = Array.isArray(answer) ? answer : [answer]
  return chosen.map((one) => (isPlain(one) ? String(one) : '…')).join(', ')
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Returns the parts of a contact card for staff: the name that the message gives, and the card's numbers and addresses.
 */
export function readVCard(name: unknown, vcard: unknown): (string | undefined)[] {
  const lines = (readText(vcard) ?? '').replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const values = lines.flatMap((line) => {
    const value = /^(?:[\w-]+\.)?(?:TEL|EMAIL)(?:;[^:]*)?:(.+)$/i.exec(line)?.[1]
    return value?.trim() ?? []
  })
  return [readText(name), ...values]
}

/** Returns a text field of each item of a list. */
export function textsOf(list: unknown, field: string): (string | undefined)[] {
  return readList(list).map((item) => readText(readFields(item)[field]))
}
