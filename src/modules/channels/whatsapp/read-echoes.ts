import type { ProviderEvent } from '../inbound.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readContent, readWhatIsNoMessage } from './read-content.ts'
import { readCustomer } from './read-customer.ts'
import { readFields, readList, readSeconds, readText } from '../provider/read-values.ts'

/** Field `smb_message_echoes`: what the owner sent from the provider's own app. */
export function readEchoes(change: Change): ProviderEvent[] {
  return readList(change.value.message_echoes).map((item) => readEcho(change, item))
}

function readEcho({ route, contacts }: Change, item: unknown): ProviderEvent {
  const message = readFields(item)
  const other = readWhatIsNoMessage(message, route, 'business')
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
  const beside = { ...(media && { media }), ...(place && { place }), ...(details && { details }) }
  const content = { type, text, ...beside }
  return { kind: 'echo', route, providerMessageId, customer, ...content, at }
}
