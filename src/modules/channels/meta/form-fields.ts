import { z } from 'zod'
import { ruleCode } from '../../../schemas/broken-rule.ts'
import { CHANNEL_LIMITS } from '../../../core/limits/messaging.ts'

/** The schema of an id as Meta's pages show it. */
export const providerId = z.string().regex(/^[0-9]{1,32}$/, ruleCode('wrong_provider_id'))

const secretText = (minChars: number, maxChars: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]*$/, ruleCode('not_printable'))
    .min(minChars)
    .max(maxChars)

/** The schemas of the secrets that every product of Meta needs. */
export const metaSecrets = {
  accessToken: secretText(1, CHANNEL_LIMITS.accessTokenChars),
  appSecret: secretText(1, CHANNEL_LIMITS.appSecretChars),
  verifyToken: secretText(
    CHANNEL_LIMITS.minVerifyTokenChars,
    CHANNEL_LIMITS.verifyTokenChars,
  ).optional(),
}

/** The use of each of these secrets. */
export const META_SECRET_USES = {
  accessToken: 'authenticates',
  appSecret: 'verifies',
  verifyToken: 'confirms',
} as const

/** The secrets of a Meta channel, decrypted; they are stored encrypted. */
export type MetaCredentials = { accessToken: string; appSecret: string; verifyToken: string }
