/** A flow reminds customers of appointments: its draft, its runs and the customer's answer. Flows › Triggers. */
import { expect, test } from 'vitest'
import { setReminderFlow } from '../../../src/modules/appointments/plan-reminders.sql.ts'
import { transaction } from '../../../src/infra/database/transaction.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/limits/units.ts'
import { bookableShop, booked, customerOf } from '../../support/bookable.ts'
import { signedIn } from '../../support/dashboard.ts'
import { setPlan } from '../../support/records/accounts.ts'
import { pendingReminders, reminderOf } from '../../support/records/appointments.ts'
import { setConnected } from '../../support/records/channels.ts'
import { contactWith, describeContact } from '../../support/records/contacts.ts'
import { refuseWrites } from '../../support/records/faults.ts'
import { breakDesign } from '../../support/records/flows.ts'
import { runsOf } from '../../support/records/runs.ts'
import { processUnwoken } from '../../support/process-unwoken.ts'
import { newPhone } from '../../support/simulator.ts'
import { ORDER_READY_STEPS } from '../../support/shop.ts'
import { customerWrites } from '../../support/whatsapp-webhook.ts'
import { tenOClock } from '../steps/booking-stories.ts'
import { keyword, saying, tellStory } from './trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const A_DAY = { kind: 'appointment_reminder', minutesBefore: 24 * 60 }
const body = ['appointment_service', 'appointment_time'].map((name, place) => ({
  name: String(place + 1),
  text: `{{vars.${name}}}`,
}))
const REMINDING = {
  hello: { ...ORDER_READY_STEPS.tell, body, next: 'ask' },
  ask: { ...ORDER_READY_STEPS.ask, next: 'thanks', onTimeout: 'thanks' },
  thanks: saying('See you then'),
}

/** Returns a shop whose flow reminds a day before, with an appointment of a customer in three days. */
async function reminding(draw: object = {}, { isBookedFirst = false } = {}) {
  const story = await tellStory(world, whatsApp)
  const { companyId } = story.shop
  const bookable = await bookableShop(world, companyId)
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const customer = customerOf({ name: 'Sara', phone: story.phone })
  const book = async (startsAt: Date) =>
    booked(await bookable.book({ serviceId, startsAt, customer, language: null }))
  const startsAt = tenOClock(world, 3)
  const before = isBookedFirst ? await book(startsAt) : null
  const flowId = await story.publish({ trigger: A_DAY, steps: REMINDING, ...draw })
  const made = before ?? (await book(startsAt))
  return {
    ...story,
    flowId,
    startsAt,
    contactId: made.contactId!,
    book,
    /** Moves the clock to that time, by default a day before the appointment, and processes what is due. */
    come: async (at = new Date(startsAt.getTime() - DAY_MS)) => {
      world.clock.moveTo(at.toISOString())
      await whatsApp.settle()
    },
    reminder: () => reminderOf(world, made.id),
    /** The first run of the flow. */
    run: async () => (await runsOf(world, { companyId, flowId }))[0],
  }
}

test('it reminds of earlier bookings and during staff handling, its button wakes it, its deletion ends it', async () => {
  const story = await reminding({}, { isBookedFirst: true })
  const { flowId, owner, shop, runs, say, come, book, startsAt, conversation, sent } = story
  await say('a question for you')
  const { id, turn } = await conversation()
  const talk = `/companies/${shop.companyId}/conversations/${id}`
  expect((await owner.ask('POST', `${talk}/take-over`, { turn })).status).toBe(200)
  expect(await runs()).toEqual([])

  await come()
  expect(await runs()).toMatchObject([
    { flowId, kind: 'appointment_reminder', status: 'waiting', reason: null },
  ])
  // The customer also gets the booking with its link, which is filtered out here.
  const reminders = () => sent().filter(({ text }) => !text?.includes('/a/apt_'))
  const said = () => reminders().map(({ template, text }) => template ?? text)
  expect(said()).toEqual(['order_ready'])
  await story.tap(0, reminders()[0]!.wamid)
  expect(said()).toEqual(['order_ready', 'See you then'])
  const [ended] = shop.events('flow.completed')
  expect(ended!.data).toMatchObject({ run: { triggerKind: 'appointment_reminder' } })

  const next = new Date(startsAt.getTime() + 4 * DAY_MS)
  await book(next)
  const later = await signedIn(world, { accountId: shop.accountId })
  const gone = await later.ask('DELETE', `/companies/${shop.companyId}/flows/${flowId}`)
  expect(gone.status).toBe(204)
  expect(await pendingReminders(world, shop)).toEqual([])
  await come(new Date(next.getTime() - DAY_MS))
  expect(await runs()).toHaveLength(1)
})

systemTest('a run that cancels its own appointment continues, others end', async () => {
  const { flowId, startsAt, publish, come, say, runs, shop, sent, tap } = await reminding({
    steps: {
      ...REMINDING,
      ask: { ...REMINDING.ask, next: 'cancel' },
      cancel: { kind: 'cancel_appointment', next: 'gone', onNone: null },
      gone: saying('It is cancelled. Another day?', 'again'),
      again: { ...REMINDING.ask, saveAs: 'day' },
    },
  })
  await publish({ trigger: { ...A_DAY, minutesBefore: 25 * 60 }, steps: REMINDING })
  await come(new Date(startsAt.getTime() - 25 * HOUR_MS))
  await come()
  const statuses = async () =>
    (await runs()).map((run) => [run.flowId === flowId ? 'own' : 'other', run.status])
  expect(await statuses()).toEqual([
    ['other', 'waiting'],
    ['own', 'waiting'],
  ])
  await tap(0, sent().at(-1)!.wamid)
  expect(shop.events('appointment.cancelled')).toHaveLength(1)
  expect(sent().at(-1)).toMatchObject({ text: 'It is cancelled. Another day?' })
  await say('Sunday')
  expect(sent().at(-1)).toMatchObject({ text: 'See you then' })
  expect(await statuses()).toEqual([
    ['other', 'cancelled'],
    ['own', 'completed'],
  ])
})

systemTest('an appointment without a language uses the contact’s', async () => {
  const { come, contactId, run } = await reminding()
  await describeContact(world, contactId, { language: 'ar' })
  await come()
  expect(await run()).toMatchObject({ language: 'ar', status: 'waiting' })
  expect((await run())!.variables).toContain('قص شعر')
})

systemTest.each([
  ['ar', 'قص شعر'],
  ['en', 'Haircut'],
])('without one of the contact it uses the template’s: %s', async (language, service) => {
  const hello = { ...REMINDING.hello, language }
  const other = { ...REMINDING.hello, language: language === 'ar' ? 'en' : 'ar', next: null }
  const ask = { ...REMINDING.ask, onTimeout: 'other' }
  // The first one sent counts, in whatever order they were drawn.
  const { come, run } = await reminding({ steps: { other, ...REMINDING, hello, ask } })
  await come()
  expect(await run()).toMatchObject({ language: null, status: 'waiting' })
  const variables = JSON.parse((await run())!.variables) as object
  expect(variables).toMatchObject({ appointment_service: service })
})

systemTest('it is skipped with a reason: channel off, plan, too late', async () => {
  const cut = await reminding()
  await setConnected(world, cut.shop, false)
  await cut.come()
  expect(await cut.reminder()).toMatchObject({
    state: 'skipped',
    reason: expect.stringContaining('channel_disconnected'),
  })

  const beyond = await reminding({ trigger: keyword('x') })
  // The flow of the hook and these four were published before.
  for (const word of ['a', 'b', 'c', 'd']) await beyond.publish({ trigger: keyword(word) })
  await beyond.publish({ trigger: A_DAY, steps: REMINDING })
  await setPlan(world, beyond.shop, 'pro')
  await beyond.come()
  expect((await beyond.reminder()).reason).toContain('reminder_flow_off')

  const begun = await reminding()
  await begun.come(begun.startsAt)
  expect((await begun.reminder()).reason).toContain('reminder_too_late')
  for (const { runs } of [cut, beyond, begun]) expect(await runs()).toEqual([])
})

systemTest('it is sent to the number of its conversation, where its answer is read', async () => {
  const { come, shop, owner, contactId, run } = await reminding()
  const other = newPhone()
  await customerWrites(world, shop, { from: other, text: 'hello' })
  await whatsApp.settle()
  const { id: fromId } = await contactWith(world, shop, other)
  const path = `/companies/${shop.companyId}/contacts/${contactId}/merge`
  expect((await owner.ask('POST', path, { fromId })).status).toBe(200)
  await come()
  const [{ wamid: messageId } = { wamid: '' }] = whatsApp.sentTo(other)
  whatsApp.simulator.tapButton({ from: other, messageId, buttonIndex: 0 })
  await whatsApp.settle()
  expect(await run()).toMatchObject({ status: 'completed' })
})

systemTest('it is skipped if it would begin with a text while the window is closed', async () => {
  const { come, flowId, shop, reminder, runs } = await reminding({
    trigger: { kind: 'manual' },
    steps: { hello: REMINDING.thanks },
  })
  // A flow that was published under older rules may be like this.
  const of = { companyId: shop.companyId, flowId, minutesBefore: A_DAY.minutesBefore }
  await transaction(world.database.db, (tx) => setReminderFlow(tx, world.clock.now(), of))
  await come()
  expect((await reminder()).reason).toContain('reply_window_not_opened')
  expect(await runs()).toEqual([])
})

systemTest('one that fails to begin is tried a minute later, and delays no other', async () => {
  const faulty = await reminding()
  const sound = await reminding()
  const repair = await breakDesign(world, faulty)
  await sound.come()
  expect(await sound.reminder()).toMatchObject({ state: 'started' })
  expect(await faulty.reminder()).toMatchObject({
    state: 'pending',
    dueAt: new Date(world.clock.now().getTime() + MINUTE_MS),
  })
  await repair()
  world.clock.advance(MINUTE_MS)
  await whatsApp.settle()
  expect(await faulty.reminder()).toMatchObject({ state: 'started' })
})

systemTest('one that an outage of the database prevented begins when it is back', async () => {
  const { come, reminder } = await reminding()
  const end = await refuseWrites(world, 'a new run', { code: '57P03' })
  await expect(come()).rejects.toMatchObject({ code: '57P03' })
  await end()
  await processUnwoken(world)
  expect(await reminder()).toMatchObject({ state: 'started' })
})

test('it must begin with a template, and books only bookable services', async () => {
  const { tryToPublish } = await tellStory(world, whatsApp)
  const serviceId = world.service.context.ids.uuid()
  const { answer } = await tryToPublish({
    trigger: A_DAY,
    steps: {
      hello: {
        kind: 'book',
        serviceId,
        text: 'When?',
        timeoutMinutes: 60,
        next: 'cancel',
        onTimeout: null,
      },
      cancel: { kind: 'cancel_appointment', next: null, onNone: null },
    },
  })
  const { errors } = answer.body as unknown as { errors: { field: string; code: string }[] }
  expect(errors.map(({ field, code }) => `${field} ${code}`)).toEqual([
    'steps.hello template_first',
    '. template_never_sent',
    'steps.hello.serviceId service_bookable',
  ])
})
