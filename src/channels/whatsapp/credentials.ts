import { ruleOf } from '../../contract/broken-rule.ts'
import { z } from 'zod'
import { CHANNEL_LIMITS } from '../../limits/messaging.ts'
import type { CredentialsForm } from '../channel-adapter.ts'

const providerId = z.string().regex(/^[0-9]{1,32}$/, ruleOf('wrong_provider_id'))
const secretText = (least: number, most: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]*$/, ruleOf('not_printable'))
    .min(least)
    .max(most)

export const WHATSAPP_FORM = {
  fields: z.strictObject({
    phoneNumberId: providerId,
    businessAccountId: providerId,
    displayNumber: z.string().regex(/^[1-9][0-9]{4,14}$/, ruleOf('wrong_phone_digits')),
    accessToken: secretText(1, CHANNEL_LIMITS.accessTokenChars),
    appSecret: secretText(1, CHANNEL_LIMITS.appSecretChars),
    verifyToken: secretText(
      CHANNEL_LIMITS.verifyTokenLeastChars,
      CHANNEL_LIMITS.verifyTokenChars,
    ).optional(),
  }),
  secrets: { accessToken: 'speaks', appSecret: 'signs', verifyToken: 'ours' },
} as const satisfies CredentialsForm

/** What the channel's row keeps encrypted. */
export type WhatsAppCredentials = { accessToken: string; appSecret: string; verifyToken: string }
