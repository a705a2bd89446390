/** Secret addresses at which members' calendars read appointments. Spec: Appointments › Calendars. */
import { z } from 'zod'
import { uuidInput } from '../../schemas/uuid-input.ts'

export const MakeCalendarLink = z.strictObject({
  /** Of this person or room; null: of all. */
  resourceId: uuidInput.nullable().default(null),
})
export type MakeCalendarLink = z.output<typeof MakeCalendarLink>

export type CalendarLinkView = { id: string; resourceId: string | null; createdAt: string }

/** `url` is told once, and kept nowhere. */
export type MadeCalendarLink = CalendarLinkView & { url: string }
