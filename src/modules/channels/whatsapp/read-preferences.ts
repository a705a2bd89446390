import type { ProviderEvent } from '../inbound.ts'
import { readFields, readList, readSeconds } from '../provider/read-values.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readCustomer } from './read-customer.ts'

/** The provider's values: whether the customer wants marketing. */
const WORDS = new Map<unknown, boolean>([
  ['stop', false],
  ['resume', true],
])

/** Reads the field `user_preferences`: a customer's choice about marketing from the number, made in WhatsApp. */
export function readPreferences({ route, contacts, value }: Change): ProviderEvent[] {
  return readList(value.user_preferences).map((item): ProviderEvent => {
    const { wa_id: number, user_id: userId, category, value: word, timestamp } = readFields(item)
    const customer = readCustomer({ number, userId, parentUserId: undefined }, contacts)
    const isWanted = WORDS.get(word)
    if (category !== 'marketing_messages' || isWanted === undefined || customer === null) {
      return ignored('a preference that is not read')
    }
    return { kind: 'marketing', route, customer, isWanted, at: readSeconds(timestamp) }
  })
}
