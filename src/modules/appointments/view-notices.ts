import { sql, type Kysely } from 'kysely'
import type { AppointmentNoticeView } from '../../contract/dashboard/appointment.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import type {
  AppointmentNoticeKind,
  AppointmentNoticeState,
} from '../../core/vocabulary/appointments.ts'
import { NOTICE_SEND_KEY } from './due-notices.sql.ts'
import type { OwnedAppointment } from './require-appointment.ts'

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
export async function viewNotices(
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
