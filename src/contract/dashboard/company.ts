import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { DASHBOARD_LIMITS } from '../../core/limits/http.ts'
import { WEEKDAYS, type Weekday } from '../../rules/flows/opening-hours.ts'
import { isTimeZone } from '../../rules/time/zone.ts'
import { failsWith } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import { wallTime } from './wall-time.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

const name = formText(1, DASHBOARD_LIMITS.companyNameChars)

/** A project to create: a company of the same account with separate channels, flows and endpoints. */
export const CreateProject = z.strictObject({ name })
export type CreateProject = z.output<typeof CreateProject>

const openRange = z
  .strictObject({ from: wallTime, to: wallTime })
  .refine(({ from, to }) => from < to, failsWith(fact('opening_ends_before_it_begins')))

const OpeningHoursInput = z.partialRecord(
  z.enum(WEEKDAYS),
  z.array(openRange).max(DASHBOARD_LIMITS.openRangesOfDay),
)

/** The fields to change. With null as opening hours, the company is open at any time. */
export const EditCompany = z
  .strictObject({
    name,
    timeZone: z.string().refine(isTimeZone, failsWith(fact('wrong_time_zone'))),
    openingHours: OpeningHoursInput.nullable(),
  })
  .partial()
export type EditCompany = z.output<typeof EditCompany>

export type CompanyView = {
  id: string
  name: string | null
  isProject: boolean
  /** IANA name. */
  timeZone: string
  /** Wall times by weekday; null if the company has set none. */
  openingHours: { [Day in Weekday]?: { from: string; to: string }[] | undefined } | null
  createdAt: string
}

export interface CompanyRoutes {
  '/companies': {
    get: Route<Page<CompanyView>, { query: typeof PageQuery }>
    post: Route<CompanyView, { json: typeof CreateProject }>
  }
  '/companies/:companyId': { patch: Route<CompanyView, { json: typeof EditCompany }> }
}
