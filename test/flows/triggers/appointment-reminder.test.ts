/** A flow reminds of appointments, from its being drawn to the customer's answer. Flows › Triggers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setReminderFlow } from '../../../src/appointments/plan-reminders.sql.ts'
import { transaction } from '../../../src/database/transaction.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/limits/units.ts'
import { bookableShop, booked, customerOf } from '../../support/bookable.ts'
import { signedIn } from '../../support/dashboard.ts'
import { createWorld, type World } from '../../support/service.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { ORDER_READY_STEPS } from '../../support/shop.ts'
import { tellStory } from './trigger-stories.ts'
import { systemTest } from '../../support/system-tests.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const A_DAY = { kind: 'appointment_reminder', minutesBefore: 24 * 60 }
const body = ['appointment_service', 'appointment_time'].map((name, place) => ({
  name: String(place + 1),
  text: `{{vars.${name}}}`,
}))
const REMINDING = {
  hello: { ...ORDER_READY_STEPS.tell, body, next: 'ask' },
  ask: { ...ORDER_READY_STEPS.ask, next: 'thanks', onTimeout: 'thanks' },
  thanks: { kind: 'send_message', text: 'See you then', next: null },
}

test('published, it reminds of what is booked already and while staff handles; its button wakes it; deleted, it reminds no more', async () => {
  const { publish, owner, phone, shop, runs, write } = await tellStory(world, whatsApp)
  const bookable = await bookableShop(world, shop.companyId)
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const startsAt = new Date(
    Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS + 3 * DAY_MS + 7 * HOUR_MS,
  )
  const customer = customerOf({ name: 'Sara', phone })
  const { contactId } = booked(await bookable.book({ serviceId, startsAt, customer }))
  const flowId = await publish({ trigger: A_DAY, steps: REMINDING })

  await write({ text: 'a question for you' })
  await whatsApp.settle()
  const { id } = await world.database.db.kysely
    .selectFrom('conversation')
    .select('id')
    .where('contactId', '=', contactId)
    .executeTakeFirstOrThrow()
  const talk = `/companies/${shop.companyId}/conversations/${id}`
  const seen = await owner.ask<{ turn: number }>('GET', talk)
  expect((await owner.ask('POST', `${talk}/take-over`, { turn: seen.body.turn })).status).toBe(200)
  expect(await runs()).toEqual([])

  world.clock.moveTo(new Date(startsAt.getTime() - DAY_MS).toISOString())
  await whatsApp.settle()
  expect(await runs()).toMatchObject([
    { flowId, kind: 'appointment_reminder', status: 'waiting', reason: null },
  ])
  const theirs = () => whatsApp.simulator.messages().filter(({ to }) => to === phone.slice(1))
  const sent = () => theirs().map(({ template, text }) => template ?? text)
  expect(sent()).toEqual(['order_ready'])
  whatsApp.simulator.tapButton({ from: phone, messageId: theirs()[0]!.wamid, buttonIndex: 0 })
  await whatsApp.settle()
  expect(sent()).toEqual(['order_ready', 'See you then'])
  const [ended] = shop.events('flow.completed')
  expect(ended!.data).toMatchObject({ run: { triggerKind: 'appointment_reminder' } })

  const next = new Date(startsAt.getTime() + 4 * DAY_MS)
  booked(await bookable.book({ serviceId, startsAt: next, customer }))
  const later = await signedIn(world, { accountId: shop.accountId })
  const gone = await later.ask('DELETE', `/companies/${shop.companyId}/flows/${flowId}`)
  expect(gone.status).toBe(204)
  const planned = world.database.db.kysely.selectFrom('reminder').select('dueAt')
  expect(await planned.where('state', '=', 'pending').execute()).toEqual([])
  world.clock.moveTo(new Date(next.getTime() - DAY_MS).toISOString())
  await whatsApp.settle()
  expect(await runs()).toHaveLength(1)
})

/** A shop whose flow reminds a day before, and an appointment of a customer in three days. */
async function reminding(draw: object = {}) {
  const story = await tellStory(world, whatsApp)
  const { companyId } = story.shop
  const bookable = await bookableShop(world, companyId)
  const flowId = await story.publish({ trigger: A_DAY, steps: REMINDING, ...draw })
  const serviceId = await bookable.service([{ id: await bookable.resource() }])
  const today = Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS
  const startsAt = new Date(today + 3 * DAY_MS + 7 * HOUR_MS)
  const customer = customerOf({ name: 'Sara', phone: story.phone })
  const made = booked(await bookable.book({ serviceId, startsAt, customer, language: null }))
  const { kysely } = world.database.db
  const rows = () => kysely.selectFrom('reminder').selectAll().where('companyId', '=', companyId)
  return {
    ...story,
    flowId,
    bookable,
    startsAt,
    contactId: made.contactId!,
    come: async (at = new Date(startsAt.getTime() - DAY_MS)) => {
      world.clock.moveTo(at.toISOString())
      await whatsApp.settle()
    },
    reminder: () => rows().executeTakeFirstOrThrow(),
    lastRun: () =>
      kysely
        .selectFrom('flowRun')
        .select(['language', 'variables', 'status'])
        .where('companyId', '=', companyId)
        .executeTakeFirst(),
  }
}

systemTest(
  'a run that cancels the appointment it reminds of goes on; that of another flow ends',
  async () => {
    const { flowId, phone, startsAt, publish, come, write, runs, shop } = await reminding({
      steps: {
        ...REMINDING,
        ask: { ...REMINDING.ask, next: 'cancel' },
        cancel: { kind: 'cancel_appointment', next: 'gone', onNone: null },
        gone: { kind: 'send_message', text: 'It is cancelled. Another day?', next: 'again' },
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
    const theirs = () => whatsApp.simulator.messages().filter(({ to }) => to === phone.slice(1))
    whatsApp.simulator.tapButton({ messageId: theirs().at(-1)!.wamid, buttonIndex: 0 })
    await whatsApp.settle()
    expect(shop.events('appointment.cancelled')).toHaveLength(1)
    expect(theirs().at(-1)).toMatchObject({ text: 'It is cancelled. Another day?' })
    await write({ text: 'Sunday' })
    await whatsApp.settle()
    expect(theirs().at(-1)).toMatchObject({ text: 'See you then' })
    expect(await statuses()).toEqual([
      ['other', 'cancelled'],
      ['own', 'completed'],
    ])
  },
)

systemTest('an appointment of which no language is told is put in the contact’s', async () => {
  const { come, contactId, lastRun } = await reminding()
  const contact = world.database.db.kysely.updateTable('contact').set({ language: 'ar' })
  await contact.where('id', '=', contactId).execute()
  await come()
  const run = await lastRun()
  expect(run).toMatchObject({ language: 'ar', status: 'waiting' })
  expect(JSON.parse(run!.variables)).toMatchObject({ appointment_service: 'قص شعر' })
})

systemTest.each([
  ['ar', 'قص شعر'],
  ['en', 'Haircut'],
])('where the contact has none either, in the template’s: %s', async (language, service) => {
  const hello = { ...REMINDING.hello, language }
  const other = { ...REMINDING.hello, language: language === 'ar' ? 'en' : 'ar', next: null }
  const ask = { ...REMINDING.ask, onTimeout: 'other' }
  // In whatever order they were drawn, the one that goes out first counts.
  const { come, lastRun } = await reminding({ steps: { other, ...REMINDING, hello, ask } })
  await come()
  const run = await lastRun()
  expect(run).toMatchObject({ language: null, status: 'waiting' })
  expect(JSON.parse(run!.variables)).toMatchObject({ appointment_service: service })
})

systemTest(
  'it is skipped, and says why: its channel is off, its flow beyond the plan, its appointment begins',
  async () => {
    const cut = await reminding()
    const channel = world.database.db.kysely.updateTable('channel').set({ isConnected: false })
    await channel.where('id', '=', cut.shop.channelId).execute()
    await cut.come()
    expect(await cut.reminder()).toMatchObject({ state: 'skipped' })
    expect((await cut.reminder()).reason).toContain('channel_disconnected')

    const beyond = await reminding()
    const { kysely } = world.database.db
    const flowOf = (id: string) => kysely.selectFrom('flow').where('id', '=', id)
    const first = await flowOf(beyond.flowId).select('firstPublishedAt').executeTakeFirstOrThrow()
    // The flow of the hook and these four were published before.
    const publishedAt = (id: string, firstPublishedAt: Date | null) =>
      kysely.updateTable('flow').set({ firstPublishedAt }).where('id', '=', id).execute()
    for (const word of ['a', 'b', 'c', 'd']) {
      const id = await beyond.publish({ trigger: { kind: 'keyword', words: [word] } })
      await publishedAt(id, first.firstPublishedAt)
    }
    await publishedAt(beyond.flowId, new Date(first.firstPublishedAt!.getTime() + 1))
    const plan = kysely.updateTable('account').set({ plan: 'pro' })
    await plan.where('id', '=', beyond.shop.accountId).execute()
    await beyond.come()
    expect((await beyond.reminder()).reason).toContain('reminder_flow_off')

    const begun = await reminding()
    await begun.come(begun.startsAt)
    expect((await begun.reminder()).reason).toContain('reminder_too_late')
    for (const { lastRun } of [cut, beyond, begun]) expect(await lastRun()).toBeUndefined()
  },
)

systemTest(
  'it is sent to the number of the conversation that it begins in, where its answer is heard',
  async () => {
    const { come, shop, owner, contactId, lastRun } = await reminding()
    const { phoneNumberId, companyId } = shop
    const other = newPhone()
    whatsApp.simulator.sendText({ from: other, phoneNumberId, text: 'hello' })
    await whatsApp.settle()
    const { id: fromId } = await world.database.db.kysely
      .selectFrom('contact')
      .select('id')
      .where('phone', '=', other)
      .executeTakeFirstOrThrow()
    const path = `/companies/${companyId}/contacts/${contactId}/merge`
    expect((await owner.ask('POST', path, { fromId })).status).toBe(200)
    await come()
    const { to, wamid } = whatsApp.simulator.messages().at(-1)!
    expect(`+${to}`).toBe(other)
    whatsApp.simulator.tapButton({ from: other, messageId: wamid, buttonIndex: 0 })
    await whatsApp.settle()
    expect(await lastRun()).toMatchObject({ status: 'completed' })
  },
)

systemTest('it is skipped where it would begin with words while the window is closed', async () => {
  const { come, flowId, shop, reminder, lastRun } = await reminding({
    trigger: { kind: 'manual' },
    steps: { hello: REMINDING.thanks },
  })
  // As a flow that was published under older rules.
  const of = { companyId: shop.companyId, flowId, minutesBefore: A_DAY.minutesBefore }
  await transaction(world.database.db, (tx) => setReminderFlow(tx, world.clock.now(), of))
  await come()
  expect((await reminder()).reason).toContain('reply_window_not_opened')
  expect(await lastRun()).toBeUndefined()
})

systemTest(
  'one that cannot be begun, by a fault of ours, is tried again a minute later and holds up no other',
  async () => {
    const faulty = await reminding()
    const sound = await reminding()
    const { pool } = world.database.db
    const setDefinition = async (definition: string) => {
      const client = await pool.connect()
      await client.query(`set session_replication_role = 'replica'`)
      await client.query('update flow_version set definition = $1 where flow_id = $2', [
        definition,
        faulty.flowId,
      ])
      await client.query(`set session_replication_role = 'origin'`)
      client.release()
    }
    const { rows } = await pool.query<{ definition: string }>(
      'select definition from flow_version where flow_id = $1',
      [faulty.flowId],
    )
    await setDefinition('{}')
    await sound.come()
    expect(await sound.reminder()).toMatchObject({ state: 'started' })
    expect(await faulty.reminder()).toMatchObject({
      state: 'pending',
      dueAt: new Date(world.clock.now().getTime() + MINUTE_MS),
    })
    await setDefinition(rows[0]!.definition)
    world.clock.advance(MINUTE_MS)
    await whatsApp.settle()
    expect(await faulty.reminder()).toMatchObject({ state: 'started' })
  },
)

test('it cannot begin with anything but a template, and books only what can be booked', async () => {
  const { tryToPublish } = await tellStory(world, whatsApp)
  const { answer } = await tryToPublish({
    trigger: A_DAY,
    steps: {
      hello: {
        kind: 'book',
        serviceId: world.service.context.ids.uuid(),
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
