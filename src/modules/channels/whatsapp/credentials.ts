import { ruleOf } from '../../../schemas/broken-rule.ts'
import { z } from 'zod'
import type { CredentialsForm } from '../channel-adapter.ts'
import { metaSecrets, META_SECRET_USES, providerId } from '../meta/form-fields.ts'

/** The form of a number. */
export const WHATSAPP_FORM = {
  fields: z.strictObject({
    phoneNumberId: providerId,
    businessAccountId: providerId,
    displayNumber: z.string().regex(/^[1-9][0-9]{4,14}$/, ruleOf('wrong_phone_digits')),
    ...metaSecrets,
  }),
  secrets: META_SECRET_USES,
} as const satisfies CredentialsForm
