import type { UnfillablePart } from '../../core/facts/runs.ts'
import { z } from 'zod'
import { PageQuery } from './page.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import { TEMPLATE_FORM } from '../../core/limits/messaging.ts'

export const TemplateQuery = PageQuery.extend({
  channelId: uuidInput.optional(),
  name: z.string().max(TEMPLATE_FORM.nameChars).optional(),
  /** A part of the name, in any case. */
  q: z.string().trim().max(TEMPLATE_FORM.nameChars).optional(),
  /** The status in the provider's words: `APPROVED`, `PAUSED`, … */
  status: z.string().max(TEMPLATE_FORM.statusChars).optional(),
  language: z.string().max(TEMPLATE_FORM.languageChars).optional(),
})
export type TemplateQuery = z.output<typeof TemplateQuery>

export type TemplateView = {
  id: string
  channelId: string
  name: string
  language: string
  category: string
  status: string
  parameterFormat: string
  /** The texts of the template as the provider lists them. */
  header: string | null
  body: string | null
  /** The values that a step must give. `unsupported` says why a flow cannot send the template. */
  slots: {
    header: string | null
    body: string[]
    quickReplies: { index: number; text: string }[]
    urlSuffixes: { index: number; text: string }[]
    unsupported: UnfillablePart | null
  }
  syncedAt: string
}

/** A flow that has a step that sends the template on its channel. */
export type TemplateUse = { id: string; name: string; inPublished: boolean; inDraft: boolean }

export type ListedTemplate = TemplateView & {
  /** The flows that use the template in any language, because a step takes the customer's. */
  usedBy: TemplateUse[]
  /** Figures of this language over seven days, each counted up to 10,000. Every failed attempt counts. */
  week: { sent: number; failed: number }
}

export type SyncedTemplates = { templates: number }
