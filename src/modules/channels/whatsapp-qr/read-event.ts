/**
 * Conversion of the bridge's events: pure and total. They are the events of Baileys, with its names and fields. Only
 * `notify` is live; `append` is a backlog or the owner's own messages.
 */
import { MESSAGING_LIMITS } from '../../../core/limits/messaging.ts'
import type { ProviderEvent } from '../inbound.ts'
import { readFields, readId, readList, readText, type Fields } from '../provider/read-values.ts'
import { ourReferenceIn } from './message-id.ts'
import { readContent, unwrap, type QrNoMessage } from './read-content.ts'
import {
  readCustomer,
  readLidJid,
  readNumberJid,
  readRecipient,
  whyNoCustomer,
  type OwnIds,
} from './read-jid.ts'

/** The context in which an event is converted: its channel, its time and the ids of the owner. */
export type QrEventContext = {
  route: string
  receivedAt: Date
  /** The last time when the number was known to be linked: late messages written since then were missed. */
  missedSince: Date | null
  /** The ids of the owner, whose chat with themselves is ignored. */
  own: OwnIds
}

/** Returns the provider events of an event of the bridge. */
export function readQrEvent(event: unknown, context: QrEventContext): ProviderEvent[] {
  const { event: name, data } = readFields(event)
  switch (name) {
    case 'messages.upsert': {
      const { type, messages } = readFields(data)
      const isLive = type === 'notify'
      return readList(messages).map((item) => readMessage(readFields(item), isLive, context))
    }
    case 'lid-mapping.update':
      return [readMapping(readFields(data), context)]
    default:
      return [ignored(`an event ${(readText(name) ?? '').slice(0, 60)}`)]
  }
}

/** Returns whether an event is part of a backlog: neither live nor an echo of this service's message. */
export function isOfBacklog(event: unknown): boolean {
  const { event: name, data } = readFields(event)
  const { type, messages } = readFields(data)
  if (name !== 'messages.upsert' || type === 'notify') return false
  return readList(messages).some(
    (item) => ourReferenceIn(readText(readFields(readFields(item).key).id) ?? '') === undefined,
  )
}

const ignored = (why: string): ProviderEvent => ({ kind: 'ignored', why })

function readMessage(item: Fields, isLive: boolean, context: QrEventContext): ProviderEvent {
  const { route, receivedAt } = context
  const key = readFields(item.key)
  const providerMessageId = readText(key.id)
  if (providerMessageId === undefined) return ignored('a message without id')
  const at = readTime(item.messageTimestamp)
  const isOurs = key.fromMe === true
  const ourReference = isOurs ? ourReferenceIn(providerMessageId) : undefined
  if (ourReference !== undefined) {
    return {
      kind: 'receipt',
      route,
      providerMessageId,
      status: 'sent',
      ourReference,
      at: at ?? receivedAt,
    }
  }
  const ignoredReason = whyNoCustomer(key.remoteJid)
  if (ignoredReason !== null) return ignored(ignoredReason)
  const content = readContent(item.message)
  if ('noMessage' in content) return asNoMessage(content.noMessage, { route, isOurs, at })
  const ids = readCustomer(key)
  if (ids === null) return ignored('a message of nobody')
  const recipient = isOurs ? readRecipient(key.remoteJid, ids, context.own) : null
  if (isOurs && recipient === null) return ignored('what the owner wrote to no customer')
  if (!isLive && !wasMissed(at, context)) return ignored('a message of before')
  if (recipient !== null) {
    return { kind: 'echo', route, providerMessageId, customer: recipient, ...content.message, at }
  }
  const profileName = readText(item.pushName)
  const customer = profileName === undefined ? ids : { ...ids, profileName }
  const quoted = readQuoted(item.message)
  return {
    kind: 'message',
    route,
    providerMessageId,
    customer,
    ...content.message,
    at,
    ...(quoted !== undefined && { replyToProviderId: quoted }),
  }
}

function asNoMessage(
  change: QrNoMessage,
  { route, isOurs, at }: { route: string; isOurs: boolean; at: Date | null },
): ProviderEvent {
  if (change.what === 'ignored') return ignored(change.why)
  const { of: ofProviderId, ...fields } = change
  if (ofProviderId === undefined) return ignored(`a ${change.what} of no message`)
  const by = isOurs ? 'business' : 'customer'
  return { kind: 'annotation', route, ofProviderId, by, at, ...fields }
}

function wasMissed(at: Date | null, { missedSince }: QrEventContext): boolean {
  return at !== null && missedSince !== null && at > missedSince
}

/** Returns the id of the quoted message, from any kind of content. */
function readQuoted(message: unknown): string | undefined {
  for (const body of Object.values(unwrap(message))) {
    const quoted = readText(readFields(readFields(body).contextInfo).stanzaId)
    if (quoted !== undefined) return quoted
  }
  return undefined
}

/** Reads that the number of an `@lid` id is known. */
function readMapping({ lid, pn }: Fields, { route }: QrEventContext): ProviderEvent {
  const [known, number] = [readLidJid(lid), readNumberJid(pn)]
  if (known === undefined || number === undefined) return ignored('a mapping of nobody')
  const after = { number, lid: known }
  return { kind: 'identity', what: 'mapping', route, before: {}, after, at: null }
}

const YEAR_10000_S = 253_402_300_800

/** Parses seconds: a number, digits, or the two halves of a `Long`. */
function readTime(value: unknown): Date | null {
  const { low, high } = readFields(value)
  const seconds =
    typeof low === 'number' && typeof high === 'number'
      ? high * 2 ** 32 + (low >>> 0)
      : Number(readId(value) ?? Number.NaN)
  const isTime = seconds * 1_000 >= MESSAGING_LIMITS.earliestMs && seconds < YEAR_10000_S
  return isTime ? new Date(Math.floor(seconds * 1_000)) : null
}
