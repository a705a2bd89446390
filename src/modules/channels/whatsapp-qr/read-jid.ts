/** Addresses (JIDs) of WhatsApp's own protocol: `9665…@s.whatsapp.net`, `123…@lid`. */
import type { CustomerRef } from '../inbound.ts'
import { isPossibleNumber } from '../../../rules/messaging/phone-reading.ts'
import { readText } from '../provider/read-values.ts'

type Jid = { user: string; server: string }

/** Parses an address without its device: `16505551234:12@s.whatsapp.net` is `16505551234`. */
function readJid(value: unknown): Jid | null {
  const found = /^([^@:_]*)(?:_\d+)?(?::\d+)?@([a-z.]+)$/.exec(readText(value) ?? '')
  return found ? { user: found[1]!, server: found[2]! } : null
}

const NUMBER_SERVERS = new Set(['s.whatsapp.net', 'c.us', 'hosted'])
const LID_SERVERS = new Set(['lid', 'hosted.lid'])

function idOf(jid: Jid | null): Pick<CustomerRef, 'number' | 'lid'> {
  if (!jid) return {}
  if (NUMBER_SERVERS.has(jid.server)) {
    if (!/^[1-9]\d{4,14}$/.test(jid.user)) return {}
    // Digits that cannot be a number are an internal id in the form of a number's address.
    return isPossibleNumber(jid.user) ? { number: jid.user } : { lid: `${jid.user}@lid` }
  }
  const isLid = LID_SERVERS.has(jid.server) && /^\d{1,20}$/.test(jid.user)
  return isLid ? { lid: `${jid.user}@lid` } : {}
}

/** Returns the number in an address; undefined without one. */
export function readNumberJid(value: unknown): string | undefined {
  return idOf(readJid(value)).number
}

/** Returns the `@lid` id in an address; undefined for others. */
export function readLidJid(value: unknown): string | undefined {
  return idOf(readJid(value)).lid
}

/** Returns why an address is not a person's, else null. */
export function whyNoCustomer(remoteJid: unknown): string | null {
  const jid = readJid(remoteJid)
  if (!jid) return 'a message of no address'
  if (jid.server === 'g.us') return 'a group message'
  if (jid.server === 'newsletter') return 'a post of a channel'
  if (jid.server === 'broadcast') return jid.user === 'status' ? 'a status' : null
  const id = idOf(jid)
  return (id.number ?? id.lid) ? null : 'an address of nobody'
}

/**
 * Returns the customer of a message's key: by number and `@lid` id, as far as the key contains them; null without
 * either. A customer's broadcast list is a separate chat, whose participant is the sender.
 */
export function readCustomer(key: {
  remoteJid?: unknown
  remoteJidAlt?: unknown
  participant?: unknown
  participantAlt?: unknown
}): CustomerRef | null {
  const isList = readJid(key.remoteJid)?.server === 'broadcast'
  const [jid, other] = isList
    ? // For groups, Baileys returns the sender's other id here; for other chats, in the other field.
      [key.participant, key.participantAlt ?? key.remoteJidAlt]
    : [key.remoteJid, key.remoteJidAlt]
  const ids = { ...idOf(readJid(other)), ...idOf(readJid(jid)) }
  return ids.number === undefined && ids.lid === undefined ? null : ids
}

/** The known ids of the linked number itself. */
export type OwnIds = { number?: string | undefined; lid?: string | undefined }

/** Returns the customer to which the owner writes; null for a broadcast list, or the owner. */
export function readRecipient(
  remoteJid: unknown,
  ids: CustomerRef,
  own: OwnIds,
): CustomerRef | null {
  if (readJid(remoteJid)?.server === 'broadcast') return null
  if (ids.lid !== undefined && ids.lid === own.lid) return null
  if (ids.number === undefined || ids.number !== own.number) return ids
  // The lid is certainly another person's, so the number belongs to the sender.
  return ids.lid !== undefined && own.lid !== undefined ? { lid: ids.lid } : null
}
