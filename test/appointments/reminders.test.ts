/** Flows remind of appointments: planned when they are booked, planned anew when they move, gone with them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppointmentDetail } from '../../src/contract/dashboard/appointment.ts'
import { bookAppointments } from '../../src/appointments/book-appointment.ts'
import { cancelAppointment, cancelAppointments } from '../../src/appointments/cancel-appointment.ts'
import { findByToken } from '../../src/appointments/find-by-token.ts'
import { lockAppointments } from '../../src/appointments/lock-appointments.sql.ts'
import { setReminderFlow } from '../../src/appointments/plan-reminders.sql.ts'
import { transaction } from '../../src/database/transaction.ts'
import { skipRestoredReminders } from '../../src/flows/runs/due-reminders.sql.ts'
import { customerLockKey } from '../../src/messaging/lock-customer.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { waitUntilBlocked } from '../support/blocked.ts'
import {
  bookableShop,
  booked,
  customerOf,
  requestOf,
  type BookableShop,
} from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createWorld, type World } from '../support/service.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let bookable: BookableShop
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  const { tell } = ORDER_READY_STEPS
  shop = await whatsApp.openShop({
    trigger: { kind: 'manual' },
    steps: {
      ...ORDER_READY_STEPS,
      tell: {
        ...tell,
        body: [
          { name: '1', text: '{{vars.appointment_service}}' },
          { name: '2', text: '{{vars.appointment_date}} {{vars.appointment_time}}' },
        ],
      },
    },
  })
  bookable = await bookableShop(world, shop.companyId)
  await remindBefore(24 * 60)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const remindBefore = (minutesBefore: number | null) =>
  transaction(world.database.db, (tx) =>
    setReminderFlow(tx, world.clock.now(), {
      companyId: shop.companyId,
      flowId: shop.flowId,
      minutesBefore,
    }),
  )
/** 10:00 in Riyadh, so many days from now on. */
const inDays = (days: number) =>
  new Date(Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS + days * DAY_MS + 7 * HOUR_MS)
const book = async (startsAt: Date, phone = newPhone()) => {
  const customer = customerOf({ name: 'Sara', phone })
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  return { phone, ...booked(await bookable.book({ serviceId, startsAt, customer })) }
}
const toMoment = async (time: Date) => {
  world.clock.moveTo(time.toISOString())
  await whatsApp.settle()
}
const before = (time: Date, ms: number) => new Date(time.getTime() - ms)
async function act(appointmentId: string, what: string, json: object = {}) {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const at = `/companies/${shop.companyId}/appointments/${appointmentId}`
  expect((await agent.ask('POST', `${at}/${what}`, json)).status).toBe(200)
}
async function remindersOf(appointmentId: string) {
  const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const at = `/companies/${shop.companyId}/appointments/${appointmentId}`
  return (await agent.ask<AppointmentDetail>('GET', at)).body.reminders
}
const statesOf = async (appointmentId: string) =>
  (await remindersOf(appointmentId)).map(({ state }) => state)
const runsOf = (contactId: string | null) =>
  world.database.db.kysely
    .selectFrom('flowRun')
    .select(['id', 'status', 'variables', 'cancelDetail'])
    .where('contactId', '=', contactId)
    .execute()
const reasonOf = async (appointmentId: string) =>
  (
    await world.database.db.kysely
      .selectFrom('reminder')
      .select('reason')
      .where('appointmentId', '=', appointmentId)
      .executeTakeFirstOrThrow()
  ).reason

test('a day before, a run begins with the appointment in words and a link that opens; once, on two nodes too', async () => {
  const startsAt = inDays(3)
  const made = await book(startsAt)
  expect(await remindersOf(made.id)).toMatchObject([
    { state: 'pending', dueAt: before(startsAt, DAY_MS).toISOString() },
  ])
  await toMoment(before(startsAt, DAY_MS + 1))
  expect(await runsOf(made.contactId)).toEqual([])
  world.clock.moveTo(before(startsAt, DAY_MS).toISOString())
  await Promise.all([world.service.processAll(), world.service.processAll()])
  await whatsApp.settle()
  const [run, ...others] = await runsOf(made.contactId)
  expect(others).toEqual([])
  expect(run!.status).toBe('waiting')
  const variables = JSON.parse(run!.variables) as Record<string, string>
  expect(variables).toMatchObject({
    appointment_reference: made.reference,
    appointment_service: 'قص شعر',
    appointment_time: '10:00',
  })
  const [, token] = variables.appointment_link!.split('/a/')
  expect(await findByToken(world.service.context, token!)).toMatchObject({ id: made.id })
  expect(await remindersOf(made.id)).toMatchObject([{ state: 'started', runId: run!.id }])
  const said = world.receiver.events('appointment.booked').filter(({ data }) => {
    return (data as { appointment: { id: string } }).appointment.id === made.id
  })
  expect(said).toHaveLength(1)
})

test('whoever is given another number as it begins is reminded there', async () => {
  const startsAt = inDays(3)
  const { contactId, phone } = await book(startsAt)
  world.clock.moveTo(before(startsAt, DAY_MS).toISOString())
  const { pool } = world.database.db
  const change = await pool.connect()
  const lock = customerLockKey(shop.companyId, { kind: 'number', value: phone.slice(1) })
  await change.query('begin')
  await change.query('select pg_advisory_xact_lock($1)', [String(lock)])
  const done = world.service.processAll()
  await waitUntilBlocked('the reminder to wait for the number', pool, change)
  const other = newPhone()
  await change.query('update contact set phone = $1 where id = $2', [other, contactId])
  await change.query('delete from contact_alias where contact_id = $1', [contactId])
  await change.query('commit')
  change.release()
  await done
  await processUnwoken(world)
  await whatsApp.settle()
  expect(await runsOf(contactId)).toMatchObject([{ status: 'waiting' }])
  expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ to: other.slice(1) })
})

test('booked within the day before it: nobody is reminded of what was just booked', async () => {
  const startsAt = inDays(1)
  world.clock.moveTo(before(startsAt, 20 * HOUR_MS).toISOString())
  const made = await book(startsAt)
  expect(await remindersOf(made.id)).toEqual([])
})

systemTest('moved: one reminder, at the new time; to within the day before it: none', async () => {
  const made = await book(inDays(3))
  const next = inDays(5)
  await act(made.id, 'move', { startsAt: next })
  expect(await remindersOf(made.id)).toMatchObject([
    { state: 'pending', dueAt: before(next, DAY_MS).toISOString() },
  ])
  await toMoment(before(next, DAY_MS))
  expect(await runsOf(made.contactId)).toHaveLength(1)

  const other = await book(inDays(4))
  await act(other.id, 'move', { startsAt: new Date(world.clock.now().getTime() + 5 * HOUR_MS) })
  expect(await remindersOf(other.id)).toEqual([])
})

test('cancelled: what has not begun is skipped, and the run that has ends in silence', async () => {
  const [startsAt, waiting] = [inDays(4), inDays(2)]
  const made = await book(startsAt)
  await act(made.id, 'cancel')
  expect(await statesOf(made.id)).toEqual(['skipped'])
  expect(await reasonOf(made.id)).toContain('appointment_cancelled')

  const reminded = await book(waiting)
  await toMoment(before(waiting, DAY_MS))
  expect(await runsOf(reminded.contactId)).toMatchObject([{ status: 'waiting' }])
  await cancelAppointment(world.service.context, {
    companyId: shop.companyId,
    appointmentId: reminded.id,
    by: 'link',
    reason: null,
    actorId: null,
  })
  await whatsApp.settle()
  expect(await statesOf(reminded.id)).toEqual(['stopped'])
  const [run] = await runsOf(reminded.contactId)
  expect(run!.status).toBe('cancelled')
  await toMoment(startsAt)
  expect(await runsOf(made.contactId)).toEqual([])
})

test('down over its time: back before the start it is sent late, after the start it is skipped', async () => {
  const startsAt = inDays(3)
  const [one, two] = [await book(startsAt), await book(new Date(startsAt.getTime() + 2 * HOUR_MS))]
  world.clock.moveTo(new Date(startsAt.getTime() + 1).toISOString())
  await whatsApp.settle()
  expect(await statesOf(one.id)).toEqual(['skipped'])
  expect(await reasonOf(one.id)).toContain('reminder_too_late')
  expect(await statesOf(two.id)).toEqual(['started'])
  expect(await runsOf(two.contactId)).toHaveLength(1)
})

test('a restored backup shows it due: whether it began since is not known, and nobody is reminded twice', async () => {
  const startsAt = inDays(3)
  const [one, two] = [await book(startsAt), await book(new Date(startsAt.getTime() + 2 * HOUR_MS))]
  const { kysely } = world.database.db
  const restoredAt = before(startsAt, DAY_MS - HOUR_MS)
  world.clock.moveTo(restoredAt.toISOString())
  expect(await skipRestoredReminders(kysely, restoredAt)).toBe(1)
  await toMoment(startsAt)
  expect(await statesOf(one.id)).toEqual(['skipped'])
  expect(await reasonOf(one.id)).toContain('reminder_restored')
  expect(await runsOf(one.contactId)).toEqual([])
  expect(await statesOf(two.id)).toEqual(['started'])
})

test('who has opted out, whose flow is off, whom no number reaches: skipped, and it says why', async () => {
  const startsAt = inDays(3)
  const later = (hours: number) => new Date(startsAt.getTime() + hours * HOUR_MS)
  const out = await book(startsAt)
  const { kysely } = world.database.db
  await kysely
    .updateTable('contact')
    .set({ optedOutAt: world.clock.now() })
    .where('id', '=', out.contactId)
    .execute()
  const unreachable = await book(later(1), '0500000000')
  await toMoment(before(startsAt, DAY_MS - 2 * HOUR_MS))
  expect(await reasonOf(out.id)).toContain('start_opted_out')
  expect(await reasonOf(unreachable.id)).toContain('start_contact_not_on_channel')

  const off = await book(inDays(3))
  await kysely.updateTable('flow').set({ isOn: false }).where('id', '=', shop.flowId).execute()
  await toMoment(inDays(2))
  expect(await reasonOf(off.id)).toContain('reminder_flow_off')
  expect(await runsOf(off.contactId)).toEqual([])
  await kysely.updateTable('flow').set({ isOn: true }).where('id', '=', shop.flowId).execute()
})

test('a flow that begins to remind later, or at another time, reminds of what is booked already; one that stops does not', async () => {
  const startsAt = inDays(4)
  const made = await book(startsAt)
  await remindBefore(2 * 60)
  expect(await remindersOf(made.id)).toMatchObject([
    { state: 'pending', dueAt: before(startsAt, 2 * HOUR_MS).toISOString() },
  ])
  await remindBefore(null)
  expect(await remindersOf(made.id)).toEqual([])
})

test('due as its flow is published again, it begins all the same, unless that reminds later or no more', async () => {
  const startsAt = inDays(4)
  const made = await book(startsAt)
  await remindBefore(2 * 60)
  world.clock.moveTo(before(startsAt, HOUR_MS).toISOString())
  await remindBefore(2 * 60)
  await remindBefore(3 * 60)
  expect(await remindersOf(made.id)).toMatchObject([
    { state: 'pending', dueAt: before(startsAt, 2 * HOUR_MS).toISOString() },
  ])
  await remindBefore(30)
  expect(await remindersOf(made.id)).toMatchObject([
    { state: 'pending', dueAt: before(startsAt, 30 * MINUTE_MS).toISOString() },
  ])
  world.clock.moveTo(before(startsAt, 20 * MINUTE_MS).toISOString())
  await remindBefore(null)
  expect(await remindersOf(made.id)).toEqual([])
})

test('skipped while its flow was off, it is planned by publishing it again for a time that is to come', async () => {
  await remindBefore(24 * 60)
  const startsAt = inDays(3)
  const made = await book(startsAt)
  const { kysely } = world.database.db
  const setFlow = (isOn: boolean) =>
    kysely.updateTable('flow').set({ isOn }).where('id', '=', shop.flowId).execute()
  await setFlow(false)
  await toMoment(before(startsAt, DAY_MS))
  expect(await statesOf(made.id)).toEqual(['skipped'])
  await setFlow(true)
  await remindBefore(24 * 60)
  expect(await statesOf(made.id)).toEqual(['skipped'])
  await remindBefore(2 * 60)
  expect(await remindersOf(made.id)).toMatchObject([
    { state: 'pending', dueAt: before(startsAt, 2 * HOUR_MS).toISOString() },
  ])
  expect(await reasonOf(made.id)).toBeNull()
  // Whether one began that was due before a restored backup was made is not known.
  world.clock.moveTo(before(startsAt, 2 * HOUR_MS).toISOString())
  await skipRestoredReminders(kysely, world.clock.now())
  await remindBefore(60)
  expect(await statesOf(made.id)).toEqual(['skipped'])
  await toMoment(startsAt)
  expect(await runsOf(made.contactId)).toEqual([])
})

test('published while somebody books and somebody cancels: all that stays is reminded of, and nothing else', async () => {
  await remindBefore(null)
  const { db, ids } = world.service.context
  const startsAt = inDays(6)
  const called = await book(startsAt)
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const deps = { ids, now: world.clock.now() }
  let made = ''
  let publishing: Promise<void> | undefined
  await transaction(db, async (tx) => {
    const request = { ...requestOf(shop.companyId), serviceId, startsAt }
    const [outcome] = await bookAppointments(tx, deps, [request])
    made = booked(outcome!).id
    await cancelAppointments(tx, deps, [cancellationOf(called.id)])
    publishing = remindBefore(2 * 60)
    await waitUntil('the publishing waits', isSomebodyWaiting)
  })
  await publishing
  expect(await statesOf(made)).toEqual(['pending'])
  expect(await statesOf(called.id)).toEqual([])
})

test('cancelled in the moment in which it is due: the reminder waits, and is skipped', async () => {
  await remindBefore(24 * 60)
  const { db, ids } = world.service.context
  const startsAt = inDays(3)
  const made = await book(startsAt)
  world.clock.moveTo(before(startsAt, DAY_MS).toISOString())
  const deps = { ids, now: world.clock.now() }
  const deadlocksBefore = await deadlocks()
  let reminding: Promise<unknown> | undefined
  await transaction(db, async (tx) => {
    await lockAppointments(tx, [cancellationOf(made.id)])
    reminding ??= world.service.processAll()
    await waitUntil('the reminder waits', isSomebodyWaiting)
    await cancelAppointments(tx, deps, [cancellationOf(made.id)])
  })
  await reminding
  expect(await statesOf(made.id)).toEqual(['skipped'])
  expect(await runsOf(made.contactId)).toEqual([])
  expect((await deadlocks()) - deadlocksBefore).toBe(0)
})

const cancellationOf = (appointmentId: string) =>
  ({
    companyId: shop.companyId,
    appointmentId,
    by: 'member',
    reason: null,
    actorId: null,
  }) as const

async function isSomebodyWaiting(): Promise<boolean> {
  const { rowCount } = await world.database.db.pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount !== 0
}

async function deadlocks(): Promise<number> {
  const { rows } = await world.database.db.pool.query<{ deadlocks: string }>(
    'select pg_stat_force_next_flush(), deadlocks from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]!.deadlocks)
}
