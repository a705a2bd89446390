/** Customers whom a flow asks for a time, and what becomes of it. */
import type { AppointmentDetail } from '../../../src/contract/dashboard/appointment.ts'
import { DAY_MS, HOUR_MS } from '../../../src/limits/units.ts'
import { bookableShop, booked, customerOf } from '../../support/bookable.ts'
import type { World } from '../../support/service.ts'
import type { SimulatedWhatsApp } from '../../support/simulator.ts'
import { tellStory } from '../triggers/trigger-stories.ts'

const saying = (text: string) => ({ kind: 'send_message', text, next: null })

type Hours = { fromMin: number; toMin: number }
export type BookingShape = {
  text?: string
  hours?: Hours
  /** Of a second person, who alone is wanted. */
  wanted?: Hours
  first?: string
  /** Of the step that books. */
  book?: object
  steps?: Record<string, unknown>
}

/** A customer whom a flow asks for a time of a service of an hour. */
export async function askForTime(
  world: World,
  whatsApp: SimulatedWhatsApp,
  shape: BookingShape = {},
) {
  const { text = 'When?', hours, wanted, first = 'book', book = {}, steps = {} } = shape
  const story = await tellStory(world, whatsApp)
  const { companyId } = story.shop
  const bookable = await bookableShop(world, companyId)
  const people = [await bookable.resource('person', hours)]
  if (wanted) people.push(await bookable.resource('person', wanted))
  const resourceId = wanted ? people[1] : null
  const needs = people.map((id) => ({ id }))
  const serviceId = await bookable.service(needs, { minutes: 60, stepMin: 60 })
  const told =
    '{{vars.appointment_service}} {{vars.appointment_time}} {{vars.appointment_reference}}'
  await story.publish({
    trigger: { kind: 'keyword', words: ['book'] },
    start: first,
    steps: {
      book: {
        kind: 'book',
        serviceId,
        resourceId,
        text,
        timeoutMinutes: 60,
        next: 'tag',
        onNone: 'none',
        onTimeout: 'late',
        ...book,
      },
      tag: { kind: 'tag', add: ['booked'], remove: [], next: 'done' },
      done: saying(told),
      none: saying('Nothing free'),
      late: saying('Too late'),
      cancel: { kind: 'cancel_appointment', reason: 'by chat', next: 'gone', onNone: 'none' },
      gone: saying('Cancelled'),
      ...steps,
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
  /** So many days from now at 10:00 in Riyadh, of the customer. */
  const bookFor = async (days: number) => {
    const midnight = Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS
    const startsAt = new Date(midnight + days * DAY_MS + 7 * HOUR_MS)
    const customer = customerOf({ contactId: await contactId() })
    return booked(await bookable.book({ serviceId, startsAt, customer }))
  }
  const shown = async (id: string) => {
    const path = `/companies/${companyId}/appointments/${id}`
    return (await story.owner.ask<AppointmentDetail>('GET', path)).body
  }
  const seen = { sent, labels, types, appointments, shown }
  return { ...story, contactId, bookable, bookFor, serviceId, resourceId, say, tap, ...seen }
}
