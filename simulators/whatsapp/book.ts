/**
 * The state of the simulator: phones, messages, service windows, templates and unanswered webhooks. It is built only
 * from entries in order, so that the journal can rebuild it.
 */
import { SIMULATOR_LIMITS } from '../limits.ts'
import { makePerson, readNumber, type Person } from '../person.ts'
import type { GraphTemplate } from './graph-template.ts'

/** A button of a message. */
export type Button = { type: string; text: string; payload: string | null; url: string | null }

/** The parts of a message that a person sees. */
export type Content = {
  header: string | null
  text: string
  footer: string | null
  buttons: Button[]
}

/** The status of a message of the business. */
export type SendStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed'

/** A stored message between a number and a customer. */
export type SimulatedMessage = {
  wamid: string
  direction: 'to_customer' | 'from_customer' | 'from_owner'
  phoneNumberId: string
  /** The customer's number, also where the webhooks leave it out. */
  customer: string
  at: number
  /** The type in the protocol: `text`, `template`, `image`, … */
  type: string
  content: Content
  template: { name: string; language: string } | null
  /** The values of the body's variables. */
  params: string[]
  /** The id of the upload, for a file that the business sent. */
  mediaId: string | null
  /** `biz_opaque_callback_data`. */
  ourReference: string | null
  /** `utility`, `marketing`, `authentication` or `service`. */
  category: string
  isFree: boolean
  status: SendStatus
  statuses: { status: SendStatus; at: number }[]
  /** The error code with which the message will fail or has failed. */
  failsWith: number | null
  /** The customer will answer automatically after reading. */
  awaitsReply: boolean
}

/** A webhook that its receiver has not answered yet. */
export type PendingWebhook = {
  id: string
  phoneNumberId: string
  businessAccountId: string
  field: string
  value: Record<string, unknown>
  /** Unix seconds; only for webhooks about the account. */
  time: number | null
}

/** A change of the state, as the journal stores it. */
export type Entry =
  | { kind: 'person'; person: Person }
  /** A person with a new number. Messages under the earlier number move to it. */
  | { kind: 'moved'; from: string; person: Person }
  | { kind: 'holders'; number: string; count: number }
  | { kind: 'portfolio'; phoneNumberId: string; businessAccountId: string }
  | { kind: 'message'; message: SimulatedMessage }
  | { kind: 'status'; wamid: string; status: SendStatus; at: number }
  | { kind: 'answered'; wamid: string }
  | { kind: 'by_hand'; customer: string | null; isByHand: boolean }
  | { kind: 'window'; phoneNumberId: string; customer: string; openUntil: number }
  | { kind: 'template'; businessAccountId: string; template: GraphTemplate }
  | { kind: 'webhook'; webhook: PendingWebhook }
  | { kind: 'webhook_answered'; id: string }

/** The state of the WhatsApp simulator. */
export type Book = {
  people: Map<string, Person>
  /** Number of earlier holders, for numbers that were given up. */
  holders: Map<string, number>
  /** The account of another portfolio to which a business's number was moved, by its id. */
  portfolios: Map<string, string>
  messages: Map<string, SimulatedMessage>
  /** The phones that a person answers for; null stands for all. */
  byHand: Map<string | null, true>
  /** Times in ms until which a chat may be answered freely. */
  windows: Map<string, number>
  templates: Map<string, { businessAccountId: string; template: GraphTemplate }>
  webhooks: Map<string, PendingWebhook>
}

/** Creates the empty state of the WhatsApp simulator. */
export function createBook(): Book {
  return {
    people: new Map(),
    holders: new Map(),
    portfolios: new Map(),
    messages: new Map(),
    byHand: new Map(),
    windows: new Map(),
    templates: new Map(),
    webhooks: new Map(),
  }
}

/** Applies a journal entry to the state. */
export function writeEntry(book: Book, entry: Entry): void {
  switch (entry.kind) {
    case 'person':
      put(book.people, entry.person.number, entry.person, SIMULATOR_LIMITS.people)
      break
    case 'moved':
      movePerson(book, entry)
      break
    case 'holders':
      put(book.holders, entry.number, entry.count, SIMULATOR_LIMITS.people)
      break
    case 'portfolio':
      book.portfolios.set(entry.phoneNumberId, entry.businessAccountId)
      break
    case 'message':
      writeMessage(book, entry.message)
      break
    case 'status': {
      const message = book.messages.get(entry.wamid)
      if (message) {
        message.status = entry.status
        message.statuses.push({ status: entry.status, at: entry.at })
      }
      break
    }
    case 'answered': {
      const message = book.messages.get(entry.wamid)
      if (message) {
        message.awaitsReply = false
      }
      break
    }
    case 'by_hand':
      if (entry.isByHand) put(book.byHand, entry.customer, true, SIMULATOR_LIMITS.people)
      else book.byHand.delete(entry.customer)
      break
    case 'window':
      put(
        book.windows,
        chatKey(entry.phoneNumberId, entry.customer),
        entry.openUntil,
        SIMULATOR_LIMITS.people,
      )
      break
    case 'template':
      book.templates.set(templateKey(entry.businessAccountId, entry.template), {
        businessAccountId: entry.businessAccountId,
        template: entry.template,
      })
      break
    case 'webhook':
      put(book.webhooks, entry.webhook.id, entry.webhook, SIMULATOR_LIMITS.waitingWebhooks)
      break
    case 'webhook_answered':
      book.webhooks.delete(entry.id)
      break
  }
}

function writeMessage(book: Book, message: SimulatedMessage): void {
  put(book.messages, message.wamid, structuredClone(message), SIMULATOR_LIMITS.messages)
  if (message.direction === 'from_customer') {
    const { phoneNumberId, customer, at } = message
    const openUntil = at + SIMULATOR_LIMITS.serviceWindowMs
    writeEntry(book, { kind: 'window', phoneNumberId, customer, openUntil })
  }
}

function movePerson(book: Book, { from, person }: { from: string; person: Person }): void {
  book.people.delete(from)
  writeEntry(book, { kind: 'person', person })
  const { number } = person
  for (const message of book.messages.values()) {
    if (message.customer === from) message.customer = number
  }
  if (book.byHand.delete(from))
    writeEntry(book, { kind: 'by_hand', customer: number, isByHand: true })
  const windows = [...book.windows].filter(([key]) => readChatKey(key).customer === from)
  for (const [key, openUntil] of windows) {
    const { phoneNumberId } = readChatKey(key)
    book.windows.delete(key)
    writeEntry(book, { kind: 'window', phoneNumberId, customer: number, openUntil })
  }
}

/** Returns the shortest list of entries that builds the same state. */
export function listEntries(book: Book): Entry[] {
  return [
    ...[...book.people.values()].map((person): Entry => ({ kind: 'person', person })),
    ...[...book.holders].map(([number, count]): Entry => ({ kind: 'holders', number, count })),
    ...[...book.portfolios].map(([phoneNumberId, businessAccountId]): Entry => {
      return { kind: 'portfolio', phoneNumberId, businessAccountId }
    }),
    ...[...book.messages.values()].map((message): Entry => ({ kind: 'message', message })),
    ...[...book.byHand.keys()].map((customer): Entry => {
      return { kind: 'by_hand', customer, isByHand: true }
    }),
    ...[...book.windows].map(([key, openUntil]): Entry => {
      return { kind: 'window', ...readChatKey(key), openUntil }
    }),
    ...[...book.templates.values()].map((kept): Entry => ({ kind: 'template', ...kept })),
    ...[...book.webhooks.values()].map((webhook): Entry => ({ kind: 'webhook', webhook })),
  ]
}

/** Returns the key of the chat between a business number and a customer. */
export function chatKey(phoneNumberId: string, customer: string): string {
  return `${phoneNumberId}/${customer}`
}

function readChatKey(key: string): { phoneNumberId: string; customer: string } {
  const [phoneNumberId = '', customer = ''] = key.split('/')
  return { phoneNumberId, customer }
}

/**
 * Returns the phone of a number, or the phone that a message to it would create.
 * @throws Error for an invalid number.
 */
export function personAt(book: Book, number: string): Person {
  const digits = readNumber(number) ?? number
  return book.people.get(digits) ?? makePerson({ number }, book.holders.get(digits))
}

/** Returns the key of a template, by its account, name and language. */
export function templateKey(
  businessAccountId: string,
  template: { name: string; language: string },
): string {
  return `${businessAccountId}/${template.name}/${template.language}`
}

/** Returns true if the customer wrote to this number within the last 24 hours. */
export function isWindowOpen(
  book: Book,
  phoneNumberId: string,
  customer: string,
  now: number,
): boolean {
  return (book.windows.get(chatKey(phoneNumberId, customer)) ?? 0) > now
}

/** Returns true if a person answers for this phone, so that it neither reads nor answers automatically. */
export function isByHand(book: Book, customer: string): boolean {
  return book.byHand.has(null) || book.byHand.has(customer)
}

/** Adds an entry at the end and deletes the oldest ones beyond `max`. An existing entry keeps its position. */
function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.set(key, value)
  if (map.size > max) {
    for (const oldest of map.keys()) {
      map.delete(oldest)
      break
    }
  }
}
