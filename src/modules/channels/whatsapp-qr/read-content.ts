/** The content of messages in WhatsApp's own protocol: the kind is a field of one object. */
import { wordSet } from '../../../core/vocabulary/word-set.ts'
import {
  formatFormAnswers,
  readVCard,
  textsOf,
  withDetails,
  formatDetails,
} from '../provider/read-details.ts'
import { describeLocation } from '../provider/describe-location.ts'
import type { MessageType } from '../../../core/vocabulary/channels.ts'
import type { MediaRef } from '../inbound.ts'
import {
  withoutUndefined,
  readFields,
  readId,
  readList,
  readText,
  type Fields,
} from '../provider/read-values.ts'
import { writeMediaId, type QrMediaKind } from './media-id.ts'

/** The content of a message in this service's form. */
export type QrContent = {
  type: MessageType
  text: string | null
  media?: MediaRef
  buttonPayload?: string
  details?: string
}

/** An item that is no message: it changes another one, or carries keys. `of` is the id of the changed message. */
export type QrNoMessage =
  | { what: 'reaction'; of: string | undefined; emoji: string | null }
  | { what: 'edit'; of: string | undefined; text: string | null }
  | { what: 'delete'; of: string | undefined }
  | { what: 'ignored'; why: string }

/** The result of reading an item. */
export type ReadContent = { message: QrContent } | { noMessage: QrNoMessage }

/** Wrappers with another message under `message`. */
const WRAPPERS =
  wordSet(`ephemeralMessage viewOnceMessage viewOnceMessageV2 viewOnceMessageV2Extension
  documentWithCaptionMessage groupMentionedMessage botInvokeMessage lottieStickerMessage
  associatedChildMessage deviceSentMessage`)
const MAX_WRAPPERS = 10

/** Fields that accompany content. */
const METADATA_FIELDS = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
])

const IGNORED_FIELDS = new Set([
  'pollUpdateMessage',
  // The number of pictures that follow, each in a separate message.
  'albumMessage',
  'keepInChatMessage',
  'pinInChatMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
  'secretEncryptedMessage',
  'callLogMesssage',
  'call',
  'scheduledCallCreationMessage',
  'scheduledCallEditMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'chat',
  'stickerSyncRmrMessage',
])

type Reader = (body: Fields) => QrContent

const UNREADABLE: QrContent = { type: 'unknown', text: null }

const words = (text: unknown, payload?: unknown): QrContent => {
  const said = readText(text)
  if (said === undefined) return UNREADABLE
  return withoutUndefined<QrContent>({ type: 'text', text: said, buttonPayload: readText(payload) })
}

const READERS = new Map<string, Reader>([
  ['extendedTextMessage', ({ text }) => words(text)],
  ['imageMessage', (body) => readMedia('image', 'image', body)],
  ['videoMessage', (body) => readMedia('video', 'video', body)],
  ['ptvMessage', (body) => readMedia('video', 'video', body)],
  ['audioMessage', (body) => readMedia('audio', 'audio', body)],
  ['documentMessage', (body) => readMedia('document', 'document', body)],
  ['stickerMessage', (body) => readMedia('sticker', 'sticker', body)],
  ['locationMessage', (body) => readLocation(body)],
  [
    'liveLocationMessage',
    (body) => ({ ...readLocation(body), text: readText(body.caption) ?? null }),
  ],
  ['contactMessage', (body) => readCards([body])],
  ['contactsArrayMessage', ({ contacts }) => readCards(readList(contacts).map(readFields))],
  [
    'buttonsResponseMessage',
    ({ selectedDisplayText, selectedButtonId }) => words(selectedDisplayText, selectedButtonId),
  ],
  [
    'templateButtonReplyMessage',
    ({ selectedDisplayText, selectedId }) => words(selectedDisplayText, selectedId),
  ],
  [
    'listResponseMessage',
    ({ title, singleSelectReply }) => words(title, readFields(singleSelectReply).selectedRowId),
  ],
  [
    'interactiveResponseMessage',
    ({ body, nativeFlowResponseMessage: form }) =>
      withDetails(words(readFields(body).text), formatFormAnswers(readFields(form).paramsJson)),
  ],
  ['orderMessage', readOrder],
  ...['', 'V2', 'V3'].map((version): [string, Reader] => [
    `pollCreationMessage${version}`,
    ({ name, options }) => {
      const lines = [readText(name), ...textsOf(options, 'optionName')].map((line) => [line])
      return withDetails(UNREADABLE, formatDetails(lines))
    },
  ]),
])

/** Kinds of messages that are read. Spec: Provider forms › WhatsApp by QR code. @internal */
export const QR_MESSAGE_KINDS: readonly string[] = [...READERS.keys()]

function readCards(cards: readonly Fields[]): QrContent {
  const lines = cards.map(({ displayName, vcard }) => readVCard(displayName, vcard))
  return withDetails({ type: 'contact', text: null }, formatDetails(lines))
}

/** An order has the number of items, but not the items. */
function readOrder({ message, orderTitle, itemCount }: Fields): QrContent {
  const content: QrContent = { type: 'unknown', text: readText(message) ?? null }
  const [count, title] = [readId(itemCount), readText(orderTitle)]
  const line = count === undefined ? title : `${count} × ${title ?? '?'}`
  return withDetails(content, formatDetails([[line]]))
}

function readLocation(body: Fields): QrContent {
  const place = describeLocation({
    name: body.name,
    address: body.address,
    latitude: body.degreesLatitude,
    longitude: body.degreesLongitude,
  })
  return { type: 'location', text: null, ...(place !== null && { place }) }
}

function readMedia(type: MessageType, kind: QrMediaKind, body: Fields): QrContent {
  const media = withoutUndefined<MediaRef>({
    providerMediaId: writeMediaId(kind, body),
    mimeType: readText(body.mimetype),
    fileName: readText(body.fileName) ?? readText(body.title),
  })
  return { type, text: readText(body.caption) ?? null, media }
}

/** Returns the message inside its wrappers, or what is left after removing the maximum number of them. */
export function unwrap(message: unknown): Fields {
  let fields = readFields(message)
  for (let depth = 0; depth < MAX_WRAPPERS; depth += 1) {
    const wrapper = Object.keys(fields).find((name) => WRAPPERS.has(name))
    if (wrapper === undefined) break
    fields = readFields(readFields(fields[wrapper]).message)
  }
  return fields
}

/**
 * Converts the content of a WhatsApp protobuf message, as the bridge reports it, to a message, a change of another one, or
 * the reason why it is ignored.
 */
export function readContent(message: unknown): ReadContent {
  const fields = unwrap(message)
  const change = readChange(fields)
  return change ? { noMessage: change } : readOwnContent(fields)
}

/** Converts content that is not read as a change: an edit has new content, and no other edit in it. */
function readOwnContent(fields: Fields): ReadContent {
  const name = Object.keys(fields).find((key) => !METADATA_FIELDS.has(key) && fields[key] != null)
  if (name === undefined) return ignored('a message that says nothing')
  if (IGNORED_FIELDS.has(name)) return ignored(`a ${name.slice(0, 60)}`)
  if (name === 'conversation') return { message: words(fields.conversation) }
  return { message: READERS.get(name)?.(readFields(fields[name])) ?? UNREADABLE }
}

const ignored = (why: string): ReadContent => ({ noMessage: { what: 'ignored', why } })

const EDIT = new Set<unknown>([14, 'MESSAGE_EDIT'])
const REVOKE = new Set<unknown>([0, 'REVOKE'])

function readChange(fields: Fields): QrNoMessage | null {
  if (fields.reactionMessage != null) {
    const body = readFields(fields.reactionMessage)
    return { what: 'reaction', of: idIn(body), emoji: readText(body.text) || null }
  }
  const edited = readFields(readFields(fields.editedMessage).message)
  const protocol = fields.protocolMessage ?? edited.protocolMessage
  if (protocol == null) {
    return fields.editedMessage == null ? null : { what: 'edit', of: undefined, text: null }
  }
  const body = readFields(protocol)
  if (EDIT.has(body.type)) {
    const edit = readOwnContent(unwrap(body.editedMessage))
    return { what: 'edit', of: idIn(body), text: 'message' in edit ? edit.message.text : null }
  }
  // The type is left out when it is the first of its enum.
  if (REVOKE.has(body.type ?? 0)) return { what: 'delete', of: idIn(body) }
  return { what: 'ignored', why: 'a protocol message' }
}

const idIn = (body: Fields) => readText(readFields(body.key).id)
