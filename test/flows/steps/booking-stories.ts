/** Customers who are asked for a time by a flow, and the results. */
import type {
  AppointmentDetail,
  AppointmentEntryView,
} from '../../../src/contract/dashboard/appointment.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/limits/units.ts'
import { itemsOf } from '../../support/dashboard.ts'
import { bookableShop, booked, customerOf } from '../../support/bookable.ts'
import type { World } from '../../support/test-service.ts'
import type { SimulatedWhatsApp } from '../../support/simulator.ts'
import { appointmentsOf } from '../../support/records/appointments.ts'
import { keyword, saying, tellStory } from '../triggers/trigger-stories.ts'

type Hours = { fromMin: number; toMin: number }
export type BookingShape = {
  text?: string
  hours?: Hours
  /** Hours of a second person, who is the only one that the step books. */
  wanted?: Hours
  first?: string
  /** Fields of the step that books. */
  book?: object
  steps?: Record<string, unknown>
}

/** Returns 10:00 in Riyadh, that many days after the last midnight of UTC. */
export const tenOClock = ({ clock }: Pick<World, 'clock'>, days: number): Date =>
  new Date((Math.floor(clock.now().getTime() / DAY_MS) + days) * DAY_MS + 7 * HOUR_MS)

/** Returns a customer whose flow asks for a time of a service of an hour. */
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
    trigger: keyword('book'),
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
  await story.say('book')
  const { sent } = story
  const labels = () =>
    sent()
      .at(-1)!
      .content.buttons.map((button) => button.text)
  /** Taps the button with these words, of the last message or of the named one. */
  const tap = (label: string, messageId = sent().at(-1)!.wamid) => {
    const { content } = sent().find(({ wamid }) => wamid === messageId)!
    const place = content.buttons.findIndex((button) => button.text === label)
    return story.tap(place, messageId)
  }
  /** Returns the appointments in the order in which they were booked. */
  const appointments = async () =>
    (await appointmentsOf(world, { companyId })).toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    )
  /**
   * Books for the customer that many days from now at 10:00 in Riyadh, as the assistant, which confirms in its own
   * words.
   */
  const bookFor = async (days: number) => {
    const customer = customerOf({ contactId: (await story.contact())!.id })
    const startsAt = tenOClock(world, days)
    return booked(await bookable.book({ source: 'assistant', serviceId, startsAt, customer }))
  }
  const shown = async (id: string) => {
    const path = `/companies/${companyId}/appointments/${id}`
    return (await story.owner.ask<AppointmentDetail>('GET', path)).body
  }
  const historyOf = (id: string) =>
    itemsOf<AppointmentEntryView>(story.owner, `/companies/${companyId}/appointments/${id}/history`)
  const does = { tap, bookFor, historyOf }
  return { ...story, bookable, serviceId, resourceId, labels, appointments, shown, ...does }
}
