/**
 * Reads a customer's answer to a question of a flow. Pure: each answer has one stored form, however the customer wrote
 * it.
 *
 * Spec: Flows › Questions; readings F29, F30, F31.
 */
import { foldText, withoutInvisible } from '../text/fold-text.ts'
import { countCodePoints } from '../text/json-text.ts'
import { readPhone } from '../messaging/phone-reading.ts'
import { readButtonPayload } from './button-payload.ts'
import { readDate } from './read-date.ts'
import { readNumber } from './read-number.ts'
import { readOptionNumber } from './read-option-number.ts'
import { readYesNo, YES_NO } from './read-yes-no.ts'

/** A choice of a question: the stored value and the label that the customer reads. */
export type Option = { value: string; label: string }

/** A question by the form of its answer. */
export type Question =
  | { kind: 'text' | 'number'; min?: number | null; max?: number | null }
  | { kind: 'email' | 'phone' | 'date' | 'yes_no' | 'media' }
  | { kind: 'choice'; options: readonly Option[] }

/** A message that may answer a question. */
export type AnsweringMessage = {
  id: string
  /** A tapped button also has the type `text`, with its label as the text. */
  type: string
  /** The caption in a message with media. */
  text: string | null
  buttonPayload: string | null
}

/** The context in which a question is asked. */
export type QuestionContext = {
  runId: string
  stepId: string
  /** The country of the channel's number. */
  country: string | null
  now: Date
  /** The company's time zone. */
  zone: string
}

/**
 * Returns the stored form of the answer in a message, such as an ISO date or `yes`; null when it is no answer. A media
 * question stores the id of the message.
 */
export function readAnswer(
  question: Question,
  message: AnsweringMessage,
  context: QuestionContext,
): string | null {
  if (question.kind === 'media') return FILES.includes(message.type) ? message.id : null
  if (message.type !== 'text' || message.text === null) return null
  const said = message.text.trim()
  const text = withoutInvisible(said).trim()
  if (text === '') return null
  switch (question.kind) {
    case 'text':
      return isWithin(countCodePoints(said), question) ? said : null
    case 'number': {
      const number = readNumber(text)
      return number !== null && isWithin(Number(number), question) ? number : null
    }
    case 'email':
      return isEmail(text) ? text : null
    case 'phone': {
      const read = readPhone(text, context.country ?? '')
      return read.ok ? read.value : null
    }
    case 'date':
      return readDate(text, context)
    case 'yes_no': {
      const place = placeOfTap(message, context)
      return typeof place === 'number' ? (YES_NO[place] ?? null) : readYesNo(text, place)
    }
    case 'choice':
      return readChoice(question.options, text, placeOfTap(message, context))
  }
}

/** The types of messages that bring a file; a sticker or a contact card does not. */
const FILES = ['image', 'video', 'document', 'audio']

/** The origin of an answer: the index of this question's tapped option, a tap on another message, or typed text. */
type Tap = number | 'elsewhere' | 'typed'

function placeOfTap({ buttonPayload }: AnsweringMessage, { runId, stepId }: QuestionContext): Tap {
  if (buttonPayload === null) return 'typed'
  const pressed = readButtonPayload(buttonPayload)
  return pressed?.runId === runId && pressed.stepId === stepId ? pressed.option : 'elsewhere'
}

/**
 * Returns the chosen option. A label takes precedence over a number, and a tap on another message counts only by its
 * label.
 */
function readChoice(options: readonly Option[], text: string, tap: Tap): string | null {
  if (typeof tap === 'number') return options[tap]?.value ?? null
  const folded = foldText(text)
  const named = options.find(({ label }) => foldText(label) === folded)
  if (named) return named.value
  const number = tap === 'typed' ? readOptionNumber(folded) : null
  return number === null ? null : (options[number - 1]?.value ?? null)
}

const isWithin = (size: number, { min, max }: { min?: number | null; max?: number | null }) =>
  (min ?? null) !== null && size < min! ? false : (max ?? null) === null || size <= max!

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  if (at < 1 || text.length > 254 || local.length > 64 || !LOCAL.test(local)) return false
  return (
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && /\D/.test(labels.at(-1)!)
  )
}
