import { sql, type Kysely } from 'kysely'
import type { OutsideView } from '../../contract/dashboard/booking-setup.ts'
import type { DB } from '../../infra/database/tables.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import type { HoursChange } from '../../rules/appointments/hours-of-day.ts'
import { isWithinHours } from '../../rules/appointments/slots.ts'
import { wallTextAt } from '../../rules/time/zone.ts'
import { findComing, type ComingPage, type ComingPart } from './find-coming.ts'
import { WEEKDAYS } from '../../rules/flows/opening-hours.ts'

/** The appointments to check: all upcoming ones, or those that a change of hours may affect. */
export type HoursScope = {
  companyId: string
  now: Date
  /** The resource, or null for any. */
  resourceId?: string | null
  /** Calendar days, both included. */
  days?: { first: string; last: string }
}

type Row = Omit<OutsideView, 'startsAt' | 'local' | 'missing'> & {
  startsAt: Date
  endsAt: Date
  takes: { id: string; name: string; zone: string }[]
}
type Openings = { weekday: number; fromMin: number; toMin: number }[]

/**
 * Returns upcoming confirmed appointments with a resource outside its current hours, by start: all of them, or a page.
 * Spec: Appointments › Hours; reading A43.
 */
export async function readOutsideHours(
  db: Kysely<DB>,
  scope: HoursScope,
  page?: ComingPage,
): Promise<OutsideView[]> {
  const openings = await readOpenings(db, scope)
  const changes = await readChanges(db, scope)
  const find = ({ takes, startsAt, endsAt, ...row }: Row): OutsideView | null => {
    const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS
    const missing = takes.filter(({ id, zone }) => {
      const resource = { id, zone, openings: openings.get(id) ?? [] }
      return !isWithinHours(resource, changes, { startsAt, minutes })
    })
    if (missing.length === 0) return null
    const local = wallTextAt(row.zone, startsAt)
    const names = missing.map(({ name }) => name)
    return { ...row, startsAt: startsAt.toISOString(), local, missing: names }
  }
  return findComing((part) => readComing(db, scope, part), find, page)
}

/**
 * Loads some upcoming appointments. Days are extended at both ends: they depend on the time zone, and hours may extend past
 * midnight.
 */
async function readComing(
  db: Kysely<DB>,
  { companyId, now, resourceId = null, days }: HoursScope,
  { after, limit }: ComingPart,
): Promise<Row[]> {
  const from = days ? Date.parse(days.first) - 2 * DAY_MS : 0
  const to = days ? new Date(Date.parse(days.last) + 3 * DAY_MS) : null
  const beyond = after
    ? sql`and (starts_at, appointment.id) > (${after.by}::timestamptz, ${after.id}::uuid)`
    : sql``
  const { rows } = await sql<Row>`
    select appointment.id, reference, service_name, customer_name, starts_at, ends_at, appointment.zone,
      (select json_agg(json_build_object('id', resource.id, 'name', resource.name,
          'zone', coalesce(resource.zone, page.zone, company.time_zone)) order by resource.id)
        from appointment_busy busy join resource on resource.id = busy.resource_id
        where busy.appointment_id = appointment.id and not busy.is_free) as takes
    from appointment
      join company on company.id = appointment.company_id
      left join booking_page page on page.company_id = appointment.company_id
    where appointment.company_id = ${companyId} and appointment.status = 'confirmed'
      and starts_at > ${new Date(Math.max(now.getTime(), from))}
      and starts_at < coalesce(${to}::timestamptz, 'infinity') ${beyond}
      and exists (select from appointment_busy busy where busy.appointment_id = appointment.id
        and not busy.is_free and (${resourceId}::uuid is null or busy.resource_id = ${resourceId}::uuid))
    order by starts_at, appointment.id limit ${limit}`.execute(db)
  return rows
}

async function readOpenings(db: Kysely<DB>, { companyId }: HoursScope) {
  const { rows } = await sql<Openings[number] & { resourceId: string }>`
    select resource_id, weekday, from_min, to_min
    from opening join resource on resource.id = opening.resource_id
    where resource.company_id = ${companyId}`.execute(db)
  const named = rows.map(({ weekday, ...row }) => ({ ...row, weekday: WEEKDAYS[weekday]! }))
  return Map.groupBy(named, ({ resourceId }) => resourceId)
}

/** Loads changes that are not over, or whose last night continues. */
async function readChanges(db: Kysely<DB>, { companyId, now }: HoursScope): Promise<HoursChange[]> {
  const { rows } = await sql<HoursChange>`
    select resource_id, first_day::text as first_day, last_day::text as last_day, is_closed, from_min,
      to_min
    from opening_change where company_id = ${companyId}
      and last_day >= (${now}::timestamptz at time zone 'UTC')::date - 2`.execute(db)
  return rows
}
