import type { ProviderEvent } from '../inbound.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readContent, readOtherItem } from './read-content.ts'
import { readCustomer } from './read-customer.ts'
import { readSystemMessage } from './read-identity.ts'
import { readStatus } from './read-statuses.ts'
import { readDigits, readFields, readList, readSeconds, readText } from '../provider/read-values.ts'

/** Reads the field `messages`: customers' messages, then receipts of sent ones. */
export function readMessages(change: Change): ProviderEvent[] {
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
