import type { Annotation } from '../channel-adapter.ts'
import type { ProviderEvent, MediaRef } from '../inbound.ts'
import type { MessageType } from '../../../core/vocabulary/channels.ts'
import type { Fields } from '../provider/read-values.ts'
import { formatFormAnswers, textsOf, withDetails, formatDetails } from '../provider/read-details.ts'
import { describeLocation } from '../provider/describe-location.ts'
import {
  withoutUndefined,
  readFields,
  readId,
  readList,
  readPhoneDigits,
  readSeconds,
  readText,
} from '../provider/read-values.ts'

/** The content of a message in this service's form. */
export type Content = {
  type: MessageType
  text: string | null
  media?: MediaRef
  buttonPayload?: string
  sharedOwnNumber?: string
  place?: string
  details?: string
}

type ContentReader = (body: Fields, message: Fields) => Content

const UNREADABLE: Content = { type: 'unknown', text: null }

/** Readers by the provider's type. Messages of other types are unreadable. */
const READERS = new Map<string, ContentReader>([
  ['text', ({ body }) => readWords(body)],
  ['image', (body) => readMedia('image', body)],
  ['video', (body) => readMedia('video', body)],
  ['document', (body) => readMedia('document', body)],
  ['audio', (body) => readMedia('audio', body)],
  ['sticker', (body) => readMedia('sticker', body)],
  ['location', (body) => readLocation(body)],
  ['contacts', (_, message) => readSharedContacts(message)],
  ['button', (body) => readWords(body.text, body.payload)],
  ['interactive', readInteractive],
  ['order', readOrder],
])

/** Types of messages that are read as messages. @internal */
export const WHATSAPP_MESSAGE_TYPES: readonly string[] = [...READERS.keys()]

/** Returns the content of a customer's or the owner's message. A tapped button is a text with its label. */
export function readContent(message: Fields): Content {
  const type = readText(message.type) ?? ''
  return READERS.get(type)?.(readFields(message[type]), message) ?? UNREADABLE
}

function readWords(text: unknown, payload?: unknown): Content {
  const words = readText(text)
  const pressed = readText(payload)
  const content: Content = words === undefined ? UNREADABLE : { type: 'text', text: words }
  return pressed === undefined ? content : { ...content, buttonPayload: pressed }
}

function readInteractive(body: Fields): Content {
  const reply = readFields(body[readText(body.type) ?? ''])
  if (body.type !== 'nfm_reply') return readWords(reply.title, reply.id)
  return withDetails(readWords(reply.body), formatFormAnswers(reply.response_json))
}

/** Reads an order from the catalog; its items have the business's own ids. */
function readOrder({ text, product_items: items }: Fields): Content {
  const lines = readList(items)
    .map(readFields)
    .map(({ product_retailer_id: id, quantity, item_price: price, currency }) => {
      const [count, each] = [readId(quantity), readId(price) ?? numberIn(price)]
      const cost =
        each === undefined ? undefined : [each, readText(currency) ?? ''].join(' ').trim()
      const item = readId(id)
      return [count === undefined ? item : `${count} × ${item ?? '?'}`, cost]
    })
  return withDetails({ type: 'unknown', text: readText(text) ?? null }, formatDetails(lines))
}

/** A price may have a fraction. */
const numberIn = (value: unknown) => (Number.isFinite(value) ? String(value) : undefined)

function readLocation({ name, address, latitude, longitude }: Fields): Content {
  const place = describeLocation({ name, address, latitude, longitude })
  return { type: 'location', text: null, ...(place !== null && { place }) }
}

function readMedia(type: MessageType, body: Fields): Content {
  const media = withoutUndefined<MediaRef>({
    providerMediaId: readId(body.id),
    url: readText(body.url),
    mimeType: readText(body.mime_type),
    fileName: readText(body.filename),
    sha256: readText(body.sha256),
  })
  return { type, text: readText(body.caption) ?? null, media }
}

/**
 * Reads contact cards. Only a card that the service requested proves the sender's own number; others may be another
 * person's.
 */
function readSharedContacts(message: Fields): Content {
  const cards = readList(message.contacts).map(readFields)
  const own = cards.find(({ origin }) => origin === 'contact_request')
  const phone = readFields(readList(own?.phones)[0])
  const number = readPhoneDigits(phone.wa_id) ?? readPhoneDigits(phone.phone)
  const content: Content = {
    type: 'contact',
    text: null,
    ...(number === undefined ? {} : { sharedOwnNumber: number }),
  }
  return withDetails(content, formatDetails(cards.map(readCard)))
}

function readCard({ name, org, phones, emails }: Fields): (string | undefined)[] {
  return [
    readText(readFields(name).formatted_name),
    readText(readFields(org).company),
    ...textsOf(phones, 'phone'),
    ...textsOf(emails, 'email'),
  ]
}

type Change =
  | { what: 'reaction'; emoji: string | null; of: unknown }
  | { what: 'edit'; text: string | null; of: unknown }
  | { what: 'delete'; of: unknown }

/** Readers of changes of an earlier message, by type. */
const CHANGES = new Map<string, (body: Fields) => Change>([
  [
    'reaction',
    ({ emoji, message_id: of }) => ({ what: 'reaction', emoji: readText(emoji) || null, of }),
  ],
  [
    'edit',
    ({ message, original_message_id: of }) => {
      return { what: 'edit', text: readContent(readFields(message)).text, of }
    },
  ],
  ['revoke', ({ original_message_id: of }) => ({ what: 'delete', of })],
])

/** Types of items that change an earlier message. @internal */
export const WHATSAPP_CHANGE_TYPES: readonly string[] = [...CHANGES.keys()]

/** Types of `unsupported` items that change an earlier message. */
const UNSUPPORTED_CHANGES = new Set(['edit', 'pin', 'keep_in_chat', 'poll_update', 'reaction'])

/** Returns the event of an item of a message list that is not a message; undefined for messages. */
export function readOtherItem(
  message: Fields,
  route: string,
  by: Annotation['by'],
): ProviderEvent | undefined {
  const type = readText(message.type) ?? ''
  if (readText(message.group_id) !== undefined) {
    return { kind: 'ignored', why: 'a group message' }
  }
  const annotation = CHANGES.get(type)?.(readFields(message[type]))
  if (annotation) {
    const { of, ...change } = annotation
    const ofProviderId = readText(of)
    const at = readSeconds(message.timestamp)
    return ofProviderId === undefined
      ? { kind: 'ignored', why: `${change.what} of no message` }
      : { kind: 'annotation', route, ofProviderId, by, at, ...change }
  }
  const change = readText(readFields(message.unsupported).type) ?? ''
  if (type === 'unsupported' && UNSUPPORTED_CHANGES.has(change)) {
    return { kind: 'ignored', why: `an unsupported ${change}` }
  }
  return type === 'request_welcome' ? { kind: 'ignored', why: 'the chat was opened' } : undefined
}
