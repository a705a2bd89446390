/** The fields that the form of a website sends. Spec: Channels › The website's form. */
import { emailInput } from '../schemas/email-input.ts'
import { z } from 'zod'
import { ENQUIRY_LIMITS } from '../core/limits/visitors.ts'
import { formText } from '../schemas/form-text.ts'
import { ruleCode } from '../schemas/broken-rule.ts'
import { timeInput } from '../schemas/time-input.ts'

/** Treats an empty form field as left out. */
const orNone = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    schema.nullish(),
  )
/**
 * A visitor's enquiry by the form on a merchant's website. `leadId` is chosen by the page: an enquiry that is sent
 * twice counts once. `homepage` is a honeypot that only robots fill in. `openedAt` is the time at which the form was
 * shown.
 */
export const Enquiry = z.strictObject({
  channelToken: z.string().max(ENQUIRY_LIMITS.idChars).optional(),
  leadId: orNone(
    z
      .string()
      .regex(/^[A-Za-z0-9_-]+$/, ruleCode('wrong_id'))
      .max(ENQUIRY_LIMITS.idChars),
  ),
  page: orNone(z.url({ protocol: /^https?$/ }).max(ENQUIRY_LIMITS.pageChars)),
  submittedAt: orNone(timeInput),
  openedAt: orNone(timeInput),
  fields: z.strictObject({
    name: orNone(formText(1, ENQUIRY_LIMITS.nameChars)),
    email: orNone(emailInput),
    phone: orNone(formText(1, ENQUIRY_LIMITS.phoneChars)),
    message: formText(1, ENQUIRY_LIMITS.messageChars),
    homepage: z.string().optional(),
  }),
})
export type Enquiry = z.output<typeof Enquiry>
