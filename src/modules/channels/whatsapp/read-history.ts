import type { CustomerRef, ProviderEvent } from '../inbound.ts'
import { ignored } from './read-change.ts'
import type { Change } from './read-change.ts'
import { readContent, readOtherItem } from './read-content.ts'
import { readCustomer } from './read-customer.ts'
import {
  readDigits,
  readFields,
  readId,
  readList,
  readSeconds,
  readText,
} from '../provider/read-values.ts'
import type { Fields } from '../provider/read-values.ts'

type PastMessage = Extract<ProviderEvent, { kind: 'history' }>['messages'][number]

/**
 * Reads the field `history`: messages from before the number was connected, in threads, or (for their media) in a
 * `messages` list that looks like new ones. Everything becomes a single event, which triggers nothing.
 */
export function readHistory(change: Change): ProviderEvent[] {
  const threads = readList(change.value.history)
    .flatMap((chunk) => readList(readFields(chunk).threads))
    .map(readFields)
  const messages = [
    ...threads.flatMap((thread) =>
      readList(thread.messages).flatMap((item) => readPast(change, item, thread)),
    ),
    ...readList(change.value.messages).flatMap((item) => readPast(change, item, null)),
  ]
  const chunks = readList(change.value.history).map(readFields)
  const progress = chunks.flatMap(readProgress).at(-1)
  const isDeclined = chunks.some(wasDeclined)
  if (messages.length === 0 && !progress && !isDeclined) {
    return [ignored('a history without messages')]
  }
  return [
    {
      kind: 'history',
      route: change.route,
      messages,
      ...(progress && { progress }),
      ...(isDeclined && { isDeclined }),
    },
  ]
}

const DECLINED_CODE = '2593109'

function wasDeclined(chunk: Fields): boolean {
  return readList(chunk.errors).some((error) => readId(readFields(error).code) === DECLINED_CODE)
}

function readProgress(chunk: Fields): { phase: number; percent: number }[] {
  const { phase, progress } = readFields(chunk.metadata)
  const isValid = [0, 1, 2].includes(phase as number) && Number.isInteger(progress)
  if (!isValid) return []
  return [{ phase: phase as number, percent: Math.min(Math.max(progress as number, 0), 100) }]
}

function readPast(change: Change, item: unknown, thread: Fields | null): PastMessage[] {
  const message = readFields(item)
  const providerMessageId = readText(message.id)
  const isOutbound = change.ownNumber !== undefined && readDigits(message.from) === change.ownNumber
  const customer = readOtherSide(change, message, thread, isOutbound)
  const isMessage =
    message.type !== 'system' && readOtherItem(message, change.route, 'customer') === undefined
  if (providerMessageId === undefined || customer === null || !isMessage) {
    return []
  }
  const { type, text, media, place, details } = readContent(message)
  const at = readSeconds(message.timestamp)
  const extras = { ...(media && { media }), ...(place && { place }), ...(details && { details }) }
  const content = { type, text, ...extras }
  return [{ providerMessageId, customer, outbound: isOutbound, ...content, at }]
}

function readOtherSide(
  { contacts }: Change,
  message: Fields,
  thread: Fields | null,
  isOutbound: boolean,
): CustomerRef | null {
  const ids = isOutbound
    ? { number: message.to, userId: message.to_user_id, parentUserId: message.to_parent_user_id }
    : {
        number: message.from,
        userId: message.from_user_id,
        parentUserId: message.from_parent_user_id,
      }
  if (thread === null) {
    return readCustomer(ids, contacts)
  }
  // A thread is named after its customer; newer ones have a context with more ids.
  const context = readFields(thread.context)
  return readCustomer(
    {
      number: context.wa_id ?? thread.id ?? ids.number,
      userId: context.user_id ?? ids.userId,
      parentUserId: context.parent_user_id ?? ids.parentUserId,
    },
    contacts,
  )
}
