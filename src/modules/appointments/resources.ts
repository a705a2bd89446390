/**
 * Resources of appointments, which are people or places, with their hours. Spec: Appointments › Services;
 * Appointments › Hours.
 */
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  CreateResource,
  EditResource,
  HoursView,
  ResourceView,
} from '../../contract/dashboard/booking-setup.ts'
import { formatWallTime } from '../../contract/dashboard/wall-time.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import { BOOKING_SETUP_LIMITS } from '../../core/limits/appointments.ts'
import { WEEKDAYS, type Weekday } from '../../rules/flows/opening-hours.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import type { ResourceKind } from '../../core/vocabulary/appointments.ts'
import { countUpcoming } from './coming-appointments.sql.ts'
import { changeHours } from './outside-hours.ts'

type Owned = { companyId: string; resourceId: string }

/** Returns all bookable resources (people and rooms) of a company, by creation. */
export async function listResources(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: ResourceView[] }> {
  return { items: await viewResources(db.kysely, { companyId }) }
}

/**
 * Creates a bookable resource: a person or a room.
 * @throws limit_reached; invalid for a person who is no member.
 */
export async function createResource(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, hours = {}, ...input }: CreateResource & { companyId: string },
): Promise<ResourceView> {
  const resourceId = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const { resources: max } = BOOKING_SETUP_LIMITS
    if ((await viewResources(tx, { companyId })).length >= max) {
      throw new ServiceError('limit_reached', fact('too_many_resources', { max }))
    }
    await requirePerson(tx, actor, input.kind, input.personId)
    const { name, kind, nameAr = null, personId = null, zone = null, isOn = true } = input
    const row = { id: resourceId, companyId, name, nameAr, kind, personId, zone, isOn }
    await tx
      .insertInto('resource')
      .values({ ...row, createdAt: now, updatedAt: now })
      .execute()
    await replaceHours(tx, ids, { companyId, resourceId }, hours)
    await audit('resource.created', { id: resourceId, companyId }, { name, kind })
    return viewResource(tx, { companyId, resourceId })
  })
}

/**
 * Changes the given attributes of a bookable resource. A switched-off resource gets no new appointments; existing ones
 * stay.
 * @throws not_found; invalid for a person who is no member.
 */
export async function editResource(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, resourceId, hours, ...input }: Owned & EditResource,
): Promise<ResourceView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const before = await lockResource(tx, { companyId, resourceId })
    await requirePerson(tx, actor, before.kind, input.personId)
    const changed = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined),
    ) as { [Key in keyof typeof input]?: Exclude<(typeof input)[Key], undefined> }
    const write = async () => {
      await tx
        .updateTable('resource')
        .set({ ...changed, updatedAt: now })
        .where('id', '=', resourceId)
        .where('companyId', '=', companyId)
        .execute()
      if (hours) await replaceHours(tx, ids, { companyId, resourceId }, hours)
    }
    const scope = { ids, accountId: actor.accountId, companyId, now, resourceId }
    if (hours || changed.zone !== undefined) await changeHours(tx, scope, write)
    else await write()
    const after = await viewResource(tx, { companyId, resourceId })
    const detail = { name: after.name, ...changed, ...(hours && { hours: after.hours }) }
    await audit('resource.edited', { id: resourceId, companyId }, detail)
    return after
  })
}

/**
 * Deletes a bookable resource.
 * @throws not_found; conflict while a service needs it, or it has upcoming appointments.
 */
export async function deleteResource(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, resourceId }: Owned,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { name } = await lockResource(tx, { companyId, resourceId })
    const needing = await tx
      .selectFrom('serviceNeed')
      .innerJoin('service', 'service.id', 'serviceNeed.serviceId')
      .select('service.name')
      .where('serviceNeed.resourceId', '=', resourceId)
      .orderBy('service.id')
      .execute()
    if (needing.length > 0) {
      const services = needing.map((service) => service.name)
      throw new ServiceError('conflict', fact('resource_in_use', { services }))
    }
    const count = await countUpcoming(tx, { companyId, resourceId }, now)
    if (count > 0) throw new ServiceError('conflict', fact('resource_has_appointments', { count }))
    await tx
      .updateTable('resource')
      .set({ deletedAt: now, isOn: false, updatedAt: now })
      .where('id', '=', resourceId)
      .where('companyId', '=', companyId)
      .execute()
    await tx.deleteFrom('opening').where('resourceId', '=', resourceId).execute()
    await tx.deleteFrom('openingChange').where('resourceId', '=', resourceId).execute()
    await audit('resource.deleted', { id: resourceId, companyId }, { name })
  })
}

/** Locks a resource. Isolation: bookings lock it, too. @throws not_found */
async function lockResource(tx: Transaction<DB>, { companyId, resourceId }: Owned) {
  return tx
    .selectFrom('resource')
    .select(['name', 'kind'])
    .where('id', '=', resourceId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_resource')))
}

async function requirePerson(
  tx: Transaction<DB>,
  { accountId }: Actor,
  kind: string,
  personId: string | null | undefined,
): Promise<void> {
  if (!personId) return
  if (kind !== 'person') throw wrongField('personId', fact('room_is_nobody'))
  await tx
    .selectFrom('member')
    .select('id')
    .where('accountId', '=', accountId)
    .where('personId', '=', personId)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => wrongField('personId', fact('not_a_member')))
}

async function replaceHours(
  tx: Transaction<DB>,
  ids: Ids,
  { companyId, resourceId }: Owned,
  hours: NonNullable<CreateResource['hours']>,
): Promise<void> {
  await tx.deleteFrom('opening').where('resourceId', '=', resourceId).execute()
  const rows = WEEKDAYS.flatMap((day, weekday) =>
    (hours[day] ?? []).map(({ from, to }) => {
      const of = { id: ids.uuid(), companyId, resourceId, weekday }
      return { ...of, fromMin: from, toMin: to }
    }),
  )
  if (rows.length > 0) await tx.insertInto('opening').values(rows).execute()
}

async function viewResource(db: Kysely<DB>, owned: Owned): Promise<ResourceView> {
  const [view] = await viewResources(db, owned)
  return view!
}

async function viewResources(
  db: Kysely<DB>,
  { companyId, resourceId }: { companyId: string; resourceId?: string },
): Promise<ResourceView[]> {
  let query = db
    .selectFrom('resource')
    .select(['id', 'name', 'nameAr', 'kind', 'personId', 'zone', 'isOn', 'updatedAt'])
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
  if (resourceId !== undefined) query = query.where('id', '=', resourceId)
  const rows = await query.orderBy('id').execute()
  const openings = await db
    .selectFrom('opening')
    .select(['resourceId', 'weekday', 'fromMin', 'toMin'])
    .where('companyId', '=', companyId)
    .orderBy('weekday')
    .orderBy('fromMin')
    .orderBy('toMin')
    .execute()
  return rows.map(({ kind, updatedAt, ...row }) => {
    const hours: { [Day in Weekday]?: HoursView[] } = {}
    for (const { weekday, fromMin, toMin } of openings.filter((one) => one.resourceId === row.id)) {
      const ofDay = (hours[WEEKDAYS[weekday]!] ??= [])
      ofDay.push({ from: formatWallTime(fromMin), to: formatWallTime(toMin) })
    }
    return { ...row, kind: kind as ResourceKind, hours, updatedAt: updatedAt.toISOString() }
  })
}
