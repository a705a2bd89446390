/** Free times, booking and cancelling by the assistant, as its tools see them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/limits/units.ts'
import { NOTHING_FOUND } from '../../../src/rules/calls/action-answer.ts'
import { waitUntilBlocked } from '../../support/blocked.ts'
import { createWebsite, openWidget } from '../../support/visitors.ts'
import { createToolWorld, type ToolTalk, type ToolWorld } from './tool-world.ts'
import { systemDescribe, systemTest } from '../../support/system-tests.ts'

let w: ToolWorld
let service: string
beforeAll(async () => {
  w = await createToolWorld()
})
afterAll(() => w.close())
/** Tomorrow, by the calendar of Riyadh. */
let day: string
beforeEach(async () => {
  await w.deps.db.pool.query('update service set deleted_at = now(), is_on = false')
  service = await w.booking.service([{ id: await w.booking.resource() }], {
    minutes: 60,
    stepMin: 60,
  })
  day = new Date(w.deps.clock.now().getTime() + DAY_MS + 3 * 60 * MINUTE_MS)
    .toISOString()
    .slice(0, 10)
})

const at = (wall: string) => `${day}T${wall}`
const inArabicDigits = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
const appointments = () =>
  w.deps.db.kysely.selectFrom('appointment').selectAll().where('serviceId', '=', service).execute()

/** Found, told and chosen: a time can be booked. */
async function told(talk: Pick<ToolTalk, 'call'> & { say: ToolTalk['say'] }, wall: string) {
  await talk.call('find_slots', { service: 'Haircut', day })
  await talk.say('assistant', `Tomorrow we have ${wall}.`)
  w.world.clock.advance(SECOND_MS)
}

describe('Free times', () => {
  test('are told with their day in the shop’s time zone, and are noted as found', async () => {
    const talk = await w.talkTo()
    const { text, isDone, hasEffect } = await talk.call('find_slots', { service: 'Haircut', day })
    expect({ isDone, hasEffect }).toEqual({ isDone: true, hasEffect: false })
    expect(text).toContain(`${day} (`)
    expect(text).toContain('09:00, 10:00, 11:00, 12:00, 13:00, 14:00, 15:00, 16:00')
  })

  test('of what is not the shop’s, or of no day, are refused in words', async () => {
    const talk = await w.talkTo()
    for (const [args, why] of [
      [{ service: 'Massage' }, 'must be one of "Haircut"'],
      [{ service: 'Haircut', day: 'tomorrow' }, 'YYYY-MM-DD'],
      [{ service: 'Haircut', id: service }, 'no argument "id"'],
      ['Haircut', 'as an object'],
    ] as const) {
      const refused = await talk.call('find_slots', args)
      expect(refused).toMatchObject({ isDone: false, hasEffect: false })
      expect(refused.text).toContain(why)
    }
    const far = await talk.call('find_slots', { service: 'Haircut', day: '9999-01-01' })
    expect(far.text).toContain('Nothing is free')
  })

  test('of a day in Arabic digits are those of that day', async () => {
    const talk = await w.talkTo()
    const typed = await talk.call('find_slots', { service: 'Haircut', day: inArabicDigits(day) })
    expect(typed).toMatchObject({ isDone: true })
    expect(typed.text).toContain(`${day} (`)
  })

  test('are not offered by a shop that books nothing', async () => {
    const talk = await w.talkTo()
    const offered = async (change: string) => {
      await w.deps.db.pool.query(`update service set ${change}`)
      return (await talk.names()).filter((name) => /slots|appointment/.test(name))
    }
    // What is booked already can be cancelled.
    expect(await offered('is_on = false')).toEqual(['cancel_appointment'])
    expect(await offered('is_on = true, deleted_at = now()')).toEqual([])
  })
})

describe('An appointment is booked', () => {
  test('at a time that was found, told and chosen; what is confirmed is code’s', async () => {
    const talk = await w.talkTo()
    await told(talk, '15:00 and 16:00')
    const booked = await talk.call('book_appointment', { service: 'Haircut', starts: at('16:00') })
    expect(booked).toMatchObject({ isDone: true, hasEffect: true })
    const [row] = await appointments()
    expect(row).toMatchObject({
      source: 'assistant',
      status: 'confirmed',
      contactId: talk.contactId,
      conversationId: talk.conversationId,
    })
    expect(row!.startsAt.toISOString()).toBe(`${day}T13:00:00.000Z`)
    expect(booked.says).toContain(`Reference: ${row!.reference}`)
    expect(booked.says).toContain('Haircut\n')
    expect(booked.says).toContain('16:00')
    const events = await w.eventsOf('appointment.booked')
    expect(events.at(-1)).toMatchObject({
      appointment: { startsAt: `${day}T13:00:00.000Z`, status: 'confirmed' },
      contact: { whatsAppId: null },
    })
  })

  systemTest(
    'never at one that was found and not told, told and not found, or told in this reply',
    async () => {
      const talk = await w.talkTo()
      const book = (wall: string) =>
        talk.call('book_appointment', { service: 'Haircut', starts: at(wall) })
      expect((await book('16:00')).text).toContain('was not told this time')
      await talk.say('assistant', 'We have 16:00.')
      expect((await book('16:00')).isDone).toBe(false)
      w.world.clock.advance(SECOND_MS)
      await talk.call('find_slots', { service: 'Haircut', day })
      expect((await book('16:00')).isDone).toBe(false)
      await talk.say('assistant', 'We have 09:00, it costs 16 riyals.')
      expect((await book('16:00')).isDone).toBe(false)
      await talk.say('staff', 'We have 16:00.')
      expect((await book('16:00')).isDone).toBe(false)
      const lost = await talk.say('assistant', 'We have 16:00.')
      await w.deps.db.kysely
        .updateTable('message')
        .set({ status: 'failed' })
        .where('id', '=', lost)
        .execute()
      expect((await book('16:00')).isDone).toBe(false)
      expect((await book('09:30')).isDone).toBe(false)
      expect(await appointments()).toEqual([])
      expect((await book('09:00')).isDone).toBe(true)
    },
  )

  test('on the day that was told, where times of several days were found', async () => {
    const talk = await w.talkTo()
    const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
    await talk.call('find_slots', { service: 'Haircut', day: next })
    await told(talk, '16:00')
    const book = (on: string) =>
      talk.call('book_appointment', { service: 'Haircut', starts: `${on}T16:00` })
    expect((await book(next)).isDone).toBe(false)
    expect((await book(day)).isDone).toBe(true)
  })

  test('within 30 minutes of being told', async () => {
    const talk = await w.talkTo()
    await told(talk, '16:00')
    w.world.clock.advance(30 * MINUTE_MS)
    const late = await talk.call('book_appointment', { service: 'Haircut', starts: at('16:00') })
    expect(late.isDone).toBe(false)
    await told(talk, '16:00')
    const again = await talk.call('book_appointment', { service: 'Haircut', starts: at('16:00') })
    expect(again.isDone).toBe(true)
  })

  test('also where it was looked up again before it was booked', async () => {
    const talk = await w.talkTo()
    await told(talk, '16:00')
    const args = { service: 'Haircut', starts: at('16:00') }
    await talk.call('find_slots', { service: 'Haircut', day })
    expect(await talk.call('book_appointment', args)).toMatchObject({ isDone: true })
  })

  test('once: of two who want the last one the second is told of others', async () => {
    const [one, other] = [await w.talkTo(), await w.talkTo()]
    await told(one, '16:00')
    await told(other, '16:00')
    const both = await Promise.all(
      [one, other].map((talk) =>
        talk.call('book_appointment', { service: 'Haircut', starts: at('16:00') }),
      ),
    )
    expect(both.map(({ isDone }) => isDone).toSorted()).toEqual([false, true])
    const loser = both.find(({ isDone }) => !isDone)!
    expect(loser.text).toContain('no longer free')
    expect(loser.text).toContain('15:00')
    expect(loser.text).not.toMatch(/: .*16:00/)
    expect(await appointments()).toHaveLength(1)
  })

  test('once by a reply that is taken up again', async () => {
    const talk = await w.talkTo()
    await told(talk, '16:00')
    const args = { service: 'Haircut', starts: at('16:00') }
    const first = await talk.call('book_appointment', args)
    expect((await talk.call('book_appointment', args)).says).toBe(first.says)
    expect(await appointments()).toHaveLength(1)
  })

  test('not once staff has the conversation', async () => {
    const talk = await w.talkTo()
    await told(talk, '16:00')
    await w.deps.db.kysely
      .updateTable('conversation')
      .set({ handledBy: 'staff' })
      .where('id', '=', talk.conversationId)
      .execute()
    const args = { service: 'Haircut', starts: at('16:00') }
    expect(await talk.call('book_appointment', args)).toMatchObject({ isDone: false })
    expect(await appointments()).toEqual([])
  })
})

systemDescribe('A visitor of a widget', () => {
  async function visit() {
    const website = await createWebsite(w.world, 'web_widget', {
      shop: w.shop,
      owner: await w.member(),
    })
    const sara = await openWidget(w.world.url, website.key)
    await sara.say('hello')
    const { id: conversationId } = await w.deps.db.kysely
      .selectFrom('conversation')
      .select('id')
      .where('channelId', '=', website.channelId)
      .executeTakeFirstOrThrow()
    const say = async (_: string, text: string) => {
      const now = w.deps.clock.now()
      const id = w.deps.ids.uuid()
      await w.deps.db.kysely
        .insertInto('message')
        .values({
          id,
          companyId: w.shop.companyId,
          conversationId,
          channelId: website.channelId,
          direction: 'out',
          sender: 'assistant',
          type: 'text',
          text,
          status: 'accepted',
          occurredAt: now,
          createdAt: now,
        })
        .execute()
      return id
    }
    return { say, ...w.talkIn({ conversationId, channelType: 'web_widget' }) }
  }

  test('is asked name and number, which are kept as they were typed', async () => {
    const talk = await visit()
    await told(talk, '16:00')
    const args = { service: 'Haircut', starts: at('16:00') }
    expect((await talk.call('book_appointment', args)).text).toContain('Ask the customer')
    const odd = await talk.call('book_appointment', { ...args, name: 'Sara', phone: 'mine' })
    expect(odd.isDone).toBe(false)
    const given = { ...args, name: 'Sara', phone: '0501234567' }
    expect(await talk.call('book_appointment', given)).toMatchObject({ isDone: true })
    expect(await appointments()).toMatchObject([
      { customerName: 'Sara', phone: null, rawPhone: '0501234567', contactId: null },
    ])
    const events = await w.eventsOf('appointment.booked')
    expect(events.at(-1)).toMatchObject({
      contact: { id: null, name: 'Sara', phone: null, whatsAppId: null },
    })
  })

  test('is offered nothing about the customer, and cancels what this conversation booked', async () => {
    const talk = await visit()
    const action = await w.make({ toolName: 'whose', identity: 'phone', ownershipPath: 'phone' })
    const names = await talk.names()
    expect(names).not.toContain('set_customer')
    expect(names).not.toContain(action.name)
    expect(names).toContain('cancel_appointment')
    expect(await talk.call('set_customer', { language: 'ar' })).toMatchObject({ isDone: false })
    await told(talk, '16:00')
    const given = { service: 'Haircut', starts: at('16:00'), name: 'Sara', phone: '0501234567' }
    await talk.call('book_appointment', given)
    expect(await talk.call('cancel_appointment')).toMatchObject({ proposalId: expect.any(String) })
    const other = await visit()
    expect((await other.call('cancel_appointment')).text).toBe(NOTHING_FOUND)
  })
})

describe('An appointment is cancelled', () => {
  async function booked(wall = '16:00', talk?: ToolTalk) {
    const theirs = talk ?? (await w.talkTo())
    await told(theirs, wall)
    const args = { service: 'Haircut', starts: at(wall) }
    const { data } = await theirs.call('book_appointment', args)
    return { talk: theirs, reference: (data as { reference: string }).reference }
  }
  const drafted = (proposalId: string | undefined) =>
    ({ kind: 'drafted', proposalId: proposalId!, text: '' }) as const

  test('once the customer agrees to what code states', async () => {
    const { talk, reference } = await booked()
    const proposed = await talk.call('cancel_appointment', { reference: reference.toLowerCase() })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
    const statement = await talk.state(drafted(proposed.proposalId), 'ar')
    expect(statement!.text).toContain(`قص شعر (${reference})`)
    expect(statement!.text).toContain('16:00')
    w.world.clock.advance(SECOND_MS)
    await talk.write('ايوه الغيه')
    const answered = await talk.answer()
    expect(answered).toMatchObject({
      kind: 'agreed',
      told: { kind: 'called', isDone: true, hasEffect: true },
    })
    expect(await appointments()).toMatchObject([{ status: 'cancelled', cancelledBy: 'assistant' }])
    expect(await w.eventsOf('appointment.cancelled')).toHaveLength(1)
  })

  test('not by a no, nor by a word that may mean either', async () => {
    const { talk } = await booked()
    const proposed = await talk.call('cancel_appointment')
    await talk.state(drafted(proposed.proposalId))
    w.world.clock.advance(SECOND_MS)
    await talk.write('cancel')
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again' })
    await talk.write('لا، لا تلغيه')
    expect(await talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'refused' })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  })

  test('not once it was moved since', async () => {
    const { talk } = await booked()
    const proposed = await talk.call('cancel_appointment')
    await talk.state(drafted(proposed.proposalId))
    w.world.clock.advance(SECOND_MS)
    await talk.write('yes')
    await w.deps.db.pool.query('update appointment set version = version + 1')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  })

  test('nor while it is being moved: what was agreed to was another time', async () => {
    const { talk } = await booked()
    const proposed = await talk.call('cancel_appointment')
    await talk.state(drafted(proposed.proposalId))
    w.world.clock.advance(SECOND_MS)
    await talk.write('yes')
    const { pool } = w.deps.db
    const mover = await pool.connect()
    await mover.query('begin')
    await mover.query('update appointment set version = version + 1')
    const answering = talk.answer()
    await waitUntilBlocked('the cancelling waits for the move', pool, mover)
    await mover.query('commit')
    mover.release()
    expect(await answering).toMatchObject({ kind: 'agreed', told: { kind: 'refused' } })
    expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  })

  test('not a second time, nor once it has begun', async () => {
    const { talk } = await booked()
    const proposed = await talk.call('cancel_appointment')
    await talk.state(drafted(proposed.proposalId))
    w.world.clock.advance(SECOND_MS)
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed' })
    expect(await talk.call('cancel_appointment')).toMatchObject({ text: NOTHING_FOUND })
    const other = await booked('15:00')
    w.world.clock.advance(2 * DAY_MS)
    expect(await other.talk.call('cancel_appointment')).toMatchObject({ text: NOTHING_FOUND })
  })

  test('never another’s: of a foreign reference nothing is found', async () => {
    const { reference } = await booked()
    const stranger = await w.talkTo()
    const refused = await stranger.call('cancel_appointment', { reference })
    expect(refused).toMatchObject({ text: NOTHING_FOUND, isDone: false })
    expect(refused.proposalId).toBeUndefined()
  })

  test('by a reference in any case, with signs between, in Arabic digits', async () => {
    const { talk, reference } = await booked('15:00')
    await booked('16:00', talk)
    const spaced = `${reference.slice(0, 4)}-${reference.slice(4)}`
    for (const typed of [spaced.toLowerCase(), inArabicDigits(spaced)]) {
      const proposed = await talk.call('cancel_appointment', { reference: typed })
      const statement = await talk.state(drafted(proposed.proposalId))
      expect(statement!.text).toContain(`(${reference})`)
    }
    const none = await talk.call('cancel_appointment', { reference: 'لا أعرف' })
    expect(none).toMatchObject({ text: NOTHING_FOUND, isDone: false })
  })

  test('of several the customer is asked which', async () => {
    const { talk, reference } = await booked('15:00')
    const other = await booked('16:00', talk)
    const listed = await talk.call('cancel_appointment')
    expect(listed.text).toContain(reference)
    expect(listed.text).toContain(other.reference)
    expect(listed.proposalId).toBeUndefined()
  })
})
