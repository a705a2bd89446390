/** Who wrote, by the addresses (JIDs) of WhatsApp's own protocol: `9665…@s.whatsapp.net`, `123…@lid`. */
import type { CustomerRef } from '../inbound.ts'
import { canBeNumber } from '../../../rules/messaging/phone-reading.ts'
import { readText } from '../provider/read-values.ts'

type Jid = { user: string; server: string }

/** Without the device of a linked one: `16505551234:12@s.whatsapp.net` is `16505551234`. */
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
    // Digits that can be no number are an id of the protocol's own, under an address of numbers.
    return canBeNumber(jid.user) ? { number: jid.user } : { lid: `${jid.user}@lid` }
  }
  const isLid = LID_SERVERS.has(jid.server) && /^\d{1,20}$/.test(jid.user)
  return isLid ? { lid: `${jid.user}@lid` } : {}
}

/** The number in an address; undefined where it holds none. */
export function readNumberJid(value: unknown): string | undefined {
  return idOf(readJid(value)).number
}

/** The `@lid` id in an address; undefined where it is another. */
export function readLidJid(value: unknown): string | undefined {
  return idOf(readJid(value)).lid
}

/** What an address is of, where it is not of a person. */
export function whyNobody(remoteJid: unknown): string | null {
  const jid = readJid(remoteJid)
  if (!jid) return 'a message of no address'
  if (jid.server === 'g.us') return 'a group message'
  if (jid.server === 'newsletter') return 'a post of a channel'
  if (jid.server === 'broadcast') return jid.user === 'status' ? 'a status' : null
  const id = idOf(jid)
  return (id.number ?? id.lid) ? null : 'an address of nobody'
}

/**
 * The customer of a message's key: by number and by `@lid` id, as far as the key tells both. A customer's
 * broadcast list is a chat of its own, in which the participant is who wrote.
 */
export function readCustomer(key: {
  remoteJid?: unknown
  remoteJidAlt?: unknown
  participant?: unknown
  participantAlt?: unknown
}): CustomerRef | null {
  const isList = readJid(key.remoteJid)?.server === 'broadcast'
  const [jid, other] = isList
    ? // Baileys gives a sender's other id here in groups alone, and there in all other chats.
      [key.participant, key.participantAlt ?? key.remoteJidAlt]
    : [key.remoteJid, key.remoteJidAlt]
  const ids = { ...idOf(readJid(other)), ...idOf(readJid(jid)) }
  return ids.number === undefined && ids.lid === undefined ? null : ids
}

/** Of the linked number itself, as far as they are known. */
export type OwnIds = { number?: string | undefined; lid?: string | undefined }

/** The customer whom the owner writes to; null where it is a list of theirs, or themselves. */
export function readRecipient(
  remoteJid: unknown,
  ids: CustomerRef,
  own: OwnIds,
): CustomerRef | null {
  if (readJid(remoteJid)?.server === 'broadcast') return null
  if (ids.lid !== undefined && ids.lid === own.lid) return null
  if (ids.number === undefined || ids.number !== own.number) return ids
  // The lid is surely another's, so the number beside it is that of who wrote.
  return ids.lid !== undefined && own.lid !== undefined ? { lid: ids.lid } : null
}
