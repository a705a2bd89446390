/** Flows offer times, book and cancel. Flows › Booking. */
import { describe, expect, test } from 'vitest'
import { APPOINTMENT_LIMITS } from '../../../src/core/limits/appointments.ts'
import { RUN_LIMITS } from '../../../src/core/limits/flows.ts'
import { HOUR_MS } from '../../../src/core/limits/units.ts'
import { booked, customerOf } from '../../support/bookable.ts'
import { ORDER_READY_STEPS } from '../../support/shop.ts'
import { lockNeeds, putServices } from '../../support/records/appointments.ts'
import { holdLock } from '../../support/records/locks.ts'
import { putTemplates } from '../../support/records/templates.ts'
import { newPhone, type ConnectedShop } from '../../support/simulator.ts'
import { ASKING, keyword } from '../triggers/trigger-stories.ts'
import { askForTime, tenOClock, type BookingShape } from './booking-stories.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

const openTimeQuestion = (shape?: BookingShape) => askForTime(world, whatsApp, shape)
/** Lets each of these customers write, and processes all that follows. */
async function write(shop: ConnectedShop, text: string, ...phones: string[]) {
  for (const from of phones) {
    whatsApp.simulator.sendText({ from, phoneNumberId: shop.phoneNumberId, text })
  }
  await whatsApp.simulator.idle()
  await whatsApp.settle()
}
const statusesOf = (appointments: readonly { status: string }[]) =>
  appointments.map(({ status }) => status)
const inArabicDigits = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))

describe('A step that books', () => {
  test('offers the times of a day, books the tapped one once, and raises its events in order', async () => {
    const { labels, tap, sent, appointments, eventTypes } = await openTimeQuestion()
    const [first] = sent()
    expect(first!.content.text).toMatch(/^When\?\n\n\w+ \d+ \w+$/)
    expect(labels()).toContain('Another day')
    const time = labels()[0]!
    await tap(time)
    const [made] = await appointments()
    expect(made).toMatchObject({ status: 'confirmed', source: 'flow' })
    expect(made!.contactId).not.toBeNull()
    expect(sent().at(-1)!.text).toBe(`Haircut ${time} ${made!.reference}`)
    // The event for the changed contact comes before that of the appointment.
    expect(eventTypes().slice(-3)).toEqual([
      'contact.updated',
      'appointment.booked',
      'flow.completed',
    ])
    await tap(time, first!.wamid)
    expect(await appointments()).toHaveLength(1)
  })

  test('continues to another day and more times, by words as well, and knows an older button', async () => {
    const { labels, tap, say, sent, appointments } = await openTimeQuestion({
      hours: { fromMin: 0, toMin: 1_440 },
    })
    await say('another day')
    const day = sent().at(-1)!
    expect(labels()).toHaveLength(10)
    expect(labels()[0]).toBe('00:00')
    await tap('More times')
    expect(labels()[0]).toBe('08:00')
    // The same label on an older offer means another time: it is no answer.
    await tap('00:00', day.wamid)
    expect(await appointments()).toEqual([])
    expect(labels()[0]).toBe('08:00')
    await say('9:00')
    const [made] = await appointments()
    expect(made!.startsAt.toISOString().slice(11)).toBe('06:00:00.000Z')
  })

  test('asks again when another customer was faster; one is booked', async () => {
    const { labels, tap, sent, appointments, bookable, serviceId } = await openTimeQuestion()
    await tap('Another day')
    const taken = labels()[0]!
    const [hour = 0] = taken.split(':').map(Number)
    const startsAt = new Date(tenOClock(world, 1).getTime() + (hour - 10) * HOUR_MS)
    expect(await bookable.book({ serviceId, startsAt })).toMatchObject({ outcome: 'booked' })
    await tap(taken)
    expect(sent().at(-1)!.content.text).toMatch(/^That time has just been taken\.\n\nWhen\?/)
    expect(labels()).not.toContain(taken)
    await tap(labels()[0]!)
    expect((await appointments()).map(({ source }) => source)).toEqual(['booking_page', 'flow'])
  })

  test('books one of two who want the same time in one batch, and offers the other one more times', async () => {
    const { shop, phone, labels, sent, appointments } = await openTimeQuestion()
    const other = newPhone()
    await write(shop, 'book', other)
    const time = labels()[0]!
    await write(shop, time, phone, other)
    expect(await appointments()).toHaveLength(1)
    const last = [sent().at(-1)!, whatsApp.sentTo(other).at(-1)!]
    const said = last.map(({ text, content }) => text ?? content.text)
    expect(said.filter((text) => text.startsWith(`Haircut ${time}`))).toHaveLength(1)
    expect(said.filter((text) => text.startsWith('That time has just been taken'))).toHaveLength(1)
  })

  test('holds no lock of its batch while a cancellation in it waits for another lock', async () => {
    const { shop, phone, publish, bookable, labels, serviceId, appointments } =
      await openTimeQuestion()
    const cancel = { kind: 'cancel_appointment', next: null, onNone: null }
    await publish({ trigger: keyword('no'), steps: { hello: cancel } })
    const other = newPhone()
    const customer = customerOf({ name: 'Omar', phone: other })
    const startsAt = tenOClock(world, 4)
    booked(await bookable.book({ serviceId, startsAt, customer }))
    await using move = await holdLock(world, 'the appointments')
    const { phoneNumberId } = shop
    whatsApp.simulator.sendText({ from: phone, phoneNumberId, text: labels()[0]! })
    whatsApp.simulator.sendText({ from: other, phoneNumberId, text: 'no' })
    await whatsApp.simulator.idle()
    const done = whatsApp.settle()
    await move.blocks('the batch waits for the appointment')
    expect(await lockNeeds(move.inside, serviceId)).toBe(1)
    await move.release()
    await done
    expect(statusesOf(await appointments())).toEqual(['cancelled', 'confirmed'])
  })

  test('uses the language in which it is written', async () => {
    const { labels, sent, say, appointments, shown } = await openTimeQuestion({
      text: 'متى يناسبك؟',
    })
    expect(sent()[0]!.content.text).toMatch(/^متى يناسبك؟\n\n\p{Script=Arabic}+/u)
    expect(labels().at(-1)).toBe('يوم آخر')
    await say('غير ذلك')
    await say('١')
    const [made] = await appointments()
    // The customer's language is unknown.
    expect(sent().at(-1)!.text).toMatch(/^قص شعر /)
    expect(await shown(made!.id)).toMatchObject({ language: 'ar' })
  })

  test.each<[string, BookingShape, string | null, string]>([
    ['nothing is free', { hours: { fromMin: 600, toMin: 630 } }, null, 'Nothing free'],
    ['a day is asked for that is too far off', {}, '31/12/9999', 'Nothing free'],
    ['answers are wrong', { book: { retries: 0, onInvalid: 'gone' } }, 'green', 'Cancelled'],
  ])('takes its exit when %s', async (_, shape, text, last) => {
    const { shop, sent, say, appointments } = await openTimeQuestion(shape)
    if (text !== null) await say(text)
    expect(sent().at(-1)!.text).toBe(last)
    expect(await appointments()).toEqual([])
    expect(shop.events('conversation.handover')).toEqual([])
  })

  test('takes its exit when no answer comes in time', async () => {
    const { sent } = await openTimeQuestion()
    world.clock.advance(HOUR_MS)
    await whatsApp.settle()
    expect(sent().at(-1)!.text).toBe('Too late')
  })

  test('offers and books only the wanted person', async () => {
    const { tap, labels, appointments, shown, resourceId } = await openTimeQuestion({
      hours: { fromMin: 540, toMin: 1_200 },
      wanted: { fromMin: 1_080, toMin: 1_200 },
    })
    await tap('Another day')
    expect(labels()).toEqual(['18:00', '19:00', 'Another day'])
    await tap('18:00')
    const [made] = await appointments()
    expect((await shown(made!.id)).resources).toMatchObject([{ id: resourceId }])
  })

  test('sends `retryText` after a wrong answer; a right one resets the count; then it hands over', async () => {
    const { shop, sent, say, tap, runs, appointments } = await openTimeQuestion({
      book: { retries: 1, retryText: 'Choose a time, please' },
    })
    const [first] = sent()
    await say('green')
    expect(sent().at(-1)!.content.text).toMatch(/^Choose a time, please\n\n/)
    await tap('Another day', first!.wamid)
    expect(sent().at(-1)!.content.text).toMatch(/^When\?\n\n/)
    await say('green')
    await say('blue')
    expect(shop.events('conversation.handover')).toMatchObject([
      { data: { reason: 'flow_handover', reasonText: null } },
    ])
    expect(await runs()).toMatchObject([{ status: 'completed', reason: 'handed_over' }])
    expect(await appointments()).toEqual([])
  })

  test('has its own count of wrong answers, whatever an earlier question has counted', async () => {
    const many = { kind: 'ask', answer: 'number', text: 'How many?' }
    const { sent, say } = await openTimeQuestion({
      first: 'many',
      book: { retries: 0, retryText: 'Choose a time, please' },
      steps: {
        many: { ...ASKING.ask, ...many, next: 'book', onTimeout: 'book' },
      },
    })
    await say('green')
    world.clock.advance(HOUR_MS)
    await whatsApp.settle()
    expect(sent().at(-1)!.content.text).toMatch(/^When\?\n\n/)
  })

  test('takes its exit, or hands over, for a customer with the maximum of appointments', async () => {
    const { tap, labels, sent, bookFor, appointments } = await openTimeQuestion()
    for (const days of [4, 5, 6]) await bookFor(days)
    await tap(labels()[0]!)
    expect(sent().at(-1)!.text).toBe('Nothing free')
    expect(await appointments()).toHaveLength(3)

    const without = await openTimeQuestion({ book: { onNone: null } })
    for (const days of [4, 5, 6]) await without.bookFor(days)
    await without.tap(without.labels()[0]!)
    expect(await without.runs()).toMatchObject([{ status: 'completed', reason: 'handed_over' }])
  })

  test('takes its exit, at the question or at the booking, if the service cannot be booked any more', async () => {
    const { tap, say, labels, sent, serviceId, appointments } = await openTimeQuestion()
    const of = { id: serviceId }
    await putServices(world, of, { isOn: false })
    await tap(labels()[0]!)
    expect(sent().at(-1)!.text).toBe('Nothing free')
    await say('book')
    expect(sent().at(-1)!.text).toBe('Nothing free')
    await putServices(world, of, { isOn: true, deletedAt: world.clock.now() })
    await say('book')
    expect(sent().at(-1)!.text).toBe('Nothing free')
    expect(sent()).toHaveLength(4)
    expect(await appointments()).toEqual([])
  })

  test('describes the appointment in the language of the run', async () => {
    const { tap, labels, sent } = await openTimeQuestion({
      first: 'speak',
      steps: { speak: { kind: 'language', language: 'ar', next: 'book' } },
    })
    await tap(labels()[0]!)
    expect(sent().at(-1)!.text).toMatch(/^قص شعر /)
  })

  test('books again if the run reaches it again, and its history names the run', async () => {
    const { tap, labels, appointments, historyOf, runs, eventTypes } = await openTimeQuestion({
      steps: { tag: { kind: 'tag', add: ['booked'], remove: [], next: 'book' } },
    })
    await tap(labels()[0]!)
    await tap(labels()[0]!)
    const [one, two] = await appointments()
    expect(two!.startsAt).not.toEqual(one!.startsAt)
    expect(eventTypes().filter((type) => type === 'appointment.booked')).toHaveLength(2)
    const [run] = await runs()
    expect(await historyOf(two!.id)).toMatchObject([
      { kind: 'booked', by: { kind: 'flow', runId: run!.id, person: null } },
    ])
  })
})

describe('A step that cancels', () => {
  test('cancels the next appointment of the customer, and no other, and raises one event', async () => {
    const story = await openTimeQuestion({ first: 'cancel' })
    const { sent, say, appointments, bookable, bookFor, serviceId, eventTypes } = story
    expect(sent().at(-1)!.text).toBe('Nothing free')
    const startsAt = new Date(tenOClock(world, 2).getTime() + HOUR_MS)
    await bookable.book({ serviceId, startsAt })
    await bookFor(2)
    await say('book')
    expect(sent().at(-1)!.text).toBe('Cancelled')
    expect((await appointments()).map(({ status, cancelledBy }) => [status, cancelledBy])).toEqual([
      ['confirmed', null],
      ['cancelled', 'flow'],
    ])
    expect(eventTypes().filter((type) => type === 'appointment.cancelled')).toHaveLength(1)
    await say('book')
    expect(sent().at(-1)!.text).toBe('Nothing free')
  })

  test('cancels the one that the run has booked, not an earlier one, with a shortened reason', async () => {
    const reason = `by chat ${'x'.repeat(APPOINTMENT_LIMITS.reasonChars)}`
    const { tap, labels, bookFor, appointments, historyOf, shop, runs } = await openTimeQuestion({
      book: { next: 'cancel' },
      steps: { cancel: { kind: 'cancel_appointment', reason, next: null, onNone: null } },
    })
    const before = await bookFor(1)
    await tap('Another day')
    await tap('Another day')
    await tap(labels()[0]!)
    const [stays, cancelled] = await appointments()
    expect(stays).toMatchObject({ id: before.id, status: 'confirmed' })
    const cut = reason.slice(0, APPOINTMENT_LIMITS.reasonChars)
    expect(shop.events('appointment.cancelled')).toMatchObject([
      { data: { appointment: { id: cancelled!.id, cancellationReason: cut } } },
    ])
    const [run] = await runs()
    expect((await historyOf(cancelled!.id)).at(-1)).toMatchObject({
      kind: 'cancelled',
      by: { kind: 'flow', runId: run!.id },
      data: { by: 'flow', reason: cut },
    })
  })

  test('cancels the one whose reference the customer has typed, in their own spelling', async () => {
    const { say, sent, bookFor, appointments } = await openTimeQuestion({
      first: 'which',
      steps: {
        which: { ...ASKING.ask, saveAs: 'appointment_reference', next: 'cancel' },
      },
    })
    await bookFor(1)
    const second = await bookFor(2)
    await say('ZZZZ2345')
    expect(sent().at(-1)!.text).toBe('Nothing free')
    await say('book')
    const { reference } = (await appointments()).find(({ id }) => id === second.id)!
    await say(` ${reference.slice(0, 4).toLowerCase()}-${inArabicDigits(reference.slice(4))}`)
    expect(sent().at(-1)!.text).toBe('Cancelled')
    expect(statusesOf(await appointments())).toEqual(['confirmed', 'cancelled'])
  })

  test('skips one that has begun', async () => {
    const { say, sent, bookFor, appointments } = await openTimeQuestion({ first: 'cancel' })
    const begun = await bookFor(1)
    await bookFor(2)
    world.clock.moveTo(begun.startsAt.toISOString())
    await say('book')
    expect(sent().at(-1)!.text).toBe('Cancelled')
    expect(statusesOf(await appointments())).toEqual(['confirmed', 'cancelled'])
  })

  test('cancels nothing in an advance that keeps failing', async () => {
    const { shop, say, bookFor, appointments, runs, eventTypes } = await openTimeQuestion({
      first: 'cancel',
      steps: { gone: { ...ORDER_READY_STEPS.tell, next: null } },
    })
    await bookFor(1)
    await bookFor(2)
    await putTemplates(world, shop, { components: 'null' })
    await say('book')
    for (const delayMs of RUN_LIMITS.retryDelaysMs) {
      world.clock.advance(delayMs)
      await whatsApp.settle()
    }
    expect((await runs()).at(-1)).toMatchObject({ status: 'failed' })
    expect(statusesOf(await appointments())).toEqual(['confirmed', 'confirmed'])
    expect(eventTypes()).not.toContain('appointment.cancelled')
  })
})
