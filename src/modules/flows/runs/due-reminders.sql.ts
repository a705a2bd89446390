import { sql, type Kysely, type Transaction } from 'kysely'
import type { AppointmentResource } from '../../appointments/appointment.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { fact } from '../../../core/facts/fact.ts'
import {
  ADDRESS_COLUMNS,
  addressOnChannel,
  identifierOf,
  type AddressRow,
} from '../../messaging/identifier-on-channel.ts'
import type { Identifier } from '../../../rules/identity/identifier.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'

/** A due reminder with everything that its run depends on. */
export type DueReminder = {
  appointmentId: string
  flowId: string
  version: number
  state: 'pending' | 'stopping'
  runId: string | null
  accountId: string
  companyId: string
  companyName: string | null
  plan: Plan
  /** The flow's version; null when the flow is off, or has no version or channel. */
  versionId: string | null
  channelId: string
  channelType: string
  isConnected: boolean
  contactId: string | null
  optedOutAt: Date | null
  contactLanguage: string | null
  /** The identifier of the customer on the channel; null when they cannot be written to. */
  identifier: Identifier | null
  lastCustomerAt: Date | null
  reference: string
  serviceName: string
  serviceNameAr: string | null
  startsAt: Date
  zone: string
  language: string | null
  resources: AppointmentResource[]
}

type Row = Omit<DueReminder, 'identifier'> & AddressRow

/** Loads due reminders, the longest due first, without locks; see `lockReminders`. */
export async function readDueReminders(
  db: Kysely<DB>,
  now: Date,
  limit: number,
): Promise<DueReminder[]> {
  const { rows } = await sql<Row>`
    select reminder.appointment_id, reminder.flow_id, reminder.version, reminder.state, reminder.run_id,
      company.account_id, reminder.company_id, company.name as company_name, account.plan,
      case when flow.is_on and flow.deleted_at is null then flow_version.id end as version_id,
      channel.id as channel_id, channel.type as channel_type,
      coalesce(channel.is_connected, false) as is_connected,
      appointment.contact_id, contact.opted_out_at, contact.language as contact_language,
      ${ADDRESS_COLUMNS}, talk.last_customer_at,
      appointment.reference, appointment.service_name, appointment.service_name_ar,
      appointment.starts_at, appointment.zone, appointment.language,
      (select coalesce(json_agg(json_build_object('id', resource.id, 'name', resource.name,
          'nameAr', resource.name_ar, 'kind', resource.kind) order by resource.kind, resource.name), '[]')
        from appointment_busy join resource on resource.id = resource_id
        where appointment_busy.appointment_id = appointment.id) as resources
    from (select * from reminder where state in ('pending', 'stopping') and due_at <= ${now}
        order by due_at, appointment_id limit ${limit}) reminder
      join appointment on appointment.id = reminder.appointment_id
      join company on company.id = reminder.company_id
      join account on account.id = company.account_id
      join flow on flow.id = reminder.flow_id
      left join flow_version on flow_version.id = flow.published_version_id
      left join channel on channel.id = flow_version.channel_id and channel.deleted_at is null
      left join contact on contact.id = appointment.contact_id
      left join lateral (select * from conversation
        where conversation.contact_id = contact.id and conversation.channel_id = channel.id
        order by coalesce(last_message_at, created_at) desc limit 1) talk on true
      left join lateral (${addressOnChannel(sql`channel.id`)}) address on true`.execute(db)
  return rows.map((row) => ({ ...row, identifier: identifierOf(row) }))
}

type Key = Pick<DueReminder, 'appointmentId' | 'flowId' | 'version' | 'state'>

/** Returns the map key of a reminder, by appointment, flow and version. */
export const reminderKey = ({ appointmentId, flowId, version }: Omit<Key, 'state'>) =>
  `${appointmentId} ${flowId} ${version}`

/**
 * Locks reminders until the commit and returns the keys of those that are unchanged since they were read: a
 * cancellation may have skipped them, or another node started them.
 * Isolation: locked in key order, after conversations and runs; their appointments are locked first, as a
 * cancellation or move does it.
 */
export async function lockReminders(
  tx: Transaction<DB>,
  reminders: readonly Key[],
): Promise<Set<string>> {
  await sql`
    select from appointment
    where id = any(${reminders.map(({ appointmentId }) => appointmentId)}::uuid[])
    order by id for key share`.execute(tx)
  const { rows } = await sql<Omit<Key, 'state'>>`
    select reminder.appointment_id, reminder.flow_id, reminder.version from reminder
      join unnest(${reminders.map(({ appointmentId }) => appointmentId)}::uuid[],
        ${reminders.map(({ flowId }) => flowId)}::uuid[],
        ${reminders.map(({ version }) => version)}::int[],
        ${reminders.map(({ state }) => state)}::text[])
        as input (appointment_id, flow_id, version, state)
        using (appointment_id, flow_id, version, state)
    order by reminder.appointment_id, reminder.flow_id, reminder.version
    for update of reminder`.execute(tx)
  return new Set(rows.map(reminderKey))
}

/** The outcome of a due reminder. */
export type ReminderOutcome = Omit<Key, 'state'> & {
  state: 'started' | 'skipped' | 'stopped'
  runId: string | null
  /** A serialised fact. */
  reason: string | null
}

/** Records the outcomes of reminders. */
export async function recordReminderOutcomes(
  tx: Transaction<DB>,
  settled: readonly ReminderOutcome[],
): Promise<void> {
  await sql`
    update reminder set state = outcome.state, run_id = outcome.run_id, reason = outcome.reason
    from unnest(${settled.map(({ appointmentId }) => appointmentId)}::uuid[],
      ${settled.map(({ flowId }) => flowId)}::uuid[],
      ${settled.map(({ version }) => version)}::int[],
      ${settled.map(({ state }) => state)}::text[], ${settled.map(({ runId }) => runId)}::uuid[],
      ${settled.map(({ reason }) => reason)}::text[])
      as outcome (appointment_id, flow_id, version, state, run_id, reason)
    where reminder.appointment_id = outcome.appointment_id and reminder.flow_id = outcome.flow_id
      and reminder.version = outcome.version`.execute(tx)
}

/**
 * Skips the reminders that were due before a backup was restored: they may have been sent since the backup, and no
 * customer is reminded twice. For the operator, while nothing sends. Returns how many.
 */
export async function skipRestoredReminders(db: Kysely<DB>, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update reminder set state = 'skipped', reason = ${serializeFact(fact('reminder_restored'))}
    where state = 'pending' and due_at <= ${before}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Returns the time when the next reminder is due, or null when none waits. */
export async function nextReminderDueAt(db: Kysely<DB>): Promise<Date | null> {
  const { rows } = await sql<{ dueAt: Date }>`
    select due_at from reminder where state in ('pending', 'stopping')
    order by due_at limit 1`.execute(db)
  return rows[0]?.dueAt ?? null
}

/** Postpones the reminder that has been due longest, after it failed. */
export async function postponeFirstReminder(
  db: Kysely<DB>,
  now: Date,
  byMs: number,
): Promise<void> {
  await sql`
    update reminder set due_at = ${new Date(now.getTime() + byMs)}
    where (appointment_id, flow_id, version) = (
      select appointment_id, flow_id, version from reminder
      where state in ('pending', 'stopping') and due_at <= ${now}
      order by due_at, appointment_id limit 1)`.execute(db)
}
