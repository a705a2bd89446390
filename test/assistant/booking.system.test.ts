/** Booking, cancelling and leads through a conversation. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ReplyDetail } from '../../src/contract/dashboard/assistant-reply.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import {
  startAssisted,
  toldTo,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { bookableShop, type BookableShop } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, callAll, say } from '../support/model-turns.ts'

let assisted: Assisted
let shop: AssistedShop
let booking: BookableShop
let service: string
let day: string

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
  booking = await bookableShop(assisted.world, shop.companyId)
})
afterAll(() => assisted.close())
beforeEach(async () => {
  assisted.model.asked.length = 0
  const { pool } = assisted.world.database.db
  await pool.query('update service set deleted_at = now(), is_on = false')
  const person = await booking.resource()
  service = await booking.service([{ id: person }], { minutes: 60, stepMin: 60 })
  // Tomorrow, by the calendar of Riyadh.
  const tomorrow = assisted.world.clock.now().getTime() + DAY_MS + 180 * MINUTE_MS
  day = new Date(tomorrow).toISOString().slice(0, 10)
})

const appointments = () =>
  assisted.world.database.db.kysely
    .selectFrom('appointment')
    .selectAll()
    .where('serviceId', '=', service)
    .execute()

async function says(sara: Customer, text: string): Promise<void> {
  await sara.says(text)
  await assisted.pass(3 * SECOND_MS)
  await assisted.pass(SECOND_MS)
}

const events = async (type: string) => {
  await assisted.whatsApp.settle()
  return shop.events(type).map(({ data }) => data)
}

/** The customer has been told of free times. */
async function told(sara = shop.customer()): Promise<Customer> {
  const { model } = assisted
  model.script(call('find_slots', { service: 'Haircut', day }), say('We have 16:00 tomorrow.'))
  await says(sara, 'Can I have a haircut tomorrow?')
  return sara
}

const book = (wall: string) =>
  call('book_appointment', { service: 'Haircut', starts: `${day}T${wall}` })

test('what the customer was told and chose is booked, and confirmed in code’s own words', async () => {
  const sara = await told()
  assisted.model.script(book('16:00'), say('See you then!'))
  await says(sara, '16:00 please')
  const [row] = await appointments()
  expect(row).toMatchObject({ source: 'assistant', status: 'confirmed', phone: sara.phone })
  const got = (await sara.got()).join('\n')
  expect(got).toContain('See you then!')
  expect(got).toContain(`Reference: ${row!.reference}`)
  const [booked] = await events('appointment.booked')
  expect(booked).toMatchObject({
    appointment: { startsAt: `${day}T13:00:00.000Z`, status: 'confirmed' },
    contact: { whatsAppId: null },
  })
  const owner = await signedIn(assisted.world, { accountId: shop.accountId })
  const reply = (await sara.replies()).at(-1)!
  const path = `/companies/${shop.companyId}/assistant/replies/${reply.id}`
  const { body } = await owner.ask<ReplyDetail>('GET', path)
  expect(body.steps.flatMap((step) => step.booked ?? [])).toEqual([
    { reference: row!.reference, startsAt: `${day}T13:00:00.000Z` },
  ])
})

test('booked, and handed over without a word of the model: what was booked is told all the same', async () => {
  const sara = await told()
  assisted.model.script(book('16:00'), call('hand_over', { reason: 'needs_staff_action' }))
  await says(sara, '16:00 please, and call me')
  const [row] = await appointments()
  const got = await sara.got()
  expect(got).toHaveLength(2)
  expect(got[1]).toContain(`Reference: ${row!.reference}\n\n`)
  expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
})

test('what was done in an earlier reply is told to the model, which may say so', async () => {
  const sara = await told()
  assisted.model.script(book('16:00'), say('See you then!'))
  await says(sara, '16:00 please')
  const { reference } = (await appointments())[0]!
  assisted.model.script(say('Your appointment is booked for tomorrow.'))
  await says(sara, 'Is it all right?')
  const asked = assisted.model.asked.at(-1)!
  expect(toldTo(asked)).toContain('What was done before in this conversation')
  expect(toldTo(asked).split(reference)).toHaveLength(3)
  expect((await sara.got()).at(-1)).toBe('Your appointment is booked for tomorrow.')
})

test('a time that the customer was never told is refused to the model', async () => {
  const sara = shop.customer()
  assisted.model.script(
    call('find_slots', { service: 'Haircut', day }),
    book('16:00'),
    say('We have 16:00 tomorrow: would you like it?'),
  )
  await says(sara, 'Book me a haircut at four tomorrow')
  expect(toldTo(assisted.model.asked.at(-1)!)).toContain('was not told this time')
  expect(await appointments()).toEqual([])
})

test('two take the last time: one is booked, the other is offered others', async () => {
  const [sara, omar] = [await told(), await told()]
  assisted.model.script(book('16:00'), say('See you then!'))
  await says(sara, '16:00')
  assisted.model.script(book('16:00'), say('That one has gone. We have 15:00.'))
  await says(omar, '16:00')
  expect(toldTo(assisted.model.asked.at(-1)!)).toContain('no longer free')
  expect((await omar.got()).at(-1)).toBe('That one has gone. We have 15:00.')
  expect(await appointments()).toHaveLength(1)
})

test('another’s reference is not found, and the own one is cancelled by its button alone', async () => {
  const sara = await told()
  assisted.model.script(book('16:00'), say('See you then!'))
  await says(sara, '16:00')
  const { reference } = (await appointments())[0]!

  const omar = shop.customer()
  assisted.model.script(call('cancel_appointment', { reference }), say('I found no such one.'))
  await says(omar, `Cancel my appointment ${reference}`)
  expect(toldTo(assisted.model.asked.at(-1)!)).toContain('Nothing was found.')
  expect(await omar.got()).toEqual(['I found no such one.'])

  assisted.model.script(call('cancel_appointment'), say('Of course.'))
  await says(sara, 'Cancel my appointment')
  expect((await sara.got()).at(-1)).toContain(reference)
  expect(await appointments()).toMatchObject([{ status: 'confirmed' }])
  assisted.model.script(say('Your appointment is cancelled.'))
  assisted.whatsApp.simulator.tapButton({ from: sara.phone, buttonIndex: 0 })
  await assisted.whatsApp.simulator.idle()
  await assisted.pass(SECOND_MS)
  expect(await appointments()).toMatchObject([{ status: 'cancelled', cancelledBy: 'assistant' }])
  expect((await sara.got()).at(-1)).toBe('Your appointment is cancelled.')
})

test('score 65, then 80: one lead.qualified, and the handover in the same commit', async () => {
  const sara = shop.customer()
  assisted.model.script(call('record_lead', { score: 65 }), say('How many do you need?'))
  await says(sara, 'What do forty boxes cost?')
  expect(await events('lead.qualified')).toEqual([])
  assisted.model.script(
    call('record_lead', { score: 80, temperature: 'hot' }, 'A colleague will write to you.'),
  )
  await says(sara, 'I take them all, today')
  expect(await events('lead.qualified')).toHaveLength(1)
  expect(await sara.handovers()).toMatchObject([{ reason: 'qualified_lead', reasonText: null }])
  expect(
    (await sara.got()).filter((text) => text === 'A colleague will write to you.'),
  ).toHaveLength(1)
  const { rows } = await assisted.world.database.db.pool.query(
    `select lead.xmin = handover.xmin as is_one from lead, handover
     where lead.conversation_id = handover.conversation_id and handover.reason = 'qualified_lead'`,
  )
  expect(rows).toEqual([{ is_one: true }])
})

test('the model hands over and the score does, in one reply: one event, one sentence', async () => {
  const sara = shop.customer()
  const before = (await events('conversation.handover')).length
  assisted.model.script(
    callAll(
      { name: 'record_lead', input: { score: 90 } },
      { name: 'hand_over', input: { reason: 'needs_staff_action', text: 'They want to sign.' } },
    ),
  )
  await says(sara, 'Where do I sign?')
  expect(await events('conversation.handover')).toHaveLength(before + 1)
  expect(await sara.handovers()).toHaveLength(1)
  expect(await sara.got()).toHaveLength(1)
})

test('score 140 is refused to the model, which may correct it', async () => {
  const sara = shop.customer()
  assisted.model.script(call('record_lead', { score: 140 }), say('How many do you need?'))
  await says(sara, 'What do forty boxes cost?')
  expect(toldTo(assisted.model.asked.at(-1)!)).toContain('from 0 to 100')
  expect(await sara.handovers()).toEqual([])
})
