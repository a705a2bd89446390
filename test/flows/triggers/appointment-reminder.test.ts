/** A flow reminds of appointments, from its being drawn to the customer's answer. Flows › Triggers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/limits/units.ts'
import { bookableShop, booked, customerOf } from '../../support/bookable.ts'
import { signedIn } from '../../support/dashboard.ts'
import { createWorld, type World } from '../../support/service.ts'
import { simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { ORDER_READY_STEPS } from '../../support/shop.ts'
import { tellStory } from './trigger-stories.ts'

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
  world.clock.moveTo(new Date(next.getTime() - DAY_MS).toISOString())
  await whatsApp.settle()
  expect(await runs()).toHaveLength(1)
})

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
