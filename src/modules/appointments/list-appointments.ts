import { sql, type Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  AppointmentDetail,
  AppointmentQuery,
  AppointmentView,
  AppointmentNoticeView,
} from '../../contract/dashboard/appointment.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type {
  AppointmentNoticeKind,
  AppointmentNoticeState,
} from '../../core/vocabulary/appointments.ts'
import { readAppointments } from './appointment.ts'
import { requireAppointment, type OwnedAppointment } from './require-appointment.ts'
import { viewAppointment } from './view-appointment.ts'
import type { DB } from '../../infra/database/tables.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { NOTICE_SEND_KEY } from './due-notices.sql.ts'

type Row = {
  id: string
  kind: AppointmentNoticeKind
  state: AppointmentNoticeState
  reason: string | null
  settledAt: Date | null
  /** The reason of the last failure of its message, if it failed permanently. */
  whyFailed: string | null
  hasFailed: boolean
}

/** Returns the notices of an appointment in order, with the failures of their messages. */
async function viewNotices(
  db: Kysely<DB>,
  formatFact: FormatFact,
  { companyId, appointmentId }: OwnedAppointment,
): Promise<AppointmentNoticeView[]> {
  const { rows } = await sql<Row>`
    select notice.id, kind, state, reason, settled_at, last.error_detail as why_failed,
      coalesce(last.status = 'failed' and last.due_at is null, false) as has_failed
    from appointment_notice notice
      left join lateral (select status, error_detail, due_at from message
        where send_key = ${NOTICE_SEND_KEY} || notice.id order by attempt desc limit 1) last on true
    where notice.appointment_id = ${appointmentId} and notice.company_id = ${companyId}
    order by version`.execute(db)
  return rows.map(({ kind, state, reason, settledAt, whyFailed, hasFailed }) => {
    const why = hasFailed ? whyFailed : reason
    const isMail = state === 'mailing' || state === 'mailed' || state === 'unknown'
    return {
      kind,
      state: hasFailed ? 'skipped' : state,
      by: isMail ? 'email' : state === 'queued' ? 'message' : null,
      at: state === 'pending' ? null : (settledAt?.toISOString() ?? null),
      why: why === null ? null : formatFact(parseFact(why)),
    }
  })
}

/** Returns appointments by their start, earliest first. Spec: Appointments › Members. */
export async function listAppointments(
  { db }: Pick<Context, 'db'>,
  { companyId, ...query }: AppointmentQuery & { companyId: string },
): Promise<Page<AppointmentView>> {
  const { from, to, resourceId, serviceId, status, contactId, cursor, limit } = query
  const conditions = [
    sql`appointment.company_id = ${companyId}`,
    ...(from ? [sql`starts_at >= ${from}`] : []),
    ...(to ? [sql`starts_at < ${to}`] : []),
    ...(status ? [sql`appointment.status = ${status}`] : []),
    ...(serviceId ? [sql`appointment.service_id = ${serviceId}`] : []),
    ...(contactId ? [sql`appointment.contact_id = ${contactId}`] : []),
    ...(resourceId
      ? [
          sql`exists (select from appointment_busy
            where appointment_id = appointment.id and resource_id = ${resourceId})`,
        ]
      : []),
    ...(cursor
      ? [
          // The first condition uses the index; ids are compared as text, as any text may be given.
          sql`starts_at >= ${cursor.by}::timestamptz`,
          sql`(starts_at, appointment.id::text) > (${cursor.by}::timestamptz, ${cursor.id})`,
        ]
      : []),
  ]
  const rows = await readAppointments(
    db.kysely,
    sql.join(conditions, sql` and `),
    sql`order by starts_at, appointment.id limit ${limit + 1}`,
  )
  return toOrderedPage(
    rows,
    limit,
    ({ startsAt, id }) => ({ by: startsAt.toISOString(), id }),
    viewAppointment,
  )
}

/** Returns an appointment with its reminders and its notices. @throws not_found */
export async function showAppointment(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  owned: OwnedAppointment,
): Promise<AppointmentDetail> {
  const row = await requireAppointment(db.kysely, owned)
  const reminders = await db.kysely
    .selectFrom('reminder')
    .select(['flowId', 'dueAt', 'state', 'runId'])
    .where('appointmentId', '=', row.id)
    .where('companyId', '=', owned.companyId)
    .orderBy('dueAt')
    .execute()
  return {
    ...viewAppointment(row),
    notices: await viewNotices(db.kysely, formatFact, owned),
    reminders: reminders.map(({ dueAt, ...reminder }) => ({
      ...reminder,
      dueAt: dueAt.toISOString(),
    })),
  }
}
