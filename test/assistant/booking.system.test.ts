/** Booking, cancelling and leads through a conversation. */
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { openAssisted, toldTo, type Customer } from '../support/assistant.ts'
import { bookableShop, tomorrowOf } from '../support/bookable.ts'
import { call, callAll, say, type Turn } from '../support/model-turns.ts'
import { appointmentsOf, deleteServices } from '../support/records/appointments.ts'

let serviceId: string
let day: string

const assisted = await openAssisted()
const { world } = assisted
const shop = await assisted.openShop()
const booking = await bookableShop(world, shop.companyId)
beforeEach(async () => {
  await deleteServices(world, shop)
  serviceId = await booking.ownService({ minutes: 60, stepMin: 60 })
  day = tomorrowOf(world)
})

const appointments = () => appointmentsOf(world, { serviceId })

async function says(sara: Customer, text: string, ...turns: Turn[]): Promise<void> {
  await sara.asks(text, ...turns)
  await assisted.pass(SECOND_MS)
}

const events = async (type: string) => {
  await assisted.whatsApp.settle()
  return shop.events(type)
}

const SEE_YOU = say('See you then!')
const book = () => call('book_appointment', { service: 'Haircut', starts: `${day}T16:00` })

/** The assistant offers the customer a free time. */
async function offerTime(sara = shop.customer()): Promise<Customer> {
  const slots = call('find_slots', { service: 'Haircut', day })
  await says(sara, 'Can I have a haircut tomorrow?', slots, say('We have 16:00 tomorrow.'))
  return sara
}

/** The customer books the time that was offered. */
async function booked() {
  const sara = await offerTime()
  await says(sara, '16:00 please', book(), SEE_YOU)
  const [row] = await appointments()
  return { sara, row: row!, reference: row!.reference }
}

test('a time that was offered and chosen is booked, and code writes the confirmation', async () => {
  const { sara, row, reference } = await booked()
  expect(row).toMatchObject({ source: 'assistant', status: 'confirmed', phone: sara.phone })
  const got = (await sara.got()).join('\n')
  expect(got).toContain('See you then!')
  expect(got).toContain(`Reference: ${reference}`)
  const startsAt = `${day}T13:00:00.000Z`
  const [event] = await events('appointment.booked')
  expect(event!.data).toMatchObject({
    appointment: { startsAt, status: 'confirmed' },
    contact: { whatsAppId: null },
  })
  const { steps } = await sara.trace()
  expect(steps.flatMap((step) => step.booked ?? [])).toEqual([{ reference, startsAt }])
})

test('a booking is confirmed even if the model then hands over without a text', async () => {
  const sara = await offerTime()
  const handsOver = call('hand_over', { reason: 'needs_staff_action' })
  await says(sara, '16:00 please, and call me', book(), handsOver)
  const [row] = await appointments()
  const got = await sara.got()
  expect(got).toHaveLength(2)
  expect(got[1]).toContain(`Reference: ${row!.reference}\n\n`)
  expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
})

test('the model learns of actions in an earlier reply, and may mention them', async () => {
  const { sara, reference } = await booked()
  const words = 'Your appointment is booked for tomorrow.'
  await says(sara, 'Is it all right?', say(words))
  const text = toldTo(assisted.model.asked.at(-1)!)
  expect(text).toContain('What was done before in this conversation')
  expect(text.split(reference)).toHaveLength(3)
  expect((await sara.got()).at(-1)).toBe(words)
})

test('a score of 65, then 80, raises one lead.qualified, with the handover in the same commit', async () => {
  const sara = shop.customer()
  const record = call('record_lead', { score: 65 })
  await says(sara, 'What do forty boxes cost?', record, say('How many do you need?'))
  expect(await events('lead.qualified')).toEqual([])
  const words = 'A colleague will write to you.'
  const hot = call('record_lead', { score: 80, temperature: 'hot' }, words)
  await says(sara, 'I take them all, today', hot)
  expect(await events('lead.qualified')).toHaveLength(1)
  expect(await sara.handovers()).toMatchObject([{ reason: 'qualified_lead', reasonText: null }])
  expect((await sara.got()).filter((text) => text === words)).toHaveLength(1)
  const { rows } = await sql`
    select lead.xmin = handover.xmin as is_one from lead, handover
    where lead.conversation_id = handover.conversation_id
      and handover.reason = 'qualified_lead'`.execute(world.database.db.kysely)
  expect(rows).toEqual([{ isOne: true }])
})

test('a handover by the model and by the score in one reply is one event and one sentence', async () => {
  const before = (await events('conversation.handover')).length
  const both = callAll(
    { name: 'record_lead', input: { score: 90 } },
    { name: 'hand_over', input: { reason: 'needs_staff_action', text: 'They want to sign.' } },
  )
  const sara = await shop.asked('Where do I sign?', both)
  expect(await events('conversation.handover')).toHaveLength(before + 1)
  expect(await sara.handovers()).toHaveLength(1)
  expect(await sara.got()).toHaveLength(1)
})
