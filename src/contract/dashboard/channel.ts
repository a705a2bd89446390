import { z } from 'zod'
import { CHANNEL_LIMITS } from '../../limits.ts'
import { isCountry } from '../../rules/country-of-number.ts'
import type { ChannelType } from '../../vocabulary.ts'
import { formText } from './text.ts'

const name = formText(1, CHANNEL_LIMITS.nameChars)
const providerId = z.string().regex(/^[0-9]{1,32}$/, 'must be the digits that WhatsApp shows')
const secretText = (least: number, most: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'must have no spaces, line breaks or letters beyond ASCII')
    .min(least)
    .max(most)
const number = z
  .string()
  .regex(/^[1-9][0-9]{4,14}$/, 'must be digits with the country code and without +')
const country = z
  .string()
  .refine(isCountry, { error: 'must be the two letters of a country, such as SA' })

const takeOverHours = z
  .int()
  .min(CHANNEL_LIMITS.takeOverHoursLeast)
  .max(CHANNEL_LIMITS.takeOverHoursMost)

const fields = {
  name,
  phoneNumberId: providerId,
  businessAccountId: providerId,
  accessToken: secretText(1, CHANNEL_LIMITS.accessTokenChars),
  appSecret: secretText(1, CHANNEL_LIMITS.appSecretChars),
  verifyToken: secretText(CHANNEL_LIMITS.verifyTokenLeastChars, CHANNEL_LIMITS.verifyTokenChars),
  displayNumber: number,
  country,
}

/** Without a country it is read from the number; without a verify token one is made. */
export const ConnectChannel = z.strictObject(fields).partial({ verifyToken: true, country: true })
export type ConnectChannel = z.output<typeof ConnectChannel>

/** Only what is named changes. Another `phoneNumberId` needs `accessToken` and `appSecret` again. */
export const EditChannel = z.strictObject({ ...fields, takeOverHours }).partial()
export type EditChannel = z.output<typeof EditChannel>

export type ChannelView = {
  id: string
  type: ChannelType
  name: string | null
  phoneNumberId: string
  businessAccountId: string | null
  displayNumber: string | null
  country: string | null
  isConnected: boolean
  disconnectedReason: string | null
  /** Its provider is the simulator on this machine. */
  isSimulated: boolean
  /** So long after the owner's last reply from the provider's app a conversation is given back. */
  takeOverHours: number
  /** The end of the access token, to tell one from another; null when it is short. */
  accessTokenLastFour: string | null
  /** What the provider's webhook settings need, beside the verify token. */
  webhookUrl: string
  createdAt: string
  updatedAt: string
}

/** The verify token is shown when it is made or changed, and never again. */
export type ConnectedChannel = { channel: ChannelView; verifyToken: string }

export type ChannelCheck =
  | { ok: true; label: string }
  | { ok: false; reason: string; message: string }
