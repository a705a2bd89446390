import { sql, type Kysely } from 'kysely'
import type { OutsideView } from '../../contract/dashboard/booking-setup.ts'
import type { DB } from '../../infra/database/tables.ts'
import { DAY_MS, MINUTE_MS } from '../../core/limits/units.ts'
import type { HoursChange, WeeklyHours } from '../../rules/appointments/hours-of-day.ts'
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

/** A company's resources with their weekly hours, by id, and its changes of hours that are not over. */
export type CompanyHours = {
  resources: ReadonlyMap<string, Resource>
  changes: readonly HoursChange[]
}
type Resource = { id: string; name: string; zone: string; openings: readonly WeeklyHours[] }

type Row = Omit<OutsideView, 'startsAt' | 'local' | 'missing'> & {
  startsAt: Date
  endsAt: Date
  resourceIds: string[]
}

/**
 * Returns a page of the upcoming confirmed appointments with a resource outside its current hours, by start.
 * Spec: Appointments › Hours; reading A43.
 */
export async function readOutsideHours(
  db: Kysely<DB>,
  scope: HoursScope,
  page: ComingPage,
): Promise<OutsideView[]> {
  const hours = await readHours(db, scope)
  return findComing(
    (part) => readComing(db, scope, part),
    (row) => viewOutside(hours, row),
    page,
  )
}

/**
 * Returns the number of upcoming confirmed appointments that were within the hours of before and have a resource
 * outside its current ones, and the first of them, by start. Each appointment is read once.
 */
export async function findNewlyOutside(
  db: Kysely<DB>,
  scope: HoursScope,
  { before, limit }: { before: CompanyHours; limit: number },
): Promise<{ count: number; first: OutsideView[] }> {
  const hours = await readHours(db, scope)
  let count = 0
  const find = (row: Row): OutsideView | null => {
    const view = viewOutside(hours, row)
    if (view === null || namesOutside(before, row).length > 0) return null
    count += 1
    return count <= limit ? view : null
  }
  const first = await findComing((part) => readComing(db, scope, part), find)
  return { count, first }
}

function viewOutside(hours: CompanyHours, row: Row): OutsideView | null {
  const missing = namesOutside(hours, row)
  if (missing.length === 0) return null
  const { resourceIds: _, startsAt, endsAt: __, ...shown } = row
  const local = wallTextAt(row.zone, startsAt)
  return { ...shown, startsAt: startsAt.toISOString(), local, missing }
}

/** Returns the names of the resources of an appointment that are outside their hours. */
function namesOutside(
  { resources, changes }: CompanyHours,
  { resourceIds, startsAt, endsAt }: Row,
): string[] {
  const minutes = (endsAt.getTime() - startsAt.getTime()) / MINUTE_MS
  return resourceIds
    .flatMap((id) => resources.get(id) ?? [])
    .filter((resource) => !isWithinHours(resource, changes, { startsAt, minutes }))
    .map(({ name }) => name)
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
    ? sql`and (starts_at, id) > (${after.by}::timestamptz, ${after.id}::uuid)`
    : sql``
  const { rows } = await sql<Row>`
    select id, reference, service_name, customer_name, starts_at, ends_at, zone,
      array(select resource_id from appointment_busy busy
        where busy.appointment_id = appointment.id and not busy.is_free
        order by resource_id) as resource_ids
    from appointment
    where company_id = ${companyId} and status = 'confirmed'
      and starts_at > ${new Date(Math.max(now.getTime(), from))}
      and starts_at < coalesce(${to}::timestamptz, 'infinity') ${beyond}
      and exists (select from appointment_busy busy where busy.appointment_id = appointment.id
        and not busy.is_free and (${resourceId}::uuid is null or busy.resource_id = ${resourceId}::uuid))
    order by starts_at, id limit ${limit}`.execute(db)
  return rows
}

/** Loads the current hours of all resources of a company. */
export async function readHours(
  db: Kysely<DB>,
  scope: Pick<HoursScope, 'companyId' | 'now'>,
): Promise<CompanyHours> {
  const resources = await readResources(db, scope)
  const changes = await readChanges(db, scope)
  return { resources: new Map(resources.map((resource) => [resource.id, resource])), changes }
}

async function readResources(
  db: Kysely<DB>,
  { companyId }: Pick<HoursScope, 'companyId'>,
): Promise<Resource[]> {
  const { rows } = await sql<
    Omit<Resource, 'openings'> & { openings: { weekday: number; fromMin: number; toMin: number }[] }
  >`
    select resource.id, resource.name, coalesce(resource.zone, page.zone, company.time_zone) as zone,
      coalesce((select json_agg(json_build_object('weekday', weekday, 'fromMin', from_min, 'toMin', to_min))
        from opening where opening.resource_id = resource.id), '[]') as openings
    from resource
      join company on company.id = resource.company_id
      left join booking_page page on page.company_id = resource.company_id
    where resource.company_id = ${companyId}`.execute(db)
  return rows.map(({ openings, ...resource }) => ({
    ...resource,
    openings: openings.map(({ weekday, ...hours }) => ({ ...hours, weekday: WEEKDAYS[weekday]! })),
  }))
}

/** Loads changes that are not over, or whose last night continues. */
async function readChanges(
  db: Kysely<DB>,
  { companyId, now }: Pick<HoursScope, 'companyId' | 'now'>,
): Promise<HoursChange[]> {
  const { rows } = await sql<HoursChange>`
    select resource_id, first_day::text as first_day, last_day::text as last_day, is_closed, from_min,
      to_min
    from opening_change where company_id = ${companyId}
      and last_day >= (${now}::timestamptz at time zone 'UTC')::date - 2`.execute(db)
  return rows
}
