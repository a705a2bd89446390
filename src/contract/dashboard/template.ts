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
  /** As the provider writes it: `APPROVED`, `PAUSED`, … */
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
  /** The words of the template as the provider lists them. */
  header: string | null
  body: string | null
  /** What a step must give a value for; `unsupported` says why a flow cannot send it. */
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
  /** Whatever its language, as a step takes the customer's. */
  usedBy: TemplateUse[]
  /** Of this language, in seven days; both are counted up to 10,000. Tries that failed are counted each. */
  week: { sent: number; failed: number }
}

export type SyncedTemplates = { templates: number }
