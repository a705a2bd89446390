import type { CustomerRef, ProviderEvent, MediaRef } from '../inbound.ts'
import { readFields, readId, readList, readText, type Fields } from '../provider/read-values.ts'
import { readReference } from './reference.ts'
import { JsonNumber } from '../../../rules/text/json-number.ts'
import type { MessageType } from '../../../core/vocabulary/channels.ts'

type Attached = { type: MessageType; media?: MediaRef }

/** The provider's types and this service's. Others cannot be displayed: shares, mentions, hearts, templates, reels. */
const TYPES = new Map<string, MessageType>([
  ['image', 'image'],
  ['video', 'video'],
  ['audio', 'audio'],
  ['file', 'document'],
  ['sticker', 'sticker'],
  ['location', 'location'],
])

/** Types of attachments that are read. @internal */
export const MESSAGING_ATTACHMENTS: readonly string[] = [...TYPES.keys()]

/** Returns the attachments that can be displayed, else the first one. */
function readAttachments(attachments: unknown): Attached[] {
  const read = readList(attachments).map((item) => readAttachment(readFields(item)))
  const shown = read.filter(({ type }) => type !== 'unknown')
  return shown.length === 0 ? read.slice(0, 1) : shown
}

function readAttachment({ type, payload }: Fields): Attached {
  const { url, sticker_id: stickerId } = readFields(payload)
  const known = TYPES.get(readText(type) ?? '') ?? 'unknown'
  // Until June 2026 stickers were pictures with a number.
  const shown = known === 'image' && stickerId != null ? 'sticker' : known
  const address = readText(url)
  const isFile = shown !== 'unknown' && shown !== 'location' && address !== undefined
  return { type: shown, ...(isFile ? { media: { url: address } } : {}) }
}

/** Smaller numbers are seconds: as milliseconds they would be dates before 1974. */
const MIN_MS = 100_000_000_000
const YEAR_10000_MS = 253_402_300_800_000
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/**
 * Parses a time as Meta's products write it: milliseconds or seconds, also as digits, or ISO text. Returns null for
 * anything else.
 */
function readInstant(given: unknown): Date | null {
  const value = given instanceof JsonNumber ? Number(given.text) : given
  if (typeof value === 'string' && ISO.test(value)) {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? null : new Date(ms)
  }
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !(number > 0)) return null
  const ms = number < MIN_MS ? number * 1_000 : number
  return ms < YEAR_10000_MS ? new Date(Math.floor(ms)) : null
}

type About = { route: string; entry: Fields; receivedAt: Date }
/** An item with the fields that each kind has. */
type Item = About & { fields: Fields; customer: CustomerRef; at: Date | null; isOurs: boolean }

// The business never becomes its own customer.
const SENT_BY_BUSINESS = 'written to ourselves'

/** Readers by the field that identifies the kind of item; the first match counts. */
const READERS: readonly [field: string, read: (item: Item, body: Fields) => ProviderEvent[]][] = [
  ['message', readMessage],
  ['postback', readPostback],
  ['delivery', readDelivery],
  ['read', readRead],
  ['reaction', readReaction],
  ['message_edit', readEdit],
  ['policy_enforcement', readPolicy],
]

/** Kinds of items that are read. Spec: Provider forms › Messenger and Instagram. @internal */
export const MESSAGING_ITEMS: readonly string[] = READERS.map(([field]) => field)

/** Returns the events of an item, or an `ignored` with the reason. */
export function readMessagingItem(fields: Fields, about: About): ProviderEvent[] {
  const { route, entry } = about
  const [sender, recipient] = [fields.sender, fields.recipient].map((one) =>
    readId(readFields(one).id),
  )
  const isOurs = sender === route || readFields(fields.message).is_echo === true
  const other = isOurs ? recipient : sender
  const at = readInstant(fields.timestamp) ?? readInstant(entry.time)
  const reader = READERS.find(([field]) => fields[field] !== undefined)
  if (route === '') return [ignored('an item without a page')]
  if (!reader) return [ignored('an item that is not read', Object.keys(fields).join(' '))]
  const [field, read] = reader
  if (other === undefined && field !== 'policy_enforcement') {
    return [ignored('an item without a customer', field)]
  }
  const customer = { providerUserId: other ?? '' }
  return read({ ...about, fields, customer, at, isOurs }, readFields(fields[field]))
}

function readMessage(item: Item, message: Fields): ProviderEvent[] {
  const { route, customer, at } = item
  const providerMessageId = readId(message.mid)
  if (providerMessageId === undefined) return [ignored('a message without id')]
  if (message.is_deleted === true) return annotate(item, message.mid, { what: 'delete' })
  const { content, further } = readContent(message, providerMessageId)
  if (message.is_echo === true) {
    return readEcho(item, message, { providerMessageId, content, further })
  }
  if (readId(readFields(item.fields.sender).id) === route) return [ignored('we wrote ourselves')]
  const replyToProviderId = readId(readFields(message.reply_to).mid)
  const buttonPayload = readText(readFields(message.quick_reply).payload)
  return [
    {
      kind: 'message',
      route,
      providerMessageId,
      customer,
      ...content,
      at,
      ...(replyToProviderId === undefined ? {} : { replyToProviderId }),
      ...(buttonPayload === undefined ? {} : { buttonPayload }),
      ...(further.length === 0 ? {} : { further }),
    },
  ]
}

/** Returns the text instead of an attachment that cannot be displayed, unless there is no text. */
function readContent(message: Fields, mid: string) {
  const text = readText(message.text) ?? null
  const [first, ...others] = readAttachments(message.attachments)
  const isShown = first !== undefined && (first.type !== 'unknown' || text === null)
  const type = text === null ? 'unknown' : 'text'
  const content = isShown ? { ...first, text } : ({ type, text } as const)
  // Each report of the message yields the same ids.
  const further = others.map((attached, index) => {
    return { ...attached, providerMessageId: `${mid}:${index + 2}` }
  })
  return { content, further }
}

/**
 * Reads a message that the page sent. With this service's reference it is a receipt; otherwise the owner wrote it in
 * the provider's app, or the provider returns no references.
 */
function readEcho(
  { route, customer, at, receivedAt }: Item,
  message: Fields,
  {
    providerMessageId,
    content,
    further,
  }: ReturnType<typeof readContent> & { providerMessageId: string },
): ProviderEvent[] {
  const ourReference = readReference(message.metadata)
  if (ourReference !== undefined) {
    const sentAt = at ?? receivedAt
    return [{ kind: 'receipt', route, providerMessageId, status: 'sent', at: sentAt, ourReference }]
  }
  if (customer.providerUserId === route) return [ignored(SENT_BY_BUSINESS)]
  return [
    { kind: 'echo', route, providerMessageId, customer, ...content, at, mayBeOurs: true },
    // This service sends one file at a time.
    ...further.map((attached): ProviderEvent => ({
      kind: 'echo',
      route,
      customer,
      ...attached,
      text: null,
      at,
    })),
  ]
}

/** Reads a tapped button as a text with its label. Without an id, customer and time identify it. */
function readPostback(item: Item, postback: Fields): ProviderEvent[] {
  const { route, customer, receivedAt } = item
  if (customer.providerUserId === route) return [ignored(SENT_BY_BUSINESS)]
  const at = item.at ?? receivedAt
  const payload = readText(postback.payload)
  const text = readText(postback.title) ?? payload ?? null
  return [
    {
      kind: 'message',
      route,
      providerMessageId:
        readId(postback.mid) ?? `postback:${customer.providerUserId}:${at.getTime()}`,
      customer,
      type: text === null ? 'unknown' : 'text',
      text,
      at: item.at,
      ...(payload === undefined ? {} : { buttonPayload: payload }),
    },
  ]
}

/** Returns a receipt for each delivered id; without ids, one for everything sent until then. */
function readDelivery({ route, customer, ...item }: Item, delivery: Fields): ProviderEvent[] {
  const upTo = readInstant(delivery.watermark)
  const at = item.at ?? upTo ?? item.receivedAt
  const mids = readList(delivery.mids).flatMap((mid) => readId(mid) ?? [])
  if (mids.length === 0) {
    return [{ kind: 'watermark', route, customer, status: 'delivered', upTo: upTo ?? at, at }]
  }
  return mids.map((mid) => {
    return { kind: 'receipt', route, providerMessageId: mid, status: 'delivered', at }
  })
}

/** Instagram names the last message that was seen, Messenger a time until which all were seen. */
function readRead({ route, customer, ...item }: Item, read: Fields): ProviderEvent[] {
  const upTo = readInstant(read.watermark)
  const at = item.at ?? upTo ?? item.receivedAt
  const mid = readId(read.mid)
  if (mid !== undefined) {
    return [{ kind: 'receipt', route, providerMessageId: mid, status: 'read', at, andBefore: true }]
  }
  return [{ kind: 'watermark', route, customer, status: 'read', upTo: upTo ?? at, at }]
}

/** Reads that the page was blocked from sending, or unblocked. */
function readPolicy({ route }: Item, { action, reason }: Fields): ProviderEvent[] {
  if (action !== 'block' && action !== 'unblock') return [ignored('a policy that does nothing')]
  const said = readText(reason)?.slice(0, REASON_CHARS)
  const policy = `policy_enforcement ${action}${said === undefined ? '' : `: ${said}`}`
  return [
    { kind: 'channel_state', account: route, isConnected: action === 'unblock', reason: policy },
  ]
}

const REASON_CHARS = 200

/** Reads a reaction. Removals have no emoji; Instagram calls a heart `love`. */
function readReaction(item: Item, { mid, action, emoji, reaction }: Fields): ProviderEvent[] {
  const shown = readText(emoji) ?? (reaction === 'love' ? '❤' : (readText(reaction) ?? null))
  return annotate(item, mid, { what: 'reaction', emoji: action === 'unreact' ? null : shown })
}

function readEdit(item: Item, { mid, text }: Fields): ProviderEvent[] {
  return annotate(item, mid, { what: 'edit', text: readText(text) ?? null })
}

type AnnotationChange =
  | { what: 'delete' }
  | { what: 'edit'; text: string | null }
  | { what: 'reaction'; emoji: string | null }

function annotate(
  { route, isOurs, at }: Item,
  mid: unknown,
  change: AnnotationChange,
): ProviderEvent[] {
  const ofProviderId = readId(mid)
  const by = isOurs ? 'business' : 'customer'
  return [
    ofProviderId === undefined
      ? ignored(`${change.what} of no message`)
      : { kind: 'annotation', route, ofProviderId, by, at, ...change },
  ]
}

/** `why` is logged; sender-controlled text in it is truncated. */
function ignored(why: string, detail?: string): ProviderEvent {
  return { kind: 'ignored', why: detail === undefined ? why : `${why}: ${detail.slice(0, 80)}` }
}
