/**
 * What staff reads of a message whose type has no words: a card, an order, a form, a poll. Line by line, as whoever
 * sent it wrote it; no words of the message, so that nobody answers it as such.
 */
import { cutCodePoints } from '../../../rules/text/json-text.ts'
import { readFields, readJson, readList, readText } from './read-values.ts'

const DETAIL_CHARS = 2_000
const MOST_LINES = 50

/** Lines of pieces; null where none of them says anything. */
export function writeDetails(lines: readonly (readonly (string | undefined)[])[]): string | null {
  const said = lines
    .map((pieces) => pieces.filter((piece) => piece !== undefined).join(', '))
    .filter((line) => line !== '')
  return said.length === 0
    ? null
    : cutCodePoints(said.slice(0, MOST_LINES).join('\n'), DETAIL_CHARS)
}

/** What a message says, with them beside it where there are any. */
export function withDetails<Content extends object>(
  content: Content,
  details: string | null,
): Content & { details?: string } {
  return details === null ? content : { ...content, details }
}

/** What a form was filled in with, by the names that its maker gave its fields. */
export function readAnswers(json: unknown): string | null {
  const answers = Object.entries(readFields(readJson(readText(json) ?? '')))
  return writeDetails(
    answers
      // By it the form is known to who made it; the customer has not seen it.
      .filter(([name]) => name !== 'flow_token')
      .map(([name, answer]) => [`${name}: ${readAnswer(answer)}`]),
  )
}

/** One or several that were chosen. What is deeper, as an upload, has no words. */
function readAnswer(answer: unknown): string {
  const chosen = Array.isArray(answer) ? answer : [answer]
  return chosen.map((one) => (isPlain(one) ? String(one) : '…')).join(', ')
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** A card in the form of phones: the name beside it, and the numbers and addresses in it. */
export function readVCard(name: unknown, vcard: unknown): (string | undefined)[] {
  const lines = (readText(vcard) ?? '').replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const values = lines.flatMap((line) => {
    const value = /^(?:[\w-]+\.)?(?:TEL|EMAIL)(?:;[^:]*)?:(.+)$/i.exec(line)?.[1]
    return value?.trim() ?? []
  })
  return [readText(name), ...values]
}

/** Fields of the items of a list, those that are texts. */
export function textsOf(list: unknown, field: string): (string | undefined)[] {
  return readList(list).map((item) => readText(readFields(item)[field]))
}
