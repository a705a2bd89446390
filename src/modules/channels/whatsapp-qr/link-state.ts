/** How a number stands with its phone, as the bridge tells it and as it is kept for whoever looks. */
import { readFields, readId, readJson, readText } from '../provider/read-values.ts'
import { readLidJid } from './read-jid.ts'

/**
 * `pairing`: a code is shown to be scanned; `expired`: nobody scanned one; `connecting`: it is linked, and
 * WhatsApp is not reached for the moment; `logged_out`: the phone has removed it, its keys are worth nothing;
 * `replaced`: the same keys are used elsewhere; `banned`: WhatsApp has closed the number.
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
export type LinkStatus = (typeof LINK_STATUSES)[number]

export type LinkState = {
  status: LinkStatus
  /** What the picture holds, and until when it can be scanned, in ms since 1970. */
  qr?: string
  qrUntil?: number
  /** Digits without `+`. */
  number?: string
  /** The number's own `@lid` id, from a bridge that tells it. */
  lid?: string
  /** Why the last connection ended, by WhatsApp's own number. */
  code?: string
}

/** Under which name a channel keeps it. */
export const LINK_NAME = 'link'

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

export function readKeptLink(kept: string | undefined): LinkState | null {
  return kept === undefined ? null : readLinkState(readJson(kept))
}
