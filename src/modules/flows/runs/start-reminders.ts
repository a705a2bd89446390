/** Reminders of appointments by flows. Spec: Appointments › Reminders. */
import type { Transaction } from 'kysely'
import { makeAppointmentLinks } from '../../appointments/appointment-links.ts'
import type { Context } from '../../../infra/context.ts'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { isDatabaseUnavailable } from '../../../infra/database/is-database-unavailable.ts'
import { isLockTimeout, transaction } from '../../../infra/database/transaction.ts'
import { raiseEvents } from '../../events/raise-event.ts'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { serializeFact } from '../../../core/facts/stored-fact.ts'
import type { Ids } from '../../../core/ids.ts'
import { REMINDER_LIMITS } from '../../../core/limits/appointments.ts'
import { lockCustomers } from '../../messaging/lock-customer.ts'
import { resolveCustomers } from '../../messaging/resolve-customers.ts'
import type { Customer } from '../../messaging/plan-customer-resolution.ts'
import { appointmentValues } from '../../../rules/appointments/appointment-values.ts'
import { whyNotStarted } from '../../../rules/messaging/may-send.ts'
import { loadRunningFlows } from '../design/load-running-flows.ts'
import type { FlowVersion, ReadVersion } from '../design/load-version.ts'
import { reachedSteps, stepOf, stepsBeforeTemplate } from '../design/flow-graph.ts'
import { designOf } from '../../../flow-kinds/steps/steps.ts'
import { cancelRuns } from './cancel-runs.sql.ts'
import {
  lockReminders,
  postponeFirstReminder,
  readDueReminders,
  reminderKey,
  recordReminderOutcomes,
  type DueReminder,
  type ReminderOutcome,
} from './due-reminders.sql.ts'
import { startRuns } from './start-runs.ts'

type Deps = { ids: Ids; now: Date; readVersion: ReadVersion; publicUrl(): string }

/**
 * Starts the runs of a page of due reminders, and cancels the runs of cancelled appointments. A late reminder, after a
 * downtime, still starts unless its appointment has begun. One that cannot start is skipped with a reason. Returns how
 * many were handled.
 *
 * Isolation: locks the customers' ids, their conversations, then the reminders: two nodes that read the same page
 * start each reminder once.
 */
export async function startReminders(
  context: Pick<Context, 'db' | 'ids' | 'clock' | 'log'>,
  deps: Pick<Deps, 'readVersion' | 'publicUrl'>,
): Promise<number> {
  try {
    return await startPage(context, deps, REMINDER_LIMITS.page)
  } catch (error) {
    if (isLockTimeout(error) || isDatabaseUnavailable(error)) throw error
    context.log.warn({ err: error }, 'reminders not started together: starting each separately')
  }
  // Postpones a failing reminder, so that it does not block others.
  try {
    return await startPage(context, deps, 1)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    context.log.error({ err: error }, 'reminder not started: retrying later')
    await postponeFirstReminder(context.db.kysely, context.clock.now(), REMINDER_LIMITS.retryMs)
    return 1
  }
}

async function startPage(
  context: Pick<Context, 'db' | 'ids' | 'clock'>,
  deps: Pick<Deps, 'readVersion' | 'publicUrl'>,
  limit: number,
): Promise<number> {
  return transaction(context.db, async (tx) => {
    const now = context.clock.now()
    const due = await lockDueReminders(tx, now, limit)
    if (due.length === 0) return 0
    const all = { ...deps, ids: context.ids, now }
    const stopped = await stop(
      tx,
      now,
      due.filter(({ state }) => state === 'stopping'),
    )
    const pending = due.filter(({ state }) => state === 'pending')
    const { startable, skipped } = await splitStartable(tx, all, pending)
    const begun = await startAll(tx, all, startable, skipped)
    await recordReminderOutcomes(tx, [...stopped, ...begun])
    return stopped.length + begun.length
  })
}

/**
 * Reads due reminders, locks their customers and reads them again: one whose identifier changed follows in the next
 * page.
 */
async function lockDueReminders(
  tx: Transaction<DB>,
  now: Date,
  limit: number,
): Promise<DueReminder[]> {
  const seen = await readDueReminders(tx, now, limit)
  if (seen.length === 0) return []
  await lockCustomers(
    tx,
    seen.map(({ companyId, identifier }) => ({
      companyId,
      identifiers: identifier ? [identifier] : [],
    })),
  )
  const locked = new Map(seen.map((one) => [reminderKey(one), one.identifier]))
  return (await readDueReminders(tx, now, limit)).filter((one) => {
    const before = locked.get(reminderKey(one))
    return before?.kind === one.identifier?.kind && before?.key === one.identifier?.key
  })
}

async function stop(
  tx: Transaction<DB>,
  now: Date,
  reminders: readonly DueReminder[],
): Promise<ReminderOutcome[]> {
  if (reminders.length === 0) return []
  const runIds = reminders.flatMap(({ runId }) => runId ?? [])
  await cancelRuns(tx, now, { runIds }, fact('appointment_cancelled'))
  const held = await lockReminders(tx, reminders)
  return reminders
    .filter((one) => held.has(reminderKey(one)))
    .map((one) => ({ ...one, state: 'stopped', reason: null }))
}

type Startable = { reminder: DueReminder; version: FlowVersion; customer: Customer }
type Skipped = { reminder: DueReminder; why: Fact }

async function splitStartable(
  tx: Transaction<DB>,
  deps: Deps,
  reminders: readonly DueReminder[],
): Promise<{ startable: Startable[]; skipped: Skipped[] }> {
  const running = new Map<string, Set<string>>()
  for (const { companyId, plan } of reminders) {
    if (running.has(companyId)) continue
    running.set(companyId, await loadRunningFlows(tx, companyId, plan))
  }
  const startable: Startable[] = []
  const skipped: Skipped[] = []
  for (const reminder of reminders) {
    const isOn = running.get(reminder.companyId)!.has(reminder.flowId)
    const { versionId } = reminder
    const version = isOn && versionId ? await deps.readVersion(tx, versionId) : null
    const why = whySkipped(reminder, version, deps.now)
    if (why || !version) skipped.push({ reminder, why: why ?? fact('reminder_flow_off') })
    else startable.push({ reminder, version, customer: customerOf(reminder, deps.now) })
  }
  return { startable, skipped }
}

function whySkipped(reminder: DueReminder, version: FlowVersion | null, now: Date): Fact | null {
  const { startsAt, identifier, isConnected, plan, optedOutAt, lastCustomerAt } = reminder
  if (startsAt <= now) return fact('reminder_too_late')
  if (!version) return fact('reminder_flow_off')
  if (identifier === null) return fact('start_contact_not_on_channel')
  const { unsent } = stepsBeforeTemplate(version.definition)
  const refusal = whyNotStarted(
    {
      channel: { type: reminder.channelType, isConnected, why: null },
      plan,
      optedOutAt,
      lastCustomerAt,
    },
    { isOn: true, sendsTemplateFirst: unsent.length === 0 },
    now,
  )
  return refusal?.detail ?? null
}

function customerOf(reminder: DueReminder, at: Date): Customer {
  const { companyId, companyName, channelId, channelType, identifier } = reminder
  const phone = identifier!.kind === 'number' ? `+${identifier!.value}` : null
  return {
    company: { id: companyId, name: companyName },
    channel: { id: channelId, type: channelType },
    identifiers: [identifier!],
    reported: { name: null, phone, whatsappId: null, language: null, tag: null, source: 'member' },
    learns: false,
    announces: 'none',
    at,
  }
}

/** Returns the template's language, which applies when the customer's is unknown, and so for its values. */
function languageOfTemplate(flow: FlowDefinition): string {
  const [first] = [...reachedSteps(flow)].flatMap((id) => {
    const step = stepOf(flow, id)!
    return designOf(step).template?.(step) ?? []
  })
  return first?.language ?? 'ar'
}

async function startAll(
  tx: Transaction<DB>,
  deps: Deps,
  startable: readonly Startable[],
  skipped: readonly Skipped[],
): Promise<ReminderOutcome[]> {
  const customers = startable.map(({ customer }) => customer)
  const { resolved, events } = await resolveCustomers(tx, deps, customers)
  await raiseEvents(tx, deps, events)
  const reminders = [...startable, ...skipped].map(({ reminder }) => reminder)
  const held = await lockReminders(tx, reminders)
  const starting = startable
    .map((entry, index) => ({ ...entry, resolved: resolved[index]! }))
    .filter(({ reminder }) => held.has(reminderKey(reminder)))
  const links = await makeAppointmentLinks(
    tx,
    deps,
    starting.map(({ reminder }) => ({ id: reminder.appointmentId, companyId: reminder.companyId })),
  )
  const runIds = await startRuns(
    tx,
    deps,
    starting.map(({ reminder, version, resolved: { contact, conversation } }) => {
      const link = `${deps.publicUrl()}/a/${links.get(reminder.appointmentId)!}`
      const language = reminder.language ?? reminder.contactLanguage
      const spoken = language ?? languageOfTemplate(version.definition)
      return {
        accountId: reminder.accountId,
        companyId: reminder.companyId,
        flowId: reminder.flowId,
        flowVersionId: version.id,
        channelId: reminder.channelId,
        conversationId: conversation.id,
        contactId: contact.id,
        triggerKind: version.definition.trigger.kind,
        triggerMessageId: null,
        idempotencyKey: null,
        language,
        variables: appointmentValues(reminder, link, spoken.startsWith('ar') ? 'ar' : 'en'),
      }
    }),
  )
  return [
    ...starting.map(({ reminder }, index): ReminderOutcome => {
      return { ...reminder, state: 'started', runId: runIds[index]!, reason: null }
    }),
    ...skipped
      .filter(({ reminder }) => held.has(reminderKey(reminder)))
      .map(({ reminder, why }): ReminderOutcome => {
        return { ...reminder, state: 'skipped', reason: serializeFact(why) }
      }),
  ]
}
