/** Members' secret links to a calendar of all appointments, or of a resource's. Spec: Appointments › Calendars. */
import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import { sql } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type {
  CalendarLinkView,
  MadeCalendarLink,
  MakeCalendarLink,
} from '../../contract/dashboard/calendar-link.ts'
import { requireResource } from './require-resource.ts'
import { fact } from '../../core/facts/fact.ts'
import { CALENDAR_LIMITS } from '../../core/limits/appointments.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { ServiceError } from '../../core/service-error.ts'

const TOKEN_BYTES = 32

/** Returns whether a text has the form of the token in a calendar link; other texts are not looked up. */
export function isCalendarToken(text: string): boolean {
  return /^cal_[A-Za-z0-9_-]{43}$/.test(text)
}

/** Returns the calendar subscriptions of the requesting member, without their secret addresses. */
export async function listCalendarLinks(
  { db }: Pick<Context, 'db'>,
  { personId }: Actor,
  { companyId }: { companyId: string },
): Promise<{ items: CalendarLinkView[] }> {
  const rows = await db.kysely
    .selectFrom('calendarLink')
    .select(['id', 'resourceId', 'createdAt'])
    .where('companyId', '=', companyId)
    .where('personId', '=', personId)
    .orderBy('id')
    .execute()
  return { items: rows.map(view) }
}

/**
 * Creates a secret address at which the requesting member's calendar app reads all appointments, or those of a
 * resource. It replaces the member's earlier one to the same calendar, which becomes invalid.
 * @throws invalid for an unknown resource; limit_reached
 */
export async function makeCalendarLink(
  { db, ids, clock, publicUrl }: Context & { publicUrl(): string },
  actor: Actor,
  { companyId, resourceId }: MakeCalendarLink & { companyId: string },
): Promise<MadeCalendarLink> {
  const token = `cal_${ids.cellToken(TOKEN_BYTES)}`
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await lockCompany(tx, actor, companyId)
    if (resourceId !== null) await requireResource(tx, { companyId, resourceId })
    await sql`
      delete from calendar_link where company_id = ${companyId} and person_id = ${actor.personId}
        and resource_id is not distinct from ${resourceId}`.execute(tx)
    const { links: max } = CALENDAR_LIMITS
    await requireBelowLimit(
      tx
        .selectFrom('calendarLink')
        .where('companyId', '=', companyId)
        .where('personId', '=', actor.personId),
      max,
      fact('calendar_links_full', { max }),
    )
    const row = { id: ids.uuid(), companyId, personId: actor.personId, resourceId, createdAt: now }
    await tx
      .insertInto('calendarLink')
      .values({ ...row, tokenHash: tokenHash(token) })
      .execute()
    await audit('calendar_link.made', { id: row.id, companyId })
    return { ...view(row), url: `${publicUrl()}/calendar/${token}.ics` }
  })
}

/**
 * Deletes a calendar subscription of the requesting member: its address stops working.
 * @throws not_found, also for another member's
 */
export async function deleteCalendarLink(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, linkId }: { companyId: string; linkId: string },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await tx
      .deleteFrom('calendarLink')
      .where('id', '=', linkId)
      .where('companyId', '=', companyId)
      .where('personId', '=', actor.personId)
      .returning('id')
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_calendar_link')))
    await audit('calendar_link.deleted', { id: linkId, companyId })
  })
}

function view(row: { id: string; resourceId: string | null; createdAt: Date }): CalendarLinkView {
  return { id: row.id, resourceId: row.resourceId, createdAt: row.createdAt.toISOString() }
}
