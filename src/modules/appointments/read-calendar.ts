import { sql } from 'kysely'
import { AccountOnHold } from '../accounts/account-hold.ts'
import type { Context } from '../../infra/context.ts'
import { CALENDAR_LIMITS } from '../../core/limits/appointments.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { writeCalendar, type CalendarEvent } from '../../rules/appointments/calendar-text.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { readAppointments, type AppointmentRow } from './appointment.ts'
import { isCalendarToken } from './calendar-links.ts'

/**
 * Returns the calendar of a member's secret link: 30 days back and a year ahead, with cancelled appointments marked.
 * Returns null for invalid tokens, and for those of former members.
 * @throws AccountOnHold when the account works in another installation
 *
 * Spec: Appointments › Calendars.
 */
export async function readCalendar(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<string | null> {
  if (!isCalendarToken(token)) return null
  const { rows } = await sql<{
    companyId: string
    resourceId: string | null
    name: string | null
    address: string | null
    hold: string | null
  }>`
    select calendar_link.company_id, calendar_link.resource_id, booking_page.address,
      (select hold from account where account.id = company.account_id) as hold,
      coalesce((select name from resource where resource.id = calendar_link.resource_id),
        booking_page.name, company.name) as name
    from calendar_link
      join company on company.id = calendar_link.company_id
      join member on member.person_id = calendar_link.person_id
        and member.account_id = company.account_id
      left join booking_page on booking_page.company_id = company.id
    where token_hash = ${tokenHash(token)}`.execute(db.kysely)
  const [link] = rows
  if (!link) return null
  if (link.hold === 'moved') throw new AccountOnHold(link.hold)
  const now = clock.now().getTime()
  const { pastDays, comingDays, appointments } = CALENDAR_LIMITS
  const found = await readAppointments(
    db.kysely,
    sql`appointment.company_id = ${link.companyId}
      and starts_at >= ${new Date(now - pastDays * DAY_MS)}
      and starts_at < ${new Date(now + comingDays * DAY_MS)}
      and (${link.resourceId}::uuid is null or exists (select from appointment_busy
        where appointment_id = appointment.id and resource_id = ${link.resourceId}))`,
    sql`order by starts_at, appointment.id limit ${appointments}`,
  )
  return writeCalendar(
    link.name ?? '',
    found.map((row) => eventOf(row, link.address)),
  )
}

function eventOf(row: AppointmentRow, address: string | null): CalendarEvent {
  const namesOf = (kind: string) =>
    row.resources.filter((one) => one.kind === kind).map(({ name }) => name)
  const places = [...namesOf('room'), ...(address === null ? [] : [address])]
  const number = row.phone ?? row.rawPhone
  return {
    id: row.id,
    version: row.version,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    changedAt: row.updatedAt,
    isCancelled: row.status === 'cancelled',
    summary: [row.serviceName, row.customerName].filter((part) => part !== null).join(' – '),
    description: [row.reference, ...namesOf('person'), number, row.email].filter(
      (part) => part !== null,
    ),
    location: places.length === 0 ? null : places.join(', '),
  }
}
