import { z } from 'zod'
import { CHANNEL_LIMITS } from '../../core/limits/messaging.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../core/vocabulary/channels.ts'
import { country } from './phone.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'

/** Read by the form of the channel's type, which its adapter has. */
const credentials = z.record(z.string(), z.unknown())
const fields = {
  name: formText(1, CHANNEL_LIMITS.nameChars),
  country,
  credentials,
}
const takeOverHours = z
  .int()
  .min(CHANNEL_LIMITS.takeOverHoursLeast)
  .max(CHANNEL_LIMITS.takeOverHoursMost)

/**
 * Without a country it is read from the number, where the channel has one. `acceptsRisk` is needed where the
 * provider does not offer to be connected so.
 */
export const ConnectChannel = z
  .strictObject({ type: z.enum(CHANNEL_TYPES), ...fields, acceptsRisk: z.boolean() })
  .partial({ country: true, acceptsRisk: true })
export type ConnectChannel = z.output<typeof ConnectChannel>

/** Only what is named changes. Another channel at the provider needs its secrets again. */
export const EditChannel = z.strictObject({ ...fields, takeOverHours }).partial()
export type EditChannel = z.output<typeof EditChannel>

export type ChannelView = {
  id: string
  type: ChannelType
  name: string | null
  /** The fields of the type's form that are no secrets. */
  credentials: Record<string, string | null>
  /** The ends of the secrets that speak for it, to tell one from another; null where one is short. */
  secretEnds: Record<string, string | null>
  country: string | null
  isConnected: boolean
  disconnectedReason: LocalizedFact | null
  /** Its provider is the simulator on this machine. */
  isSimulated: boolean
  /** So long after the owner's last reply from the provider's app a conversation is given back. */
  takeOverHours: number
  /** What keeps its provider's news from coming although it is connected. */
  problem: LocalizedFact | null
  /** What the provider's webhook settings need, beside what is shown once; null where it does not post. */
  webhookUrl: string | null
  /** The owner uses the number in the provider's own app too. */
  isCoexistence: boolean
  /** How far the history of before has come that such a number brings; null where none was told of. */
  history: { percent: number; isDeclined: boolean; toldAt: string } | null
  /** When a member accepted what the provider does to those who connect it so; null where it offers it. */
  riskAcceptedAt: string | null
  createdAt: string
  updatedAt: string
}

/** How a number that is linked by a code stands with its phone. `qr` is what the picture holds. */
export type ChannelLink = {
  status:
    | 'none'
    | 'pairing'
    | 'expired'
    | 'connecting'
    | 'linked'
    | 'logged_out'
    | 'replaced'
    | 'banned'
  qr: string | null
  qrUntil: string | null
  number: string | null
}

/** Secrets of our own, by field, are shown when they are made or changed, and never again. */
export type ConnectedChannel = { channel: ChannelView; shownOnce: Record<string, string> }

/**
 * `isSubscribed`: the provider says that it posts what happens on the channel to this service; null where it was not
 * asked, because it cannot be or is asked for its news itself.
 */
export type ChannelCheck =
  | { ok: true; label: string; isSubscribed: true | null }
  | { ok: false; reason: LocalizedFact }
