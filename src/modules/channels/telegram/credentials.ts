import { z } from 'zod'
import { ruleCode } from '../../../schemas/broken-rule.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import type { CredentialsForm } from '../channel-adapter.ts'

/** Ways of receiving updates: by polling, or by webhook. */
const DELIVERIES = ['polling', 'webhook'] as const

/** The fields by which a member connects a bot, with their rules, and those that are secret. */
export const TELEGRAM_FORM = {
  fields: z.strictObject({
    botToken: z.string().regex(/^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$/, ruleCode('wrong_bot_token')),
    delivery: z.enum(DELIVERIES).optional(),
    webhookSecret: z
      .string()
      .regex(/^[A-Za-z0-9_-]*$/, ruleCode('wrong_webhook_secret'))
      .min(TELEGRAM_LIMITS.minWebhookSecretChars)
      .max(TELEGRAM_LIMITS.webhookSecretChars)
      .optional(),
  }),
  secrets: { botToken: 'authenticates', webhookSecret: 'confirms' },
} as const satisfies CredentialsForm

/** The secrets of a bot, decrypted; they are stored encrypted. */
export type TelegramCredentials = { botToken: string; webhookSecret: string }
