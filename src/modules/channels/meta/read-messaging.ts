/**
 * Webhooks of Messenger and Instagram: an `entry` for each page or account, with a list of items. Each item is one
 * event between a customer and the page; its field names the kind.
 */
import type { ProviderEvent } from '../inbound.ts'
import { readFields, readId, readList, type Fields } from '../provider/read-values.ts'
import { readJson } from '../../../rules/text/json-text.ts'
import { readMessagingItem } from './read-messaging-item.ts'

/** A messaging product of Meta. */
export type MessagingProduct = {
  /** The `object` of the envelope: `page` or `instagram`. */
  object: string
}

/**
 * Names of the lists of an entry whose items are read. `standby` contains what people wrote while another app controls
 * the thread.
 */
export const MESSAGING_LISTS = ['messaging', 'standby'] as const

/**
 * Returns the events of a webhook, in the order of the body. Pure and total: any bytes yield a list, without an
 * exception. The bytes must be verified. Test events of Meta's developer pages come as `changes`.
 */
export function parseMessaging(
  rawBody: Uint8Array,
  { object }: MessagingProduct,
  { receivedAt }: { receivedAt: Date },
): ProviderEvent[] {
  // Ids may be numbers beyond the precision of a double.
  const read = readJson(new TextDecoder().decode(rawBody))
  const envelope = read.ok ? readFields(read.value) : {}
  if (envelope.object !== object) return [{ kind: 'ignored', why: `not a webhook of ${object}` }]
  return readList(envelope.entry)
    .map(readFields)
    .flatMap((entry) =>
      itemsOf(entry).flatMap((item) =>
        readMessagingItem(item, { route: routeOf(entry, item), entry, receivedAt }),
      ),
    )
}

function itemsOf(entry: Fields): Fields[] {
  const listed = MESSAGING_LISTS.flatMap((list) => readList(entry[list]).map(readFields))
  const changed = readList(entry.changes)
    .map((change) => readFields(readFields(change).value))
    // Changes of posts and comments have no sender and recipient.
    .filter(({ sender, recipient }) => sender !== undefined && recipient !== undefined)
  return [...listed, ...changed]
}

/** Test events have no id in their entry: the item names the page. */
function routeOf(entry: Fields, item: Fields): string {
  const id = readId(entry.id) ?? ''
  if (id !== '' && id !== '0') return id
  const isEcho = readFields(item.message).is_echo === true
  return readId(readFields(isEcho ? item.sender : item.recipient).id) ?? ''
}
