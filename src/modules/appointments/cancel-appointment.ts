/** Cancellations of appointments: by the customer's link, in a conversation, or by members. */
import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import { notifyAfterCommit } from '../../infra/database/after-commit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { serializeFact } from '../../core/facts/stored-fact.ts'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { mayCancel } from '../../rules/appointments/may-cancel.ts'
import { cleanText, cutCodePoints } from '../../rules/text/json-text.ts'
import type { AppointmentCanceller, AppointmentStatus } from '../../core/vocabulary/appointments.ts'
import {
  appointmentEvent,
  raiseOrDefer,
  readAppointments,
  type AppointmentDeps,
} from './appointment.ts'
import { planNotices } from './plan-notices.sql.ts'
import { lockAppointments } from './lock-appointments.sql.ts'

/** A request to cancel an appointment. */
export type Cancellation = {
  companyId: string
  appointmentId: string
  by: AppointmentCanceller
  reason: string | null
  /** The member, or the run of a flow. */
  actorId: string | null
}

/**
 * The outcome of a cancellation. It is `cancelled` also when it was cancelled before, which changes nothing. With
 * `too_late`, it has begun, or the link's deadline has passed. With `over`, a member recorded that it took place, or
 * a no-show.
 */
export type CancelOutcome = 'cancelled' | 'too_late' | 'over' | 'not_found'

/** Cancels an appointment, in a transaction. Spec: Appointments › Cancelling. */
export async function cancelAppointment(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  cancellation: Cancellation,
): Promise<CancelOutcome> {
  return transaction(db, async (tx) => {
    return (await cancelAppointments(tx, { ids, now: clock.now() }, [cancellation]))[0]!
  })
}

/**
 * Cancels in the caller's transaction, in few statements for any number; outcomes are in the order of the requests.
 * Slots become free; `appointment.cancelled` is raised once for each; pending reminders are skipped, and the runs of
 * started ones end, except the cancelling run.
 *
 * Isolation: the appointments are locked in the order of their ids; conversations and runs before, by the caller.
 */
export async function cancelAppointments(
  tx: Transaction<DB>,
  deps: AppointmentDeps,
  cancellations: readonly Cancellation[],
): Promise<CancelOutcome[]> {
  if (cancellations.length === 0) return []
  const locked = await lockAppointments(tx, cancellations)
  const toCancel = new Map<string, Cancellation>()
  const outcomes = cancellations.map((cancellation): CancelOutcome => {
    const { appointmentId, companyId, by } = cancellation
    const row = locked.get(appointmentId)
    if (row?.companyId !== companyId) return 'not_found'
    if (toCancel.has(row.id)) return 'cancelled'
    const status = row.status as AppointmentStatus
    const verdict = mayCancel({ ...row, status }, by, deps.now)
    if (verdict === 'may') toCancel.set(row.id, cancellation)
    return verdict === 'may' || verdict === 'already' ? 'cancelled' : verdict
  })
  await write(tx, deps, [...toCancel.values()])
  return outcomes
}

async function write(
  tx: Transaction<DB>,
  deps: AppointmentDeps,
  cancellations: readonly Cancellation[],
): Promise<void> {
  if (cancellations.length === 0) return
  const { ids, now } = deps
  const inputs = cancellations.map(({ reason, by, ...one }) => ({
    ...one,
    by,
    actor: ACTORS[by],
    reason: reason && cutCodePoints(cleanText(reason).trim(), APPOINTMENT_LIMITS.reasonChars),
    entryId: ids.uuid(),
  }))
  const appointmentIds = inputs.map(({ appointmentId }) => appointmentId)
  const { rows } = await sql<{ isStopping: boolean }>`
    with input as (
      select * from unnest(${appointmentIds}::uuid[], ${inputs.map((one) => one.by)}::text[],
        ${inputs.map(({ reason }) => reason || null)}::text[],
        ${inputs.map(({ entryId }) => entryId)}::uuid[], ${inputs.map(({ actor }) => actor)}::text[],
        ${inputs.map(({ actorId }) => actorId)}::uuid[])
        as cancellation (id, by, reason, entry_id, actor_kind, actor_id)
    ), cancelled as (
      update appointment set status = 'cancelled', cancelled_at = ${now}, cancelled_by = input.by,
        cancellation_reason = input.reason, version = version + 1, updated_at = ${now}
      from input where appointment.id = input.id
    ), freed as (
      update appointment_busy set is_free = true where appointment_id = any(${appointmentIds}::uuid[])
    ), entries as (
      insert into appointment_entry (id, company_id, appointment_id, kind, actor_kind, actor_id, data, at)
      select entry_id, company_id, input.id, 'cancelled', actor_kind, actor_id,
        jsonb_build_object('by', input.by, 'reason', input.reason), ${now}
      from input join appointment on appointment.id = input.id
    )
    update reminder set state = case when state = 'pending' then 'skipped' else 'stopping' end,
      reason = case when state = 'pending' then ${serializeFact(fact('appointment_cancelled'))} end
    from input
    where appointment_id = input.id and state in ('pending', 'started')
      and (input.by <> 'flow' or run_id is distinct from input.actor_id)
    returning state = 'stopping' as is_stopping`.execute(tx)
  if (rows.some(({ isStopping }) => isStopping)) notifyAfterCommit(tx, 'reminders')
  const changed = await readAppointments(tx, sql`appointment.id = any(${appointmentIds}::uuid[])`)
  const byId = new Map(changed.map((row) => [row.id, row]))
  await planNotices(
    tx,
    deps,
    inputs.flatMap(({ companyId, appointmentId, by }) =>
      by === 'member'
        ? [
            {
              companyId,
              appointmentId,
              version: byId.get(appointmentId)!.version,
              kind: 'cancelled',
              by,
            },
          ]
        : [],
    ),
  )
  await raiseOrDefer(
    tx,
    deps,
    appointmentIds.map((id) => appointmentEvent('appointment.cancelled', byId.get(id)!, now)),
  )
}

const ACTORS: Record<AppointmentCanceller, 'customer' | 'assistant' | 'flow' | 'member'> = {
  link: 'customer',
  assistant: 'assistant',
  flow: 'flow',
  member: 'member',
}
