import type { CustomerRef, ProviderEvent } from '../inbound.ts'
import {
  withoutUndefined,
  readFields,
  readId,
  readList,
  readSeconds,
  readText,
  type Fields,
} from '../provider/read-values.ts'
import { readCallbackData } from './build-message.ts'
import { readContent } from './read-content.ts'

type Message = Extract<ProviderEvent, { kind: 'message' }>

const ignored = (why: string): ProviderEvent => ({ kind: 'ignored', why })

/** Returns the sequence number (`update_id`) of a Telegram update; null where it has none. */
export function readUpdateId(update: unknown): number | null {
  const id = Number(readId(readFields(update).update_id) ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : null
}

/** Converts a Telegram update to a provider event. `route` is the bot's id, which updates do not contain. Total. */
export function readUpdate(update: unknown, route: string): ProviderEvent {
  const { message, edited_message, callback_query, my_chat_member } = readFields(update)
  if (message !== undefined) return readMessage(readFields(message), route)
  if (callback_query !== undefined) return readTap(readFields(callback_query), route)
  if (my_chat_member !== undefined) return readReach(readFields(my_chat_member), route)
  if (edited_message !== undefined) return readEdit(readFields(edited_message), route)
  return ignored('an update of a kind that is not asked for')
}

/** Returns the id of a message: its number is unique only within its chat. */
const idOf = (chatId: string, messageId: string) => `${chatId}:${messageId}`

/** Returns the private chat of a message; null for a group, a channel or no chat. */
function readPrivateChat(value: unknown): string | null {
  const chat = readFields(value)
  return chat.type === 'private' ? (readId(chat.id) ?? null) : null
}

function readCustomer(chatId: string, value: unknown): CustomerRef {
  const from = readFields(value)
  const names = [readText(from.first_name), readText(from.last_name)]
  const name = names.filter((part) => part !== undefined).join(' ')
  return withoutUndefined<CustomerRef>({
    providerUserId: chatId,
    profileName: name === '' ? undefined : name,
    username: readText(from.username),
    language: readText(from.language_code),
  })
}

function readMessage(message: Fields, route: string): ProviderEvent {
  const chatId = readPrivateChat(message.chat)
  const messageId = readId(message.message_id)
  if (chatId === null) return ignored('not from a private chat')
  if (messageId === undefined) return ignored('a message without its number')
  if (readFields(message.from).is_bot === true) return ignored('a bot wrote')
  const content = readContent(message)
  if (content === null) return ignored('a service message')
  const quoted = readId(readFields(message.reply_to_message).message_id)
  return withoutUndefined<Message>({
    kind: 'message',
    route,
    providerMessageId: idOf(chatId, messageId),
    customer: readCustomer(chatId, message.from),
    type: content.type,
    text: content.text,
    media: content.media,
    place: content.place,
    details: content.details,
    at: readSeconds(message.date),
    replyToProviderId: quoted === undefined ? undefined : idOf(chatId, quoted),
  })
}

/** The prefix of a tap's id. A tap has no time, so it is dated when received. */
export const TAP_PREFIX = 'cb:'

/** Reads a tapped button as a text with its label. */
function readTap(tap: Fields, route: string): ProviderEvent {
  const message = readFields(tap.message)
  const chatId = readPrivateChat(message.chat)
  const id = readId(tap.id)
  if (chatId === null || id === undefined) return ignored('a tap outside of a private chat')
  const data = readText(tap.data)
  const text = readLabel(message, data) ?? data
  if (text === undefined) return ignored('a tap that says nothing')
  const messageId = readId(message.message_id)
  return withoutUndefined<Message>({
    kind: 'message',
    route,
    providerMessageId: `${TAP_PREFIX}${id}`,
    customer: readCustomer(chatId, tap.from),
    type: 'text',
    text,
    media: undefined,
    at: null,
    replyToProviderId: messageId === undefined ? undefined : idOf(chatId, messageId),
    buttonPayload: readCallbackData(data),
  })
}

function readLabel(message: Fields, data: string | undefined): string | undefined {
  const rows = readList(readFields(message.reply_markup).inline_keyboard)
  const buttons = rows.flatMap(readList).map(readFields)
  const tapped = buttons.find(({ callback_data }) => callback_data === data && data !== undefined)
  return readText(tapped?.text)
}

function readEdit(message: Fields, route: string): ProviderEvent {
  const chatId = readPrivateChat(message.chat)
  const messageId = readId(message.message_id)
  if (chatId === null || messageId === undefined)
    return ignored('an edit outside of a private chat')
  const content = readContent(message)
  // Live locations are edited with every movement.
  if (content === null || content.type === 'location') return ignored('an edit that says nothing')
  return {
    kind: 'annotation',
    route,
    what: 'edit',
    ofProviderId: idOf(chatId, messageId),
    by: 'customer',
    at: readSeconds(message.edit_date),
    text: content.text,
  }
}

/** Reads that the customer blocked or unblocked the bot. */
function readReach(change: Fields, route: string): ProviderEvent {
  const chatId = readPrivateChat(change.chat)
  const status = readFields(change.new_chat_member).status
  if (chatId === null || (status !== 'kicked' && status !== 'member')) {
    return ignored('a change of membership outside of a private chat')
  }
  return {
    kind: 'reach',
    route,
    customer: readCustomer(chatId, change.from),
    isReachable: status === 'member',
    at: readSeconds(change.date),
  }
}
