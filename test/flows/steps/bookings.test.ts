/** Flows offer times, book and cancel. Flows › Booking. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/limits/units.ts'
import { bookableShop } from '../../support/bookable.ts'
import { createWorld, type World } from '../../support/service.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { tellStory } from '../triggers/trigger-stories.ts'

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

const saying = (text: string) => ({ kind: 'send_message', text, next: null })

type Shape = { text?: string; hours?: { fromMin: number; toMin: number }; first?: string }

/** A customer whom a flow asks for a time of a service of an hour. */
async function asked({ text = 'When?', hours, first = 'book' }: Shape = {}) {
  const story = await tellStory(world, whatsApp)
  const { companyId } = story.shop
  const bookable = await bookableShop(world, companyId)
  const resourceId = await bookable.resource('person', hours)
  const serviceId = await bookable.service([{ id: resourceId }], { minutes: 60, stepMin: 60 })
  const told =
    '{{vars.appointment_service}} {{vars.appointment_time}} {{vars.appointment_reference}}'
  await story.publish({
    trigger: { kind: 'keyword', words: ['book'] },
    start: first,
    steps: {
      book: {
        kind: 'book',
        serviceId,
        text,
        timeoutMinutes: 60,
        next: 'tag',
        onNone: 'none',
        onTimeout: 'none',
      },
      tag: { kind: 'tag', add: ['booked'], remove: [], next: 'done' },
      done: saying(told),
      none: saying('Nothing free'),
      cancel: { kind: 'cancel_appointment', reason: 'by chat', next: 'gone', onNone: 'none' },
      gone: saying('Cancelled'),
    },
  })
  const to = story.phone.slice(1)
  const sent = () => whatsApp.simulator.messages().filter((message) => message.to === to)
  const say = async (words: string) => {
    await story.write({ text: words })
    await whatsApp.settle()
  }
  const tap = async (label: string, messageId = sent().at(-1)!.wamid) => {
    const message = sent().find(({ wamid }) => wamid === messageId)!
    const buttonIndex = message.content.buttons.findIndex((button) => button.text === label)
    whatsApp.simulator.tapButton({ from: story.phone, messageId, buttonIndex })
    await whatsApp.settle()
  }
  await say('book')
  const labels = () =>
    sent()
      .at(-1)!
      .content.buttons.map((button) => button.text)
  const appointments = () =>
    world.database.db.kysely
      .selectFrom('appointment')
      .select(['id', 'startsAt', 'status', 'source', 'contactId', 'reference', 'cancelledBy'])
      .where('companyId', '=', companyId)
      .orderBy('id')
      .execute()
  const contactId = async () => {
    const { kysely } = world.database.db
    const found = kysely.selectFrom('contact').select('id').where('companyId', '=', companyId)
    return (await found.orderBy('id').executeTakeFirstOrThrow()).id
  }
  const types = () => story.shop.events().map(({ type }) => type)
  return { ...story, contactId, bookable, serviceId, sent, say, tap, labels, appointments, types }
}

describe('A step that books', () => {
  test('offers the times of a day and books the one that is tapped, once, and tells of it in order', async () => {
    const { labels, tap, sent, appointments, types, serviceId } = await asked()
    const [first] = sent()
    expect(first!.content.text).toMatch(/^When\?\n\n\w+ \d+ \w+$/)
    expect(labels()).toContain('Another day')
    const time = labels()[0]!
    await tap(time)
    const [made] = await appointments()
    expect(made).toMatchObject({ status: 'confirmed', source: 'flow' })
    expect(made!.contactId).not.toBeNull()
    expect(sent().at(-1)!.text).toBe(`Haircut ${time} ${made!.reference}`)
    // What the turn has done to the contact is told of before the appointment.
    expect(types().slice(-3)).toEqual(['contact.updated', 'appointment.booked', 'flow.completed'])
    await tap(time, first!.wamid)
    expect(await appointments()).toHaveLength(1)
    expect(serviceId).toBeDefined()
  })

  test('goes on to another day and to more times, by words as well, and knows an older button', async () => {
    const { labels, tap, say, sent, appointments } = await asked({
      hours: { fromMin: 0, toMin: 1_440 },
    })
    await say('another day')
    const day = sent().at(-1)!
    expect(labels()).toHaveLength(10)
    expect(labels()[0]).toBe('00:00')
    await tap('More times')
    expect(labels()[0]).toBe('08:00')
    // The same label on an older offer is of another time: it is no answer.
    await tap('00:00', day.wamid)
    expect(await appointments()).toEqual([])
    expect(labels()[0]).toBe('08:00')
    await say('9:00')
    const [made] = await appointments()
    expect(made!.startsAt.toISOString().slice(11)).toBe('06:00:00.000Z')
  })

  test('asks again when somebody else was quicker; one is booked', async () => {
    const { labels, tap, sent, appointments, bookable, serviceId } = await asked()
    await tap('Another day')
    const taken = labels()[0]!
    const day = Math.floor(world.clock.now().getTime() / DAY_MS) + 1
    const [hours = 0] = taken.split(':').map(Number)
    const startsAt = new Date(day * DAY_MS + (hours - 3) * 3_600_000)
    expect(await bookable.book({ serviceId, startsAt })).toMatchObject({ outcome: 'booked' })
    await tap(taken)
    expect(sent().at(-1)!.content.text).toMatch(/^That time has just been taken\.\n\nWhen\?/)
    expect(labels()).not.toContain(taken)
    await tap(labels()[0]!)
    expect((await appointments()).map(({ source }) => source)).toEqual(['booking_page', 'flow'])
  })

  test('two who want one time in one batch: one has it, the other is offered others', async () => {
    const { shop, phone, labels, sent, appointments } = await asked()
    const other = newPhone()
    const writes = (from: string, text: string) =>
      whatsApp.simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text })
    writes(other, 'book')
    await whatsApp.simulator.idle()
    await whatsApp.settle()
    const time = labels()[0]!
    for (const from of [phone, other]) writes(from, time)
    await whatsApp.simulator.idle()
    await whatsApp.settle()
    expect(await appointments()).toHaveLength(1)
    const theirs = whatsApp.simulator.messages().filter(({ to }) => to === other.slice(1))
    const said = [sent().at(-1)!, theirs.at(-1)!].map(({ text, content }) => text ?? content.text)
    expect(said.filter((text) => text.startsWith(`Haircut ${time}`))).toHaveLength(1)
    expect(said.filter((text) => text.startsWith('That time has just been taken'))).toHaveLength(1)
  })

  test('speaks the language that it is written in', async () => {
    const { labels, sent, say, appointments } = await asked({ text: 'متى يناسبك؟' })
    expect(sent()[0]!.content.text).toMatch(/^متى يناسبك؟\n\n\p{Script=Arabic}+/u)
    expect(labels().at(-1)).toBe('يوم آخر')
    await say('غير ذلك')
    await say('١')
    expect(await appointments()).toHaveLength(1)
  })

  test('is asked for a day that is too far off, and says that nothing is free', async () => {
    const { sent, say } = await asked()
    await say('31/12/9999')
    expect(sent().at(-1)!.text).toBe('Nothing free')
  })

  test('goes its way when nothing is free', async () => {
    const { sent, appointments } = await asked({ hours: { fromMin: 600, toMin: 630 } })
    expect(sent().map(({ text }) => text)).toEqual(['Nothing free'])
    expect(await appointments()).toEqual([])
  })
})

describe('A step that cancels', () => {
  test('cancels the next appointment of the customer, of nobody else, and tells once', async () => {
    const { sent, say, contactId, appointments, bookable, serviceId, types } = await asked({
      first: 'cancel',
    })
    expect(sent().at(-1)!.text).toBe('Nothing free')
    const later = new Date(Math.ceil(world.clock.now().getTime() / DAY_MS) * DAY_MS + DAY_MS)
    const startsAt = new Date(later.getTime() + 7 * 3_600_000)
    await bookable.book({ serviceId, startsAt: new Date(startsAt.getTime() + 3_600_000) })
    const customer = {
      contactId: await contactId(),
      conversationId: null,
      name: null,
      phone: null,
      email: null,
    }
    await bookable.book({ serviceId, startsAt, customer })
    await say('book')
    expect(sent().at(-1)!.text).toBe('Cancelled')
    expect((await appointments()).map(({ status, cancelledBy }) => [status, cancelledBy])).toEqual([
      ['confirmed', null],
      ['cancelled', 'flow'],
    ])
    expect(types().filter((type) => type === 'appointment.cancelled')).toHaveLength(1)
    await say('book')
    expect(sent().at(-1)!.text).toBe('Nothing free')
  })
})
