/** Free times, booking and cancelling by the assistant's tools. */
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/limits/units.ts'
import { NOTHING_FOUND } from '../../../src/rules/calls/action-answer.ts'
import { tomorrowOf } from '../../support/bookable.ts'
import {
  appointmentsOf,
  deleteServices,
  putAppointment,
  putServices,
} from '../../support/records/appointments.ts'
import { newestConversation, putConversation } from '../../support/records/conversations.ts'
import { holdLock } from '../../support/records/locks.ts'
import { addMessage, setMessageStatus } from '../../support/records/messages.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'
import { createWebsite, openWidget } from '../../support/visitors.ts'
import { openToolWorld, type ToolTalk } from './tool-world.ts'

let serviceId: string
const w = await openToolWorld()
const { world, shop } = w
/** Tomorrow in the calendar of Riyadh. */
let day: string
beforeEach(async () => {
  await deleteServices(world, shop)
  serviceId = await w.booking.ownService({ minutes: 60, stepMin: 60 })
  day = tomorrowOf(world)
})

const inArabicDigits = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
const appointments = () => appointmentsOf(world, { serviceId })

type Booking = Pick<ToolTalk, 'call' | 'say'>

const find = (talk: Booking, on = day) => talk.call('find_slots', { service: 'Haircut', day: on })
const book = (
  talk: Booking,
  wall = '16:00',
  { on = day, ...who }: { on?: string; name?: string; phone?: string } = {},
) => talk.call('book_appointment', { service: 'Haircut', starts: `${on}T${wall}`, ...who })

/** Finds a time and offers it to the customer, so that it can be booked. */
async function offerTime<Talk extends Booking>(talk: Talk, wall = '16:00'): Promise<Talk> {
  await find(talk)
  await talk.say('assistant', `Tomorrow we have ${wall}.`)
  world.clock.advance(SECOND_MS)
  return talk
}

describe('Free times', () => {
  test('are returned with their day in the shop’s time zone, also for a day in Arabic digits', async () => {
    const talk = await w.talkTo()
    for (const typed of [day, inArabicDigits(day)]) {
      const { text, isDone, hasEffect } = await find(talk, typed)
      expect({ isDone, hasEffect }).toEqual({ isDone: true, hasEffect: false })
      expect(text).toContain(`${day} (`)
      expect(text).toContain('09:00, 10:00, 11:00, 12:00, 13:00, 14:00, 15:00, 16:00')
    }
  })

  test('are refused for an unknown service or a wrong day, with the reason', async () => {
    const talk = await w.talkTo()
    for (const [args, why] of [
      [{ service: 'Massage' }, 'must be one of "Haircut"'],
      [{ service: 'Haircut', day: 'tomorrow' }, 'YYYY-MM-DD'],
      [{ service: 'Haircut', id: serviceId }, 'no argument "id"'],
      ['Haircut', 'as an object'],
    ] as const) {
      const refused = await talk.call('find_slots', args)
      expect(refused).toMatchObject({ isDone: false, hasEffect: false })
      expect(refused.text).toContain(why)
    }
    expect((await find(talk, '9999-01-01')).text).toContain('Nothing is free')
  })

  test('are not offered by a shop without bookable services', async () => {
    const talk = await w.talkTo()
    const offered = async (change: Parameters<typeof putServices>[2]) => {
      await putServices(world, shop, change)
      return (await talk.names()).filter((name) => /slots|appointment/.test(name))
    }
    // Existing appointments can still be cancelled.
    expect(await offered({ isOn: false })).toEqual(['cancel_appointment'])
    expect(await offered({ isOn: true, deletedAt: world.clock.now() })).toEqual([])
  })
})

describe('An appointment is booked', () => {
  systemTest(
    'at a time that was found, offered and chosen, and code writes the confirmation',
    async () => {
      const talk = await offerTime(await w.talkTo(), '15:00 and 16:00')
      const booked = await book(talk)
      expect(booked).toMatchObject({ isDone: true, hasEffect: true })
      const [row] = await appointments()
      const { contactId, conversationId } = talk
      const made = { source: 'assistant', status: 'confirmed', contactId, conversationId }
      expect(row).toMatchObject(made)
      expect(row!.startsAt.toISOString()).toBe(`${day}T13:00:00.000Z`)
      for (const words of [`Reference: ${row!.reference}`, 'Haircut\n', '16:00']) {
        expect(booked.says).toContain(words)
      }
      expect((await w.eventsOf('appointment.booked')).at(-1)).toMatchObject({
        appointment: { startsAt: `${day}T13:00:00.000Z`, status: 'confirmed' },
        contact: { whatsAppId: null },
      })
    },
  )

  systemTest('never at a time that was not both found and offered before this reply', async () => {
    const talk = await w.talkTo()
    const isBooked = async (wall = '16:00') => (await book(talk, wall)).isDone
    expect((await book(talk)).text).toContain('was not told this time')
    await talk.say('assistant', 'We have 16:00.')
    expect(await isBooked()).toBe(false)
    world.clock.advance(SECOND_MS)
    await find(talk)
    expect(await isBooked()).toBe(false)
    await talk.say('assistant', 'We have 09:00, it costs 16 riyals.')
    expect(await isBooked()).toBe(false)
    await talk.say('staff', 'We have 16:00.')
    expect(await isBooked()).toBe(false)
    const lost = await talk.say('assistant', 'We have 16:00.')
    await setMessageStatus(world, { id: lost }, 'failed')
    expect(await isBooked()).toBe(false)
    expect(await isBooked('09:30')).toBe(false)
    expect(await appointments()).toEqual([])
    expect(await isBooked('09:00')).toBe(true)
  })

  test('on the day that was offered, even if times of several days were found', async () => {
    const talk = await w.talkTo()
    const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
    await find(talk, next)
    await offerTime(talk)
    expect((await book(talk, '16:00', { on: next })).isDone).toBe(false)
    expect((await book(talk)).isDone).toBe(true)
  })

  test('within 30 minutes of the offer, even if times were found again before', async () => {
    const talk = await offerTime(await w.talkTo())
    world.clock.advance(30 * MINUTE_MS)
    expect((await book(talk)).isDone).toBe(false)
    await offerTime(talk)
    await find(talk)
    expect((await book(talk)).isDone).toBe(true)
  })

  test('once: of two customers who want the last time, the second gets others', async () => {
    const talks = [await offerTime(await w.talkTo()), await offerTime(await w.talkTo())]
    const both = await Promise.all(talks.map((talk) => book(talk)))
    expect(both.map(({ isDone }) => isDone).toSorted()).toEqual([false, true])
    const loser = both.find(({ isDone }) => !isDone)!
    expect(loser.text).toContain('no longer free')
    expect(loser.text).toContain('15:00')
    expect(loser.text).not.toMatch(/: .*16:00/)
    expect(await appointments()).toHaveLength(1)
  })

  test('once by a reply that is resumed', async () => {
    const talk = await offerTime(await w.talkTo())
    const first = await book(talk)
    expect((await book(talk)).says).toBe(first.says)
    expect(await appointments()).toHaveLength(1)
  })

  test('but not once staff has the conversation', async () => {
    const talk = await offerTime(await w.talkTo())
    await putConversation(world, talk.conversationId, { handledBy: 'staff' })
    expect(await book(talk)).toMatchObject({ isDone: false })
    expect(await appointments()).toEqual([])
  })
})

systemDescribe('A visitor of a widget', () => {
  const WHO = { name: 'Sara', phone: '0501234567' }

  /** Opens a conversation of a visitor who was offered a time. */
  async function visit() {
    const owner = await w.member()
    const website = await createWebsite(world, 'web_widget', { shop, owner })
    const sara = await openWidget(world.url, website.key)
    await sara.say('hello')
    const { channelId } = website
    const { id: conversationId } = await newestConversation(world, { channelId })
    const { companyId } = shop
    const say = (sender: string, text: string) =>
      addMessage(world, { companyId, channelId, conversationId }, { sender, text })
    return offerTime({ say, ...w.talkIn({ conversationId, channelType: 'web_widget' }) })
  }

  test('is asked for name and number, which are stored as typed', async () => {
    const talk = await visit()
    expect((await book(talk)).text).toContain('Ask the customer')
    expect((await book(talk, '16:00', { ...WHO, phone: 'mine' })).isDone).toBe(false)
    expect(await book(talk, '16:00', WHO)).toMatchObject({ isDone: true })
    expect(await appointments()).toMatchObject([
      { customerName: 'Sara', phone: null, rawPhone: '0501234567', contactId: null },
    ])
    expect((await w.eventsOf('appointment.booked')).at(-1)).toMatchObject({
      contact: { id: null, name: 'Sara', phone: null, whatsAppId: null },
    })
  })

  test('gets no tool about the customer, and cancels only bookings of this conversation', async () => {
    const talk = await visit()
    const action = await w.make({ toolName: 'whose', identity: 'phone', ownershipPath: 'phone' })
    const names = await talk.names()
    expect(names).not.toContain('set_customer')
    expect(names).not.toContain(action.name)
    expect(names).toContain('cancel_appointment')
    expect(await talk.call('set_customer', { language: 'ar' })).toMatchObject({ isDone: false })
    await book(talk, '16:00', WHO)
    expect(await talk.call('cancel_appointment')).toMatchObject({ proposalId: expect.any(String) })
    const other = await visit()
    expect((await other.call('cancel_appointment')).text).toBe(NOTHING_FOUND)
  })
})

describe('An appointment is cancelled', () => {
  async function booked(wall = '16:00', talk?: ToolTalk) {
    const theirs = await offerTime(talk ?? (await w.talkTo()), wall)
    const { data } = await book(theirs, wall)
    return { talk: theirs, reference: (data as { reference: string }).reference }
  }

  /** Proposes a cancellation, and sends its confirmation text to the customer. */
  async function proposed(talk: ToolTalk, reference?: string, language: 'ar' | 'en' = 'en') {
    const { proposalId } = await talk.call('cancel_appointment', reference ? { reference } : {})
    const drafted = { kind: 'drafted', proposalId: proposalId!, text: '' } as const
    const statement = await talk.state(drafted, language)
    world.clock.advance(SECOND_MS)
    return statement!.text
  }

  test('once the customer agrees to the confirmation text', async () => {
    const { talk, reference } = await booked()
    const statement = await proposed(talk, reference.toLowerCase(), 'ar')
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
    expect(statement).toContain(`قص شعر (${reference})`)
    expect(statement).toContain('16:00')
    await talk.write('ايوه الغيه')
    expect(await talk.answer()).toMatchObject({
      kind: 'agreed',
      result: { kind: 'called', isDone: true, hasEffect: true },
    })
    expect(await appointments()).toMatchObject([{ status: 'cancelled', cancelledBy: 'assistant' }])
    expect(await w.eventsOf('appointment.cancelled')).toHaveLength(1)
  })

  test('but not after a refusal or an ambiguous answer', async () => {
    const { talk } = await booked()
    await proposed(talk)
    await talk.write('cancel')
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again' })
    await talk.write('لا، لا تلغيه')
    expect(await talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'refused' })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  })

  test('but not once it was moved', async () => {
    const { talk } = await booked()
    await proposed(talk)
    await talk.write('yes')
    const [row] = await appointments()
    await putAppointment(world, row!.id, { version: row!.version + 1 })
    expect(await talk.answer()).toEqual({ kind: 'none' })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  })

  test('but not while it is being moved, because the customer agreed to another time', async () => {
    const { talk } = await booked()
    await proposed(talk)
    await talk.write('yes')
    const [row] = await appointments()
    await using move = await holdLock(world, 'nothing')
    await putAppointment(move.inside, row!.id, { version: row!.version + 1 })
    const answering = talk.answer()
    await move.blocks('the cancelling waits for the move')
    await move.release()
    expect(await answering).toMatchObject({ kind: 'agreed', result: { kind: 'refused' } })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  })

  test('but not a second time, nor once it has begun', async () => {
    const { talk } = await booked()
    await proposed(talk)
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed' })
    expect(await talk.call('cancel_appointment')).toMatchObject({ text: NOTHING_FOUND })
    const other = await booked('15:00')
    world.clock.advance(2 * DAY_MS)
    expect(await other.talk.call('cancel_appointment')).toMatchObject({ text: NOTHING_FOUND })
  })

  test('but never that of another customer, whose reference finds nothing', async () => {
    const { reference } = await booked()
    const stranger = await w.talkTo()
    const refused = await stranger.call('cancel_appointment', { reference })
    expect(refused).toMatchObject({ text: NOTHING_FOUND, isDone: false })
    expect(refused.proposalId).toBeUndefined()
  })

  test('by its reference in any spelling if there are several, and otherwise the customer is asked which', async () => {
    const { talk, reference } = await booked('15:00')
    const other = await booked('16:00', talk)
    const listed = await talk.call('cancel_appointment')
    expect(listed.text).toContain(reference)
    expect(listed.text).toContain(other.reference)
    expect(listed.proposalId).toBeUndefined()
    const spaced = `${reference.slice(0, 4)}-${reference.slice(4)}`
    for (const typed of [spaced.toLowerCase(), inArabicDigits(spaced)]) {
      expect(await proposed(talk, typed)).toContain(`(${reference})`)
    }
    const none = await talk.call('cancel_appointment', { reference: 'لا أعرف' })
    expect(none).toMatchObject({ text: NOTHING_FOUND, isDone: false })
  })
})
