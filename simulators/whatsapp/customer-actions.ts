import { HOUR_MS, type Clock } from '../time.ts'
import { newWamid } from './accept-send.ts'
import { chatKey, personAt } from './book.ts'
import type { Entry, SimulatedMessage } from './book.ts'
import type { BusinessNumber, Numbers } from './business-number.ts'
import type { Ledger } from './ledger.ts'
import type { MediaShelf } from '../media-shelf.ts'
import { makePerson, readNumber, withHiddenNumber } from '../person.ts'
import type { Person, PersonInput } from '../person.ts'
import { plainMessage } from './plain-message.ts'
import { SAMPLES } from './sample-messages.ts'
import type { SampleKind } from './sample-messages.ts'
import { fieldsOfTap, findTapped, type Tap } from './tap.ts'
import { echoWebhook, messageWebhook } from './webhook-values.ts'
import type { InboundFields } from './webhook-values.ts'

/** A chat: a customer's number and, unless there is only one, the business's number. */
export type Chat = { from: string; phoneNumberId?: string }

/** A file that a customer sends. */
export type FileSent = {
  type: 'image' | 'audio' | 'video' | 'document' | 'sticker'
  bytes: Buffer
  mimeType: string
  caption?: string
  fileName?: string
}

/** The actions of simulated customers. */
export type CustomerActions = {
  /** Adds a simulated phone, or renames one. */
  addPerson: (input: PersonInput) => Person
  /** Writes as the customer. Returns the id of the message, as the other actions do. */
  sendText: (input: Chat & { text: string }) => string
  sendSample: (input: Chat & { kind: SampleKind }) => string
  /** Sends a file as the customer, with the type that the phone reports. */
  sendFile: (input: Chat & FileSent) => string
  /**
   * Taps a button of a message, by default of the last message with buttons. `buttonIndex` counts all buttons of the
   * message from 0; the default is the first one that can be tapped.
   */
  tapButton: (input?: Tap) => string
  /** Switches this phone, or all phones with null, between manual and automatic answers. */
  answerByHand: (input: { from: string | null; isByHand: boolean }) => void
  /** Switches webhooks between the business-scoped id alone and the number. */
  hideNumber: (input: { from: string; isHidden: boolean }) => void
  /** Writes to the customer as the owner, in the WhatsApp Business app. */
  ownerAnswers: (input: Chat & { text: string }) => string
  /** Shifts the customer's last message back in time, as Meta sees it. */
  advanceWindow: (input: Chat & { hours: number }) => void
}

type Deps = {
  ledger: Ledger
  numbers: Numbers
  clock: Clock
}

/**
 * Creates the actions of simulated WhatsApp customers, each of which posts webhooks. Each throws an Error if there is
 * no such chat.
 */
export function createCustomerActions({
  shelf,
  ...deps
}: Deps & { shelf: MediaShelf }): CustomerActions {
  const { ledger } = deps
  const { book } = ledger
  const { numberOf, personOf, receive, newMessage } = createChats(deps)

  return {
    addPerson(input) {
      const made = makePerson(input, book.holders.get(readNumber(input.number) ?? ''))
      const known = book.people.get(made.number)
      const person = known ? { ...known, name: input.name?.trim() || known.name } : made
      ledger.commit([{ kind: 'person', person }])
      return person
    },
    sendText: ({ text, ...chat }) => receive(chat, text, { type: 'text', text: { body: text } }),
    sendSample({ kind, ...chat }) {
      const { text, fields } = SAMPLES[kind]
      return receive(chat, text, fields(shelf))
    },
    sendFile({ type, bytes, mimeType, caption, fileName, ...chat }) {
      const file = {
        ...shelf.put(bytes, mimeType),
        ...(caption === undefined ? {} : { caption }),
        ...(fileName === undefined ? {} : { filename: fileName }),
      }
      return receive(chat, `[${type}] ${caption ?? fileName ?? ''}`, { type, [type]: file })
    },
    tapButton(wanted = {}) {
      const { message, button } = findTapped(book, wanted)
      const { phoneNumberId, customer, wamid } = message
      const business = numberOf(phoneNumberId).displayPhoneNumber
      const fields = { context: { from: business, id: wamid }, ...fieldsOfTap(button) }
      const place = { from: customer, phoneNumberId }
      return receive(place, button.text, fields, [{ kind: 'answered', wamid }])
    },
    answerByHand({ from, isByHand }) {
      const known = from === null ? null : personOf(from)
      const customer = known?.person.number ?? null
      ledger.commit([...(known?.entries ?? []), { kind: 'by_hand', customer, isByHand }])
    },
    hideNumber({ from, isHidden }) {
      const { person } = personOf(from)
      ledger.commit([{ kind: 'person', person: withHiddenNumber(person, isHidden) }])
    },
    ownerAnswers({ from, phoneNumberId, text }) {
      const number = numberOf(phoneNumberId)
      const { person, entries } = personOf(from)
      const message = newMessage(number, person, 'from_owner', 'text', text)
      const webhook = echoWebhook(number, person, message, text)
      ledger.commit([...entries, { kind: 'message', message }, { kind: 'webhook', webhook }])
      return message.wamid
    },
    advanceWindow({ from, phoneNumberId, hours }) {
      const { phoneNumberId: id } = numberOf(phoneNumberId)
      const { person } = personOf(from)
      const openUntil = book.windows.get(chatKey(id, person.number)) ?? 0
      ledger.commit([
        {
          kind: 'window',
          phoneNumberId: id,
          customer: person.number,
          openUntil: openUntil - hours * HOUR_MS,
        },
      ])
    },
  }
}

/** Returns functions that the actions share: the people of a chat, and a message in it. */
function createChats({ ledger, numbers, clock }: Deps) {
  const { book } = ledger

  function numberOf(phoneNumberId: string | undefined): BusinessNumber {
    const [first] = numbers.values()
    const number = phoneNumberId === undefined ? first : numbers.get(phoneNumberId)
    if (number === undefined) {
      throw new Error(`No business number ${phoneNumberId ?? 'at all'}`)
    }
    return number
  }

  function personOf(from: string): { person: Person; entries: Entry[] } {
    const person = personAt(book, from)
    return { person, entries: book.people.has(person.number) ? [] : [{ kind: 'person', person }] }
  }

  function receive(
    { from, phoneNumberId }: Chat,
    text: string,
    fields: InboundFields,
    also: Entry[] = [],
  ): string {
    const number = numberOf(phoneNumberId)
    const { person, entries } = personOf(from)
    const message = newMessage(number, person, 'from_customer', fields.type, text)
    const webhook = messageWebhook(number, person, message, fields)
    ledger.commit([...entries, { kind: 'message', message }, { kind: 'webhook', webhook }, ...also])
    return message.wamid
  }

  function newMessage(
    number: BusinessNumber,
    person: Person,
    direction: 'from_customer' | 'from_owner',
    type: string,
    text: string,
  ): SimulatedMessage {
    const { phoneNumberId } = number
    const said = { wamid: newWamid(), direction, phoneNumberId, customer: person.number, text }
    return plainMessage({ ...said, at: clock.now().getTime() }, type)
  }

  return { numberOf, personOf, receive, newMessage }
}
