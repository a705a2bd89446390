/** The events about a conversation with the assistant that a merchant's endpoint gets. */
import { expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { openAssisted, type Customer } from '../support/assistant.ts'
import { bookableShop, tomorrowOf } from '../support/bookable.ts'
import { call, say, type Turn } from '../support/model-turns.ts'
import { systemDescribe } from '../support/system-tests.ts'

const assisted = await openAssisted()
const shop = await assisted.openShop()

async function says(sara: Customer, text: string, ...turns: Turn[]): Promise<void> {
  await sara.asks(text, ...turns)
  await assisted.pass(SECOND_MS)
}

/** Returns the data of all events of a type about this customer. */
async function eventDataOf(sara: Customer, type: string): Promise<object[]> {
  const { id } = await sara.conversation()
  const data = shop.events(type).map((event) => event.data)
  return data.filter((one) => (one as { conversation?: { id: string } }).conversation?.id === id)
}

async function acts(sara: Customer, what: string, json?: object) {
  const member = await sara.staff(what, json)
  await assisted.whatsApp.settle()
  return member
}

const TEXT = expect.any(String) as string

/** Returns the conversation and the contact that every such event contains. */
async function about(sara: Customer) {
  const { id } = await sara.conversation()
  return {
    conversation: { id, channelId: shop.channelId, channelType: 'whatsapp' },
    contact: { id: TEXT, name: 'Sara', phone: sara.phone, whatsAppId: sara.phone.slice(1) },
  }
}

test('conversation.handover has who, where and why, and the assistant’s own text as written', async () => {
  const reasonText = 'وصل الطرد مكسورًا، ويريد استرداد المبلغ'
  const given = { reason: 'customer_upset', reason_text: reasonText }
  const sara = await shop.asked('وصل الطرد مكسورًا!', call('hand_over', given, 'نعتذر منك.'))
  const expected = { ...(await about(sara)), reason: 'customer_upset', reasonText }
  expect(await eventDataOf(sara, 'conversation.handover')).toEqual([expected])
  const bodies = assisted.world.receiver.received.map(({ body }) => body.toString('utf8'))
  expect(bodies.some((body) => body.includes(`"reasonText":"${reasonText}"`))).toBe(true)
})

systemDescribe('An endpoint', () => {
  test('gets an event without text of a handover by code, and the next one only after a resolve', async () => {
    const sara = shop.customer()
    await says(sara, 'I want to talk to a person')
    await acts(sara, 'messages', { key: 'k', text: 'How can I help?' })
    const { personId: assigneeId } = await acts(sara, 'take-over', { turn: await sara.turn() })
    await acts(sara, 'assign', { assigneeId, turn: await sara.turn() })
    await says(sara, 'A person, please!')
    expect(await eventDataOf(sara, 'conversation.handover')).toMatchObject([
      { reason: 'customer_asked_for_person', reasonText: null },
    ])
    await acts(sara, 'resolve')
    await assisted.pass(MINUTE_MS)
    await says(sara, 'I want to talk to a person again')
    expect(await eventDataOf(sara, 'conversation.handover')).toHaveLength(2)
  })

  test("gets an event of an appointment with UTC times, the customer's name and no whatsAppId", async () => {
    const booking = await bookableShop(assisted.world, shop.companyId)
    await booking.ownService({ minutes: 60, stepMin: 60 })
    const day = tomorrowOf(assisted.world)
    const sara = shop.customer()
    const slots = call('find_slots', { service: 'Haircut', day })
    await says(sara, 'A haircut tomorrow?', slots, say('We have 16:00 tomorrow.'))
    const book = call('book_appointment', { service: 'Haircut', starts: `${day}T16:00` })
    await says(sara, '16:00 please', book, say('See you then!'))
    const { conversation, contact } = await about(sara)
    const appointment = {
      id: TEXT,
      reference: TEXT,
      service: 'Haircut',
      startsAt: `${day}T13:00:00.000Z`,
      endsAt: `${day}T14:00:00.000Z`,
      status: 'confirmed',
      customerName: 'Sara',
      cancellationReason: null,
    }
    const expected = { conversation, contact: { ...contact, whatsAppId: null }, appointment }
    expect(await eventDataOf(sara, 'appointment.booked')).toEqual([expected])
    await says(sara, 'Cancel it, I cannot come', call('cancel_appointment'), say('Of course.'))
    expect(await eventDataOf(sara, 'appointment.cancelled')).toEqual([])
    assisted.model.script(say('It is cancelled.'))
    await sara.taps(0)
    const cancelled = { ...expected, appointment: { ...appointment, status: 'cancelled' } }
    expect(await eventDataOf(sara, 'appointment.cancelled')).toEqual([cancelled])
  })
})
