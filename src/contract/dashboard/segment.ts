/** Named filters of contacts. Spec: Contacts › Segments. */
import { limitEntries } from '../../schemas/limit-entries.ts'
import { z } from 'zod'
import { CONTACT_LIMITS, SEGMENT_LIMITS } from '../../core/limits/contacts.ts'
import { CONTACT_SOURCES } from '../../core/vocabulary/contacts.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { tagText } from './contact.ts'
import { formText } from '../../schemas/form-text.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { List } from './page.ts'
import type { Route } from './route.ts'

const tags = z.array(tagText).min(1).max(CONTACT_LIMITS.tags)
const days = z.int().min(1).max(SEGMENT_LIMITS.days)

/** A filter of contacts, who must match all its parts. */
export const SegmentFilter = z
  .strictObject({
    /** The contact has all of these tags. */
    tags,
    /** The contact has none of these tags. */
    withoutTags: tags,
    /** The contact has these values of custom fields, by key. */
    fields: limitEntries(z.record(z.string(), formText(1, CONTACT_LIMITS.fieldValueChars)), {
      max: CONTACT_LIMITS.fields,
      unit: 'fields',
    }),
    language: z.enum(LANGUAGES),
    source: z.enum(CONTACT_SOURCES),
    optedOut: z.boolean(),
    /** The contact has a conversation on this channel. */
    channelId: uuidInput,
    wroteWithinDays: days,
    /** The contact has not written for this long, or never. */
    silentForDays: days,
  })
  .partial()
export type SegmentFilter = z.output<typeof SegmentFilter>

const name = formText(1, SEGMENT_LIMITS.nameChars)

export const CreateSegment = z.strictObject({ name, filter: SegmentFilter })
export type CreateSegment = z.output<typeof CreateSegment>

/** The fields to change. A given filter replaces the stored one as a whole. */
export const EditSegment = z.strictObject({ name, filter: SegmentFilter }).partial()
export type EditSegment = z.output<typeof EditSegment>

export const CountSegment = z.strictObject({ filter: SegmentFilter })

export type SegmentView = { id: string; name: string; filter: SegmentFilter }

export interface SegmentRoutes {
  '/companies/:companyId/segments': {
    get: Route<List<SegmentView>>
    post: Route<SegmentView, { json: typeof CreateSegment }>
  }
  '/companies/:companyId/segments/count': {
    post: Route<{ count: number }, { json: typeof CountSegment }>
  }
  '/companies/:companyId/segments/:segmentId': {
    patch: Route<SegmentView, { json: typeof EditSegment }>
    delete: Route<null>
  }
}
