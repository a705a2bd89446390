import type { ProviderEvent } from '../inbound.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readContent, readOtherItem } from './read-content.ts'
import { readCustomer } from './read-customer.ts'
import { readFields, readList, readSeconds, readText } from '../provider/read-values.ts'

/** Reads the field `smb_message_echoes`: messages that the owner sent from the provider's app. */
export function readEchoes(change: Change): ProviderEvent[] {
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
