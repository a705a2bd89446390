import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { BOOKING_DEFAULTS } from '../../core/limits/appointments.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import type { HoursChange } from '../../rules/appointments/hours-of-day.ts'
import type { SlotInputs, SlotResource, SlotService } from '../../rules/appointments/slots.ts'
import { WEEKDAYS } from '../../rules/flows/opening-hours.ts'
import type { ResourceKind } from '../../core/vocabulary/appointments.ts'

/** A service with what its slots depend on; it may be switched off or deleted. */
export type BookableService = SlotService & {
  id: string
  companyId: string
  name: string
  nameAr: string | null
  isOn: boolean
  isDeleted: boolean
}

/** A resource that can take a role of a service, with its busy times. */
export type BookableResource = SlotResource & {
  busy: { from: Date; to: Date }[]
  name: string
  nameAr: string | null
  kind: ResourceKind
}

/** The inputs from which the slots of a service are computed. */
export type ServiceInputs = Omit<SlotInputs, 'now' | 'service' | 'resources'> & {
  service: BookableService
  /** Resources that are switched on; none when a role has none. A resource of two services is one object. */
  resources: BookableResource[]
  cancelUntilMin: number
  isPageOn: boolean
}

/** The margin around the range: hours of the previous day, buffers, and whole days for counts. */
const MARGIN_MS = 2 * DAY_MS

/**
 * Loads what free times are computed from (hours, resources, busy times), by service id, in four statements for any
 * number of services. Busy times cover the range and two days around it. Unknown services are left out, deleted ones
 * included.
 * @param options `movedId`: an appointment to be moved, whose time counts as free. `keepsOwn`, as for members: its
 * resources are included, on or off; if no longer needed, in a role named by their id. `isUnited`: busy times are
 * merged, for finding free ones, but not for counts.
 * Spec: Appointments › Slots.
 */
export async function loadSlotInputs(
  db: Kysely<DB>,
  query: readonly { companyId: string; serviceId: string }[],
  { from, to }: { from: Date; to: Date },
  {
    movedId = null,
    keepsOwn = movedId !== null,
    isUnited = false,
  }: { movedId?: string | null; keepsOwn?: boolean; isUnited?: boolean } = {},
): Promise<Map<string, ServiceInputs>> {
  const services = await readServices(db, query)
  if (services.length === 0) return new Map()
  const around = { from: new Date(+from - MARGIN_MS), to: new Date(+to + MARGIN_MS) }
  const needs = await readNeeds(db, services, keepsOwn ? movedId : null)
  const resourceIds = [...new Set(needs.map(({ id }) => id))]
  const changes = await readChanges(db, services, around)
  const busy = isUnited
    ? await readMergedBusy(db, resourceIds, around, movedId)
    : await readBusy(db, resourceIds, around, movedId)
  const busyOf = new Map(resourceIds.map((id) => [id, busy.get(id) ?? []]))
  return new Map(
    services.map(({ zone, minNoticeMin, maxDays, cancelUntilMin, isPageOn, ...service }) => [
      service.id,
      {
        service,
        page: { zone, minNoticeMin, maxDays },
        cancelUntilMin,
        isPageOn,
        changes: changes.get(service.companyId) ?? [],
        resources: availableFor(service.id, needs, keepsOwn).map(
          ({ openings, zone: own, ...resource }) => ({
            ...resource,
            zone: own ?? zone,
            openings: openings.map(({ weekday, ...hours }) => ({
              ...hours,
              weekday: WEEKDAYS[weekday]!,
            })),
            busy: busyOf.get(resource.id)!,
          }),
        ),
      },
    ]),
  )
}

/**
 * Returns the available resources of all roles; none when a role has none, as the service is then impossible.
 * Existing appointments can be moved nevertheless.
 */
function availableFor(serviceId: string, needs: readonly NeedRow[], isBooked: boolean): NeedRow[] {
  const all = needs.filter((need) => need.serviceId === serviceId)
  const available = all.filter(({ isOn }) => isOn)
  const isWhole = all.every(({ role }) => available.some((one) => one.role === role))
  return isWhole || isBooked ? available : []
}

type ServiceRow = BookableService &
  SlotInputs['page'] & { cancelUntilMin: number; isPageOn: boolean }

async function readServices(
  db: Kysely<DB>,
  query: readonly { companyId: string; serviceId: string }[],
): Promise<ServiceRow[]> {
  const { minNoticeMin, maxDays, cancelUntilMin } = BOOKING_DEFAULTS
  const { rows } = await sql<ServiceRow>`
    select service.id, service.company_id, service.name, service.name_ar, minutes, before_min, after_min,
      step_min, service.is_on, service.deleted_at is not null as is_deleted,
      coalesce(page.zone, company.time_zone) as zone,
      coalesce(page.min_notice_min, ${minNoticeMin}) as min_notice_min,
      coalesce(page.max_days, ${maxDays}) as max_days,
      coalesce(page.cancel_until_min, ${cancelUntilMin}) as cancel_until_min,
      coalesce(page.is_on, false) as is_page_on
    from (select distinct * from unnest(${query.map(({ companyId }) => companyId)}::uuid[],
        ${query.map(({ serviceId }) => serviceId)}::uuid[])) as requested (company_id, service_id)
      join service on service.id = requested.service_id and service.company_id = requested.company_id
      join company on company.id = service.company_id
      left join booking_page page on page.company_id = service.company_id`.execute(db)
  return rows
}

type NeedRow = {
  serviceId: string
  id: string
  role: string
  name: string
  nameAr: string | null
  kind: ResourceKind
  zone: string | null
  isOn: boolean
  openings: { weekday: number; fromMin: number; toMin: number }[]
}

async function readNeeds(
  db: Kysely<DB>,
  services: readonly { id: string }[],
  appointmentId: string | null,
): Promise<NeedRow[]> {
  const { rows } = await sql<NeedRow>`
    with need as (
      select service_id, resource_id, role, is_on from service_need
        join resource on resource.id = resource_id
      where service_id = any(${services.map(({ id }) => id)}::uuid[])
      union all
      select appointment.service_id, busy.resource_id, coalesce(role, busy.resource_id::text), true
      from appointment join appointment_busy busy on busy.appointment_id = appointment.id
        join resource on resource.id = busy.resource_id
        left join service_need using (service_id, resource_id)
      where appointment.id = ${appointmentId} and (role is null or not resource.is_on)
    )
    select service_id, resource.id, role, name, name_ar, kind, zone, need.is_on,
      coalesce((select json_agg(json_build_object('weekday', weekday, 'fromMin', from_min,
          'toMin', to_min)) from opening where opening.resource_id = resource.id), '[]') as openings
    from need join resource on resource.id = resource_id`.execute(db)
  return rows
}

async function readChanges(
  db: Kysely<DB>,
  services: readonly { companyId: string }[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, HoursChange[]>> {
  const { rows } = await sql<HoursChange & { companyId: string }>`
    select company_id, resource_id, first_day::text as first_day, last_day::text as last_day, is_closed,
      from_min, to_min
    from opening_change
    where company_id = any(${services.map(({ companyId }) => companyId)}::uuid[])
      and first_day <= (${to}::timestamptz at time zone 'UTC')::date
      and last_day >= (${from}::timestamptz at time zone 'UTC')::date`.execute(db)
  return Map.groupBy(rows, ({ companyId }) => companyId)
}

type Busy = { from: Date; to: Date }

async function readBusy(
  db: Kysely<DB>,
  resourceIds: readonly string[],
  { from, to }: { from: Date; to: Date },
  appointmentId: string | null,
): Promise<Map<string, Busy[]>> {
  const { rows } = await sql<Busy & { resourceId: string }>`
    select resource_id, lower(busy) as from, upper(busy) as to from appointment_busy
    where resource_id = any(${resourceIds}::uuid[]) and not is_free
      and busy && tstzrange(${from}, ${to})
      and appointment_id is distinct from ${appointmentId}`.execute(db)
  return Map.groupBy(rows, ({ resourceId }) => resourceId)
}

/** Merges busy times, so that a full day is one row. */
async function readMergedBusy(
  db: Kysely<DB>,
  resourceIds: readonly string[],
  { from, to }: { from: Date; to: Date },
  appointmentId: string | null,
): Promise<Map<string, Busy[]>> {
  const { rows } = await sql<Busy & { resourceId: string }>`
    select resource_id, lower(stretch) as from, upper(stretch) as to
    from (
      select resource_id, range_agg(busy) as taken from appointment_busy
      where resource_id = any(${resourceIds}::uuid[]) and not is_free
        and busy && tstzrange(${from}, ${to})
        and appointment_id is distinct from ${appointmentId}
      group by resource_id
    ) resource cross join lateral unnest(taken) as stretch`.execute(db)
  return Map.groupBy(rows, ({ resourceId }) => resourceId)
}
