import { withLatinDigits } from '../text/latin-digits.ts'
import { foldText } from '../text/fold-text.ts'
import { readButtonPayload } from '../flows/button-payload.ts'
import type { AnsweringMessage, QuestionContext } from '../flows/read-answer.ts'
import { readDate } from '../flows/read-date.ts'
import { readOptionNumber } from '../flows/read-option-number.ts'

/** The index of a chosen option, or a day as an ISO date; null when the message is neither. */
export type SlotChoice = { place: number } | { day: string } | null

/**
 * Reads the customer's choice among the offered times. A tap counts only on the newest offer, because an older one may
 * show the same time of another day. Spec: Flows › Booking; reading F43.
 */
export function readSlotChoice(
  { type, text, buttonPayload }: AnsweringMessage,
  context: QuestionContext,
  { labels, firstOption }: { labels: readonly string[]; firstOption: number },
): SlotChoice {
  if (type !== 'text' || text === null) return null
  if (buttonPayload !== null) {
    const pressed = readButtonPayload(buttonPayload)
    if (pressed?.runId !== context.runId || pressed.stepId !== context.stepId) return null
    return placed(pressed.option - firstOption, labels)
  }
  const said = foldText(withLatinDigits(text))
  const named = labels.findIndex((label) => foldText(label) === said)
  if (named !== -1) return { place: named }
  const time = /^(\d{1,2})[:.](\d{2})$/.exec(said)
  if (time) return placed(labels.indexOf(`${time[1]!.padStart(2, '0')}:${time[2]!}`), labels)
  const place = readOptionNumber(said)
  if (place !== null) return placed(place - 1, labels)
  const day = readDate(text, context)
  return day === null ? null : { day }
}

function placed(place: number, labels: readonly string[]): SlotChoice {
  return place >= 0 && place < labels.length ? { place } : null
}
