/**
 * Reminders of appointments by flows: planned at the booking, planned again at a move, removed with the appointment.
 */
import { expect, test } from 'vitest'
import type { AppointmentDetail } from '../../src/contract/dashboard/appointment.ts'
import { bookAppointments } from '../../src/modules/appointments/book-appointment.ts'
import { cancelAppointments } from '../../src/modules/appointments/cancel-appointment.ts'
import { findByToken } from '../../src/modules/appointments/find-by-token.ts'
import { lockAppointments } from '../../src/modules/appointments/lock-appointments.sql.ts'
import { setReminderFlow } from '../../src/modules/appointments/plan-reminders.sql.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { skipRestoredReminders } from '../../src/modules/flows/runs/due-reminders.sql.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { bookableShop, booked, customerOf, later, requestOf } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { changeNumber } from '../support/records/identifiers.ts'
import { reminderOf } from '../support/records/appointments.ts'
import { optOut } from '../support/records/contacts.ts'
import { switchFlow } from '../support/records/flows.ts'
import { countDeadlocks, countWaiting, holdLock } from '../support/records/locks.ts'
import { runsOf } from '../support/records/runs.ts'
import { ORDER_READY_STEPS } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'

const { world, whatsApp } = await openWhatsApp()
const { tell } = ORDER_READY_STEPS
const shop = await whatsApp.openShop({
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
const bookable = await bookableShop(world, shop.companyId)
const { kysely } = world.database.db
const { companyId, accountId, flowId } = shop
const remindBefore = (minutesBefore: number | null) =>
  transaction(world.database.db, (tx) =>
    setReminderFlow(tx, world.clock.now(), { companyId, flowId, minutesBefore }),
  )
await remindBefore(24 * 60)

/** Returns 10:00 in Riyadh on the day that is `days` days ahead. */
const inDays = (days: number) =>
  new Date(Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS + days * DAY_MS + 7 * HOUR_MS)
const book = async (startsAt: Date, phone = newPhone()) => {
  const customer = customerOf({ name: 'Sara', phone })
  const serviceId = await bookable.ownService()
  return { phone, ...booked(await bookable.book({ serviceId, startsAt, customer })) }
}
const moveClock = (time: Date) => world.clock.moveTo(time.toISOString())
const toMoment = async (time: Date) => {
  moveClock(time)
  await whatsApp.settle()
}
const before = (time: Date, ms: number) => later(time, -ms)
const pathOf = (id: string) => `/companies/${companyId}/appointments/${id}`
async function act(appointmentId: string, what: string, json: object = {}) {
  const agent = await signedIn(world, { accountId, role: 'agent' })
  expect((await agent.ask('POST', `${pathOf(appointmentId)}/${what}`, json)).status).toBe(200)
}
async function remindersOf(appointmentId: string) {
  const agent = await signedIn(world, { accountId, role: 'agent' })
  return (await agent.ask<AppointmentDetail>('GET', pathOf(appointmentId))).body.reminders
}
const statesOf = async (appointmentId: string) =>
  (await remindersOf(appointmentId)).map(({ state }) => state)
const pendingAt = (time: Date) => [{ state: 'pending', dueAt: time.toISOString() }]
const runsWith = ({ contactId }: { contactId: string | null }) =>
  runsOf(world, { contactId: contactId! })
/** Expects that the reminder started no run and has this reason. */
async function isSkipped({ id }: { id: string }, why: string) {
  expect(await statesOf(id)).toEqual(['skipped'])
  expect((await reminderOf(world, id)).reason).toContain(why)
}

test('a day before, one run starts with the appointment in words and a link that opens, also on two nodes', async () => {
  const startsAt = inDays(3)
  const made = await book(startsAt)
  expect(await remindersOf(made.id)).toMatchObject(pendingAt(before(startsAt, DAY_MS)))
  await toMoment(before(startsAt, DAY_MS + 1))
  expect(await runsWith(made)).toEqual([])
  moveClock(before(startsAt, DAY_MS))
  await Promise.all([world.service.processAll(), world.service.processAll()])
  await whatsApp.settle()
  const [run, ...others] = await runsWith(made)
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
  const said = shop.events('appointment.booked').map(({ data }) => data)
  const isOfIt = (data: object) =>
    (data as { appointment: { id: string } }).appointment.id === made.id
  expect(said.filter(isOfIt)).toHaveLength(1)
})

test('a customer whose number changes as the reminder starts is reminded at the new number', async () => {
  const startsAt = inDays(3)
  const made = await book(startsAt)
  moveClock(before(startsAt, DAY_MS))
  await using change = await holdLock(world, { companyId, phone: made.phone })
  const done = world.service.processAll()
  await change.blocks('the reminder waits for the number')
  const phone = newPhone()
  await changeNumber(change.inside, made.contactId!, phone)
  await change.release()
  await done
  await processUnwoken(world)
  await whatsApp.settle()
  expect(await runsWith(made)).toMatchObject([{ status: 'waiting' }])
  expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ to: phone.slice(1) })
})

test('an appointment that is booked within the day before it has no reminder', async () => {
  const startsAt = inDays(1)
  moveClock(before(startsAt, 20 * HOUR_MS))
  expect(await remindersOf((await book(startsAt)).id)).toEqual([])
})

systemTest(
  'moving plans one reminder at the new time, or none within the day before it',
  async () => {
    const made = await book(inDays(3))
    const next = inDays(5)
    await act(made.id, 'move', { startsAt: next })
    expect(await remindersOf(made.id)).toMatchObject(pendingAt(before(next, DAY_MS)))
    await toMoment(before(next, DAY_MS))
    expect(await runsWith(made)).toHaveLength(1)

    const other = await book(inDays(4))
    await act(other.id, 'move', { startsAt: later(world.clock.now(), 5 * HOUR_MS) })
    expect(await remindersOf(other.id)).toEqual([])
  },
)

systemTest(
  'cancelling skips a reminder that has not started, and ends a started run without a message',
  async () => {
    const [startsAt, waiting] = [inDays(4), inDays(2)]
    const made = await book(startsAt)
    await act(made.id, 'cancel')
    await isSkipped(made, 'appointment_cancelled')

    const reminded = await book(waiting)
    await toMoment(before(waiting, DAY_MS))
    expect(await runsWith(reminded)).toMatchObject([{ status: 'waiting' }])
    const { db } = world.service.context
    const byLink = { ...cancellationOf(reminded.id), by: 'link' } as const
    await transaction(db, (tx) => cancelAppointments(tx, depsNow(), [byLink]))
    await whatsApp.settle()
    expect(await statesOf(reminded.id)).toEqual(['stopped'])
    expect(await runsWith(reminded)).toMatchObject([{ status: 'cancelled' }])
    await toMoment(startsAt)
    expect(await runsWith(made)).toEqual([])
  },
)

test('after a downtime, a reminder is sent late before the start, and skipped after it', async () => {
  const startsAt = inDays(3)
  const [one, two] = [await book(startsAt), await book(later(startsAt, 2 * HOUR_MS))]
  await toMoment(later(startsAt, 1))
  await isSkipped(one, 'reminder_too_late')
  expect(await statesOf(two.id)).toEqual(['started'])
  expect(await runsWith(two)).toHaveLength(1)
})

test('a restored backup skips a due reminder, because its run may have started since', async () => {
  const startsAt = inDays(3)
  const [one, two] = [await book(startsAt), await book(later(startsAt, 2 * HOUR_MS))]
  const restoredAt = before(startsAt, DAY_MS - HOUR_MS)
  moveClock(restoredAt)
  expect(await skipRestoredReminders(kysely, restoredAt)).toBe(1)
  await toMoment(startsAt)
  await isSkipped(one, 'reminder_restored')
  expect(await runsWith(one)).toEqual([])
  expect(await statesOf(two.id)).toEqual(['started'])
})

test('a reminder to an opted-out or unreachable customer, or of a flow that is off, is skipped', async () => {
  const startsAt = inDays(3)
  const out = await book(startsAt)
  await optOut(world, out.contactId!)
  const unreachable = await book(later(startsAt, HOUR_MS), '0500000000')
  await toMoment(before(startsAt, DAY_MS - 2 * HOUR_MS))
  await isSkipped(out, 'start_opted_out')
  await isSkipped(unreachable, 'start_contact_not_on_channel')

  const off = await book(inDays(3))
  await switchFlow(world, shop, false)
  await toMoment(inDays(2))
  await isSkipped(off, 'reminder_flow_off')
  expect(await runsWith(off)).toEqual([])
  await switchFlow(world, shop, true)
})

test("a flow's new reminder time applies to booked appointments, and removing it removes their reminders", async () => {
  const startsAt = inDays(4)
  const made = await book(startsAt)
  await remindBefore(2 * 60)
  expect(await remindersOf(made.id)).toMatchObject(pendingAt(before(startsAt, 2 * HOUR_MS)))
  await remindBefore(null)
  expect(await remindersOf(made.id)).toEqual([])
})

test('a reminder due while its flow is published starts, unless the new version reminds later or never', async () => {
  const startsAt = inDays(4)
  const made = await book(startsAt)
  await remindBefore(2 * 60)
  moveClock(before(startsAt, HOUR_MS))
  await remindBefore(2 * 60)
  await remindBefore(3 * 60)
  expect(await remindersOf(made.id)).toMatchObject(pendingAt(before(startsAt, 2 * HOUR_MS)))
  await remindBefore(30)
  expect(await remindersOf(made.id)).toMatchObject(pendingAt(before(startsAt, 30 * MINUTE_MS)))
  moveClock(before(startsAt, 20 * MINUTE_MS))
  await remindBefore(null)
  expect(await remindersOf(made.id)).toEqual([])
})

test('a reminder skipped while its flow was off is planned again by publishing a time still to come', async () => {
  await remindBefore(24 * 60)
  const startsAt = inDays(3)
  const made = await book(startsAt)
  await switchFlow(world, shop, false)
  await toMoment(before(startsAt, DAY_MS))
  expect(await statesOf(made.id)).toEqual(['skipped'])
  await switchFlow(world, shop, true)
  await remindBefore(24 * 60)
  expect(await statesOf(made.id)).toEqual(['skipped'])
  await remindBefore(2 * 60)
  expect(await remindersOf(made.id)).toMatchObject(pendingAt(before(startsAt, 2 * HOUR_MS)))
  expect((await reminderOf(world, made.id)).reason).toBeNull()
  // Whether the run of a reminder started that was due before the restored backup was made is
  // unknown.
  moveClock(before(startsAt, 2 * HOUR_MS))
  await skipRestoredReminders(kysely, world.clock.now())
  await remindBefore(60)
  expect(await statesOf(made.id)).toEqual(['skipped'])
  await toMoment(startsAt)
  expect(await runsWith(made)).toEqual([])
})

const cancellationOf = (appointmentId: string) =>
  ({ companyId, appointmentId, by: 'member', reason: null, actorId: null }) as const
const depsNow = () => ({ ids: world.service.context.ids, now: world.clock.now() })
const isSomebodyWaiting = async () => (await countWaiting(world)) > 0

test('publishing while customers book and cancel plans reminders for exactly the appointments that remain', async () => {
  await remindBefore(null)
  const startsAt = inDays(6)
  const called = await book(startsAt)
  const serviceId = await bookable.ownService()
  let made = ''
  let publishing: Promise<void> | undefined
  await transaction(world.service.context.db, async (tx) => {
    const request = { ...requestOf(companyId), serviceId, startsAt }
    const [outcome] = await bookAppointments(tx, depsNow(), [request])
    made = booked(outcome!).id
    await cancelAppointments(tx, depsNow(), [cancellationOf(called.id)])
    publishing = remindBefore(2 * 60)
    await waitUntil('the publishing waits', isSomebodyWaiting)
  })
  await publishing
  expect(await statesOf(made)).toEqual(['pending'])
  expect(await statesOf(called.id)).toEqual([])
})

test('a reminder that is due while its appointment is being cancelled waits, and is skipped', async () => {
  await remindBefore(24 * 60)
  const startsAt = inDays(3)
  const made = await book(startsAt)
  moveClock(before(startsAt, DAY_MS))
  const deadlocksBefore = await countDeadlocks(world)
  let reminding: Promise<unknown> | undefined
  await transaction(world.service.context.db, async (tx) => {
    await lockAppointments(tx, [cancellationOf(made.id)])
    reminding ??= world.service.processAll()
    await waitUntil('the reminder waits', isSomebodyWaiting)
    await cancelAppointments(tx, depsNow(), [cancellationOf(made.id)])
  })
  await reminding
  expect(await statesOf(made.id)).toEqual(['skipped'])
  expect(await runsWith(made)).toEqual([])
  expect((await countDeadlocks(world)) - deadlocksBefore).toBe(0)
})
