import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { SITE_LIMITS } from '../../core/limits/visitors.ts'
import { readOrigin } from '../../rules/addresses/site-origin.ts'
import { FORM_FIELDS, type FormField } from '../../core/vocabulary/visitors.ts'
import { failsWith, factIssue, ruleCode } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import type { Route } from './route.ts'

const origin = z
  .string()
  .max(SITE_LIMITS.originChars)
  .transform((text, check) => {
    const read = readOrigin(text)
    if (read !== null) return read
    check.addIssue(factIssue(fact('wrong_origin_of_site')))
    return z.NEVER
  })

/** The first message that the widget shows. An empty one is stored as null. */
const greeting = formText(0, SITE_LIMITS.greetingChars)
  .transform((text) => (text === '' ? null : text))
  .nullable()

/** A confirmation of the client, because an erasure is final. */
export const EraseVisitor = z.strictObject({ confirm: z.literal(true) })

/** The fields to change. `origins` lists the websites that may embed the widget, each once. */
export const EditSite = z
  .strictObject({
    origins: z
      .array(origin)
      .max(SITE_LIMITS.origins)
      .refine((all) => new Set(all).size === all.length, failsWith(fact('value_twice'))),
    accent: z
      .string()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, ruleCode('wrong_colour'))
      .nullable(),
    greetingEn: greeting,
    greetingAr: greeting,
    asksName: z.enum(FORM_FIELDS),
    asksEmail: z.enum(FORM_FIELDS),
  })
  .partial()
export type EditSite = z.output<typeof EditSite>

export type SiteView = {
  /** The key that identifies the widget or form in the merchant's page. */
  key: string
  origins: string[]
  accent: string | null
  greetingEn: string | null
  greetingAr: string | null
  asksName: FormField
  asksEmail: FormField
  /** The code to paste into the page. */
  snippet: string
  /** The URL to which a program or a form of the merchant posts enquiries; null for a widget. */
  enquiriesUrl: string | null
}

export interface SiteRoutes {
  '/companies/:companyId/channels/:channelId/site': {
    get: Route<SiteView>
    patch: Route<SiteView, { json: typeof EditSite }>
  }
}
