/** The search for the button that a customer taps on a message of the business. */
import { readNumber } from '../person.ts'
import type { Book, SimulatedMessage } from './book.ts'
import type { InboundFields } from './webhook-values.ts'

/** The button that is tapped, on the last message that has one by default. */
export type Tap = { messageId?: string; from?: string; buttonIndex?: number }
type Button = SimulatedMessage['content']['buttons'][number]

const TAPPABLE = new Set(['QUICK_REPLY', 'REPLY', 'LIST_ROW'])

/** Returns the message and the button that a tap means. @throws Error if none can be tapped */
export function findTapped(
  book: Book,
  { messageId, from, buttonIndex }: Tap,
): { message: SimulatedMessage; button: Button } {
  const customer = from === undefined ? undefined : readNumber(from)
  const isMeant = (message: SimulatedMessage) =>
    message.direction === 'to_customer' &&
    (messageId === undefined || message.wamid === messageId) &&
    (customer === undefined || message.customer === customer) &&
    message.content.buttons.some(({ type }) => TAPPABLE.has(type))
  const message = [...book.messages.values()].findLast(isMeant)
  if (message === undefined) {
    throw new Error('There is no message with a button to tap')
  }
  const { buttons } = message.content
  const button =
    buttonIndex === undefined
      ? buttons.find(({ type }) => TAPPABLE.has(type))
      : buttons[buttonIndex]
  if (button === undefined || !TAPPABLE.has(button.type)) {
    throw new Error(`Button ${buttonIndex} of this message cannot be tapped`)
  }
  return { message, button }
}

/** Returns the fields of the webhook message that reports the tap of a button. */
export function fieldsOfTap({ text, type, payload }: Button): InboundFields {
  const id = payload ?? text
  if (type === 'QUICK_REPLY') return { type: 'button', button: { payload: id, text } }
  const reply = type === 'REPLY' ? 'button_reply' : 'list_reply'
  return { type: 'interactive', interactive: { type: reply, [reply]: { id, title: text } } }
}
