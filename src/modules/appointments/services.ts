/** Services that customers book. Spec: Appointments › Services. */
import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  CreateService,
  EditService,
  ServiceView,
} from '../../contract/dashboard/booking-setup.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { BOOKING_SETUP_LIMITS } from '../../core/limits/appointments.ts'
import { ServiceError, wrongFields } from '../../core/service-error.ts'
import { countUpcoming } from './coming-appointments.sql.ts'

type Owned = { companyId: string; serviceId: string }

/** Returns all services of a company, also those that cannot be booked at present, by creation. */
export async function listServices(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: ServiceView[] }> {
  return { items: await viewServices(db.kysely, companyId, null) }
}

/**
 * Returns a service of a company.
 * @throws not_found
 */
export async function showService(
  { db }: Pick<Context, 'db'>,
  { companyId, serviceId }: Owned,
): Promise<ServiceView> {
  return viewService(db.kysely, { companyId, serviceId })
}

/**
 * Creates a service that customers book.
 * @throws limit_reached; invalid for an unknown resource.
 */
export async function createBookableService(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, needs, ...input }: CreateService & { companyId: string },
): Promise<ServiceView> {
  const id = ids.uuid()
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const { services: max } = BOOKING_SETUP_LIMITS
    await requireBelowLimit(
      tx.selectFrom('service').where('companyId', '=', companyId).where('deletedAt', 'is', null),
      max,
      fact('too_many_services', { max }),
    )
    await tx
      .insertInto('service')
      .values({
        id,
        companyId,
        stepMin: input.minutes,
        ...givenColumns(input),
        name: input.name,
        minutes: input.minutes,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await replaceNeeds(tx, { companyId, serviceId: id }, needs)
    await audit('service.created', { id, companyId }, { name: input.name })
    return viewService(tx, { companyId, serviceId: id })
  })
}

/**
 * Changes the given attributes of a service. Existing appointments are unchanged.
 * @throws not_found; invalid for an unknown resource.
 */
export async function editService(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, serviceId, needs, ...input }: Owned & EditService,
): Promise<ServiceView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const row = await tx
      .updateTable('service')
      .set({ ...givenColumns(input), updatedAt: now })
      .where('id', '=', serviceId)
      .where('companyId', '=', companyId)
      .where('deletedAt', 'is', null)
      .returning('name')
      .executeTakeFirstOrThrow(() => noSuchService())
    if (needs) await replaceNeeds(tx, { companyId, serviceId }, needs)
    await audit(
      'service.edited',
      { id: serviceId, companyId },
      { name: row.name, ...givenColumns(input), ...(needs && { needs }) },
    )
    return viewService(tx, { companyId, serviceId })
  })
}

/**
 * Deletes a service; its row stays for its appointments.
 * @throws not_found; conflict while it has upcoming appointments.
 *
 * Isolation: bookings lock the service, and find it deleted after this commit.
 */
export async function deleteService(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, serviceId }: Owned,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const row = await tx
      .selectFrom('service')
      .select('name')
      .where('id', '=', serviceId)
      .where('companyId', '=', companyId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirstOrThrow(() => noSuchService())
    const count = await countUpcoming(tx, { companyId, serviceId }, now)
    if (count > 0) throw new ServiceError('conflict', fact('service_has_appointments', { count }))
    await tx
      .updateTable('service')
      .set({ deletedAt: now, updatedAt: now })
      .where('id', '=', serviceId)
      .where('companyId', '=', companyId)
      .execute()
    await tx.deleteFrom('serviceNeed').where('serviceId', '=', serviceId).execute()
    await audit('service.deleted', { id: serviceId, companyId }, row)
  })
}

/** Returns whether a company has a service that customers can book. Spec: Appointments › Services. */
export async function canBookAny(db: Kysely<DB>, companyId: string): Promise<boolean> {
  return (await viewServices(db, companyId, null)).some(({ canBeBooked }) => canBeBooked)
}

function noSuchService(): ServiceError {
  return new ServiceError('not_found', fact('no_such_service'))
}

type Columns = Omit<EditService, 'needs'>

/** Returns the columns of the given attributes. */
function givenColumns(input: Columns) {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Columns]?: Exclude<Columns[Key], undefined>
  }
}

async function replaceNeeds(
  tx: Transaction<DB>,
  { companyId, serviceId }: Owned,
  needs: CreateService['needs'],
): Promise<void> {
  await tx.deleteFrom('serviceNeed').where('serviceId', '=', serviceId).execute()
  if (needs.length === 0) return
  const known = await tx
    .selectFrom('resource')
    .select('id')
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .where(
      'id',
      'in',
      needs.map(({ resourceId }) => resourceId),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
  const isKnown = (id: string) => known.some((one) => one.id === id)
  const errors = needs.flatMap(({ resourceId }, place) =>
    isKnown(resourceId)
      ? []
      : [{ field: `needs[${place}].resourceId`, ...fact('unknown_resource') }],
  )
  if (errors.length > 0) throw wrongFields(errors)
  await tx
    .insertInto('serviceNeed')
    .values(needs.map((need) => ({ ...need, serviceId, companyId })))
    .execute()
}

async function viewService(db: Kysely<DB>, { companyId, serviceId }: Owned): Promise<ServiceView> {
  const [view] = await viewServices(db, companyId, serviceId)
  if (!view) throw noSuchService()
  return view
}

/** Loads the views of all services of a company, or of one, without deleted ones. */
export async function viewServices(
  db: Kysely<DB>,
  companyId: string,
  serviceId: string | null = null,
): Promise<ServiceView[]> {
  const { rows } = await sql<{
    id: string
    name: string
    nameAr: string | null
    minutes: number
    beforeMin: number
    afterMin: number
    stepMin: number
    isOn: boolean
    updatedAt: Date
    needs: { resource_id: string; role: string; can_take: boolean }[]
  }>`
    select id, name, name_ar, minutes, before_min, after_min, step_min, is_on, updated_at,
      coalesce(needs.list, '[]') as needs
    from service left join lateral (
      select json_agg(json_build_object(
        'resource_id', resource_id, 'role', role,
        'can_take', resource.is_on and (
          exists (select from opening where opening.resource_id = resource.id)
          or exists (select from opening_change change
            where change.resource_id = resource.id and not is_closed))
      ) order by role, resource_id) as list
      from service_need need join resource on resource.id = need.resource_id
      where need.service_id = service.id
    ) needs on true
    where company_id = ${companyId} and deleted_at is null
      and (${serviceId}::uuid is null or id = ${serviceId}::uuid)
    order by id
  `.execute(db)
  return rows.map(({ needs, updatedAt, ...row }) => {
    const roles = Map.groupBy(needs, ({ role }) => role)
    const canBeDone = [...roles.values()].every((able) => able.some((one) => one.can_take))
    return {
      ...row,
      needs: needs.map(({ resource_id: resourceId, role }) => ({ resourceId, role })),
      canBeBooked: row.isOn && roles.size > 0 && canBeDone,
      updatedAt: updatedAt.toISOString(),
    }
  })
}
