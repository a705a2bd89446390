import type { ProviderEvent, ProviderError } from '../inbound.ts'
import {
  readAccountUpdate,
  readTemplateCategory,
  readTemplateStatus,
} from './read-account-changes.ts'
import { ignored, readChange, type Change } from './read-change.ts'
import { readHistory } from './read-history.ts'
import { readUserIdUpdates, readSystemMessage } from './read-identity.ts'
import {
  readFields,
  readProviderJson,
  readList,
  readText,
  readSeconds,
  readDigits,
} from '../provider/read-values.ts'
import { readCustomer } from './read-customer.ts'
import { readContent, readOtherItem } from './read-content.ts'
import { readErrorFields } from '../meta/read-graph-error.ts'
import { classifyWhatsAppCode } from './errors.ts'

const STATUSES = new Map<string, 'sent' | 'delivered' | 'read' | 'failed'>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  // A played voice message was read.
  ['played', 'read'],
  ['failed', 'failed'],
])

/** The provider's statuses of sent messages that the parser accepts. @internal */
export const WHATSAPP_STATUSES: readonly string[] = [...STATUSES.keys()]

const NO_REASON: ProviderError = { code: 'none', class: 'other', message: '' }

/** Returns a receipt with the recipient's ids, which belong to one account. Receipts create no customers. */
function readStatus(change: Change, item: unknown): ProviderEvent {
  const fields = readFields(item)
  const statusText = readText(fields.status) ?? ''
  const status = STATUSES.get(statusText)
  const providerMessageId = readText(fields.id)
  if (status === undefined || providerMessageId === undefined) {
    return ignored('a status that says nothing', statusText)
  }
  const ourReference = readText(fields.biz_opaque_callback_data)
  const at = readSeconds(fields.timestamp) ?? change.receivedAt
  const error = readErrorFields(readList(fields.errors)[0], classifyWhatsAppCode) ?? NO_REASON
  const customer = readCustomer(
    {
      number: fields.recipient_id,
      userId: fields.recipient_user_id,
      parentUserId: fields.recipient_parent_user_id,
    },
    [],
  )
  return {
    kind: 'receipt',
    route: change.route,
    providerMessageId,
    status,
    at,
    ...(customer ? { customer } : {}),
    ...(ourReference === undefined ? {} : { ourReference }),
    ...(status === 'failed' ? { error } : {}),
  }
}

/** Reads the field `messages`: customers' messages, then receipts of sent ones. */
function readMessages(change: Change): ProviderEvent[] {
  const { messages, statuses, errors } = change.value
  const events = [
    ...readList(messages).map((message) => readMessage(change, message)),
    ...readList(statuses).map((status) => readStatus(change, status)),
  ]
  return events.length === 0 && readList(errors).length > 0
    ? [ignored('an error without a message')]
    : events
}

function readMessage(change: Change, item: unknown): ProviderEvent {
  const message = readFields(item)
  const { route, contacts } = change
  // The business never becomes its own customer.
  if (change.ownNumber !== undefined && readDigits(message.from) === change.ownNumber) {
    return ignored('our own number wrote')
  }
  const other = readOtherItem(message, route, 'customer')
  if (other) {
    return other
  }
  if (message.type === 'system') {
    return readSystemMessage(change, message)
  }
  const providerMessageId = readText(message.id)
  const customer = readCustomer(
    {
      number: message.from,
      userId: message.from_user_id,
      parentUserId: message.from_parent_user_id,
    },
    contacts,
  )
  if (providerMessageId === undefined || customer === null) {
    return ignored('a message without id or sender')
  }
  const replyToProviderId = readText(readFields(message.context).id)
  return {
    kind: 'message',
    route,
    providerMessageId,
    customer,
    ...readContent(message),
    at: readSeconds(message.timestamp),
    ...(replyToProviderId === undefined ? {} : { replyToProviderId }),
  }
}

/** Reads the field `smb_message_echoes`: messages that the owner sent from the provider's app. */
function readEchoes(change: Change): ProviderEvent[] {
  return readList(change.value.message_echoes).map((item) => readEcho(change, item))
}

function readEcho({ route, contacts }: Change, item: unknown): ProviderEvent {
  const message = readFields(item)
  const other = readOtherItem(message, route, 'business')
  if (other) {
    return other
  }
  const providerMessageId = readText(message.id)
  const customer = readCustomer(
    { number: message.to, userId: message.to_user_id, parentUserId: message.to_parent_user_id },
    contacts,
  )
  if (providerMessageId === undefined || customer === null) {
    return ignored('an echo without id or recipient')
  }
  const { type, text, media, place, details } = readContent(message)
  const at = readSeconds(message.timestamp)
  const extras = { ...(media && { media }), ...(place && { place }), ...(details && { details }) }
  const content = { type, text, ...extras }
  return { kind: 'echo', route, providerMessageId, customer, ...content, at }
}

/** The provider's values of a customer's choice; true means that the customer wants marketing. */
const MARKETING_CHOICES = new Map<unknown, boolean>([
  ['stop', false],
  ['resume', true],
])

/** Reads the field `user_preferences`: a customer's choice about marketing from the number, made in WhatsApp. */
function readPreferences({ route, contacts, value }: Change): ProviderEvent[] {
  return readList(value.user_preferences).map((item): ProviderEvent => {
    const { wa_id: number, user_id: userId, category, value: word, timestamp } = readFields(item)
    const customer = readCustomer({ number, userId, parentUserId: undefined }, contacts)
    const isWanted = MARKETING_CHOICES.get(word)
    if (category !== 'marketing_messages' || isWanted === undefined || customer === null) {
      return ignored('a preference that is not read')
    }
    return { kind: 'marketing', route, customer, isWanted, at: readSeconds(timestamp) }
  })
}

/** Reads the field `smb_app_state_sync`: the address book of the owner's phone. Spec: Channels › Coexistence. */
function readAddressBook({ route, value }: Change): ProviderEvent[] {
  const entries = readList(value.state_sync).flatMap((item) => {
    const { type, contact: contactFields, action } = readFields(item)
    const contact = readFields(contactFields)
    const customer = readCustomer(
      { number: contact.phone_number, userId: contact.user_id, parentUserId: undefined },
      [],
    )
    if (type !== 'contact' || customer === null) return []
    const name = readText(contact.full_name) ?? readText(contact.first_name) ?? null
    return [{ customer, name, isRemoved: action === 'remove' }]
  })
  return entries.length === 0
    ? [ignored('an address book without people')]
    : [{ kind: 'address_book', route, entries }]
}

type Reader = { read: (change: Change) => ProviderEvent[]; needs: 'route' | 'account' }

/** Readers by `field`, which decides first: a history may contain a list that looks like new messages. */
const READERS = new Map<string, Reader>([
  ['messages', { read: readMessages, needs: 'route' }],
  ['standby', { read: readStandby, needs: 'route' }],
  ['smb_message_echoes', { read: readEchoes, needs: 'route' }],
  ['history', { read: readHistory, needs: 'route' }],
  ['smb_app_state_sync', { read: readAddressBook, needs: 'route' }],
  ['user_preferences', { read: readPreferences, needs: 'route' }],
  ['user_id_update', { read: readUserIdUpdates, needs: 'route' }],
  ['message_template_status_update', { read: readTemplateStatus, needs: 'account' }],
  ['template_category_update', { read: readTemplateCategory, needs: 'account' }],
  ['account_update', { read: readAccountUpdate, needs: 'account' }],
])

/** The names of webhook fields that the parser accepts. Spec: Provider forms › WhatsApp. @internal */
export const WHATSAPP_FIELDS: readonly string[] = [...READERS.keys()]

/**
 * Reads the field `standby`: messages of customers while another sender, such as Meta's own agent, answers them, and
 * that sender's messages.
 */
function readStandby(change: Change): ProviderEvent[] {
  return [...readMessages(change), ...readEchoes(change)]
}

/**
 * Returns the events of a WhatsApp webhook, in the order of the body. Pure and total: any bytes yield a list, without
 * an exception. The bytes must be verified. `receivedAt` dates receipts without a time.
 * Spec: Events › Payloads; Concepts › Phone and WhatsApp ids.
 */
export function parseWhatsAppWebhook(
  rawBody: Uint8Array,
  context: { receivedAt: Date },
): ProviderEvent[] {
  const envelope = readFields(readProviderJson(rawBody))
  if (envelope.object !== 'whatsapp_business_account') {
    return [ignored('not a WhatsApp webhook')]
  }
  return readList(envelope.entry)
    .map(readFields)
    .flatMap((entry) =>
      readList(entry.changes).flatMap((item) => {
        const change = readChange(entry, item, context.receivedAt)
        const reader = READERS.get(change.field)
        if (reader === undefined) {
          return [ignored('a field that is not read', change.field)]
        }
        return reader.needs === 'route' && change.route === ''
          ? [ignored('a change without a phone number id', change.field)]
          : reader.read(change)
      }),
    )
}
