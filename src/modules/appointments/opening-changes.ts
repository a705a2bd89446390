/** Days with other hours than the week's, or closed days. Spec: Appointments › Hours. */
import { sql, type Kysely } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  CreateOpeningChange,
  EditOpeningChange,
  OpeningChangeView,
} from '../../contract/dashboard/booking-setup.ts'
import { formatWallTime } from '../../contract/dashboard/wall-time.ts'
import type { DB } from '../../infra/database/tables.ts'
import { requireResource } from './require-resource.ts'
import { fact } from '../../core/facts/fact.ts'
import { BOOKING_SETUP_LIMITS } from '../../core/limits/appointments.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import { changeHours } from './outside-hours.ts'

type Owned = { companyId: string; changeId: string }

/** Returns all holidays and special hours of a company, also past ones, by first day. */
export async function listOpeningChanges(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: OpeningChangeView[] }> {
  return { items: await viewChanges(db.kysely, companyId) }
}

/**
 * Creates a holiday or special hours on some days; existing appointments stay.
 * @throws limit_reached; invalid for an unknown resource.
 */
export async function createOpeningChange(
  { db, ids, clock }: Context,
  actor: Actor,
  {
    companyId,
    resourceId = null,
    name = null,
    ...input
  }: CreateOpeningChange & { companyId: string },
): Promise<OpeningChangeView> {
  const id = ids.uuid()
  const { hours, firstDay, lastDay } = input
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const { openingChanges: max } = BOOKING_SETUP_LIMITS
    if ((await viewChanges(tx, companyId)).length >= max) {
      throw new ServiceError('limit_reached', fact('too_many_opening_changes', { max }))
    }
    if (resourceId !== null) await requireResource(tx, { companyId, resourceId })
    const days = { first: firstDay, last: lastDay }
    const scope = { ids, accountId: actor.accountId, companyId, now, resourceId, days }
    const insert = sql`
      insert into opening_change (id, company_id, resource_id, first_day, last_day, is_closed,
        from_min, to_min, name, created_at)
      values (${id}, ${companyId}, ${resourceId}, ${firstDay}::date, ${lastDay}::date,
        ${hours === null}, ${hours?.from ?? null}, ${hours?.to ?? null}, ${name || null}, ${now})
    `
    await changeHours(tx, scope, () => insert.execute(tx))
    await audit(
      'opening_change.created',
      { id, companyId },
      { resourceId, firstDay, lastDay, hours, name },
    )
    return (await viewChanges(tx, companyId, id))[0]!
  })
}

/**
 * Changes the given attributes of a holiday or of special hours; existing appointments stay.
 * @throws not_found; invalid when it would end before it begins.
 */
export async function editOpeningChange(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, changeId, hours, ...days }: Owned & EditOpeningChange,
): Promise<OpeningChangeView> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const [before] = await viewChanges(tx, companyId, changeId)
    if (!before) throw new ServiceError('not_found', fact('no_such_opening_change'))
    const { firstDay = before.firstDay, lastDay = before.lastDay, name = before.name } = days
    if (firstDay > lastDay) {
      throw wrongField('lastDay', fact('days_in_order'))
    }
    const { resourceId } = before
    const scope = {
      ids,
      accountId: actor.accountId,
      companyId,
      now,
      resourceId,
      days: {
        first: firstDay < before.firstDay ? firstDay : before.firstDay,
        last: lastDay > before.lastDay ? lastDay : before.lastDay,
      },
    }
    await changeHours(tx, scope, async () => {
      await sql`
        update opening_change
        set first_day = ${firstDay}::date, last_day = ${lastDay}::date, name = ${name || null}
        where id = ${changeId} and company_id = ${companyId}`.execute(tx)
      if (hours !== undefined) {
        await sql`
          update opening_change set is_closed = ${hours === null}, from_min = ${hours?.from ?? null},
            to_min = ${hours?.to ?? null}
          where id = ${changeId} and company_id = ${companyId}`.execute(tx)
      }
    })
    const [after] = await viewChanges(tx, companyId, changeId)
    const { id, ...detail } = after!
    await audit('opening_change.edited', { id, companyId }, detail)
    return after!
  })
}

/**
 * Deletes a holiday or special hours.
 * @throws not_found
 */
export async function deleteOpeningChange(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, changeId }: Owned,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    const [change] = await viewChanges(tx, companyId, changeId)
    if (!change) throw new ServiceError('not_found', fact('no_such_opening_change'))
    const { resourceId, firstDay: first, lastDay: last } = change
    const scope = { companyId, now, resourceId, days: { first, last } }
    await changeHours(tx, { ids, accountId: actor.accountId, ...scope }, () =>
      tx
        .deleteFrom('openingChange')
        .where('id', '=', changeId)
        .where('companyId', '=', companyId)
        .execute(),
    )
    const { id, ...detail } = change
    await audit('opening_change.deleted', { id, companyId }, detail)
  })
}

/** Days are read as text, because they have no time zone. */
async function viewChanges(
  db: Kysely<DB>,
  companyId: string,
  id: string | null = null,
): Promise<OpeningChangeView[]> {
  const { rows } = await sql<
    Omit<OpeningChangeView, 'hours'> & { fromMin: number | null; toMin: number | null }
  >`
    select id, resource_id, first_day::text, last_day::text, from_min, to_min, name
    from opening_change
    where company_id = ${companyId} and (${id}::uuid is null or id = ${id}::uuid)
    order by first_day, last_day, from_min, id
  `.execute(db)
  return rows.map(({ fromMin, toMin, ...row }) => ({
    ...row,
    hours:
      fromMin === null || toMin === null
        ? null
        : { from: formatWallTime(fromMin), to: formatWallTime(toMin) },
  }))
}
