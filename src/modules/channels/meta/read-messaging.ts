/**
 * What Messenger and Instagram post: an `entry` for each page or account, in it a list of items. Each
 * item is one thing that happened between one customer and the page, and says what by the field that it has.
 */
import type { ProviderEvent } from '../inbound.ts'
import { readFields, readId, readList, type Fields } from '../provider/read-values.ts'
import { readJson } from '../../../rules/text/json-text.ts'
import { readMessagingItem } from './read-messaging-item.ts'

export type MessagingProduct = {
  /** Of the envelope: `page` or `instagram`. */
  object: string
}

/** The lists of an entry: `standby` comes where another app has the thread; people wrote all the same. */
export const MESSAGING_LISTS = ['messaging', 'standby'] as const

/**
 * The facts of a webhook, in the order of the body. Pure and total: any bytes give a list, nothing is
 * thrown. Call it on verified bytes only. Test events of Meta's own pages come as `changes`.
 */
export function parseMessaging(
  rawBody: Uint8Array,
  { object }: MessagingProduct,
  { receivedAt }: { receivedAt: Date },
): ProviderEvent[] {
  // Ids may be numbers that no double can hold.
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
    // What happens to posts and comments has no such two sides.
    .filter(({ sender, recipient }) => sender !== undefined && recipient !== undefined)
  return [...listed, ...changed]
}

/** A test event has no entry of its own: its item names us. */
function routeOf(entry: Fields, item: Fields): string {
  const id = readId(entry.id) ?? ''
  if (id !== '' && id !== '0') return id
  const isEcho = readFields(item.message).is_echo === true
  return readId(readFields(isEcho ? item.sender : item.recipient).id) ?? ''
}
