/** The state of the link between a number and its phone, as the bridge reports it and as it is stored. */
import { readFields, readId, readProviderJson, readText } from '../provider/read-values.ts'
import { readLidJid } from './read-jid.ts'

/**
 * The states of a link. A `pairing` link shows a code for scanning; `expired` means that it was not scanned. A
 * `connecting` link cannot reach WhatsApp at present. After `logged_out` the phone has removed the link, and its keys
 * are void. The keys of a `replaced` link are used elsewhere; WhatsApp closed a `banned` number.
 */
const LINK_STATUSES = [
  'pairing',
  'expired',
  'connecting',
  'linked',
  'logged_out',
  'replaced',
  'banned',
] as const
/** A state of a link. */
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** The state of a link. */
export type LinkState = {
  status: LinkStatus
  /** The text of the QR code, and its expiry in ms since 1970. */
  qr?: string
  qrUntil?: number
  /** Digits without `+`. */
  number?: string
  /** The number's own `@lid` id, when the bridge reports it. */
  lid?: string
  /** WhatsApp's code of the reason why the last connection ended. */
  code?: string
}

/** The name under which the state of the link is stored. */
export const LINK_NAME = 'link'

/** Parses the state of the link between number and phone that the bridge reports. */
export function readLinkState(value: unknown): LinkState {
  const fields = readFields(value)
  const { status, qrUntil } = fields
  const lid = readLidJid(fields.lid)
  const [qr, number, code] = [readText(fields.qr), readText(fields.number), readId(fields.code)]
  return {
    status: LINK_STATUSES.find((known) => known === status) ?? 'connecting',
    ...(qr !== undefined && { qr }),
    ...(typeof qrUntil === 'number' && { qrUntil }),
    ...(number !== undefined && /^[1-9]\d{4,14}$/.test(number) && { number }),
    ...(lid !== undefined && { lid }),
    ...(code !== undefined && /^\d{1,4}$/.test(code) && { code }),
  }
}

/** Parses the stored state of the link. Returns null without one. */
export function readStoredLink(kept: string | undefined): LinkState | null {
  return kept === undefined ? null : readLinkState(readProviderJson(kept))
}
