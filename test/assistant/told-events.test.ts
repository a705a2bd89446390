/** What a merchant's endpoint is told of that which the assistant does in a conversation. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import {
  startAssisted,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { bookableShop } from '../support/bookable.ts'
import { signedIn } from '../support/dashboard.ts'
import { call, say, type Turn } from '../support/model-turns.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
})

async function says(sara: Customer, text: string, ...turns: Turn[]): Promise<void> {
  assisted.model.script(...turns)
  await sara.says(text)
  await assisted.pass(3 * SECOND_MS)
  await assisted.pass(SECOND_MS)
}

/** Data of the events of a type that were told of this customer. */
async function told(sara: Customer, type: string): Promise<object[]> {
  const { id } = await sara.conversation()
  const data = shop.events(type).map((event) => event.data)
  return data.filter((one) => (one as { conversation?: { id: string } }).conversation?.id === id)
}

const acts = async (sara: Customer, what: string, json?: object) => {
  const member = await signedIn(assisted.world, { accountId: shop.accountId })
  const { id } = await sara.conversation()
  const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}/${what}`
  expect((await member.ask('POST', path, json)).status).toBeLessThan(300)
  await assisted.whatsApp.settle()
  return member
}

/** The two that every event of a conversation has. */
async function about(sara: Customer) {
  const { id } = await sara.conversation()
  return {
    conversation: { id, channelId: shop.channelId, channelType: 'whatsapp' },
    contact: {
      id: expect.any(String) as string,
      name: 'Sara',
      phone: sara.phone,
      whatsAppId: sara.phone.slice(1),
    },
  }
}

test('conversation.handover: who, where, why, and the assistant’s own words as they are written', async () => {
  const sara = shop.customer()
  const reasonText = 'وصل الطرد مكسورًا، ويريد استرداد المبلغ'
  await says(
    sara,
    'وصل الطرد مكسورًا!',
    call('hand_over', { reason: 'customer_upset', reason_text: reasonText }, 'نعتذر منك.'),
  )
  const expected = { ...(await about(sara)), reason: 'customer_upset', reasonText }
  expect(await told(sara, 'conversation.handover')).toEqual([expected])
  const bodies = assisted.world.receiver.received.map(({ body }) => body.toString('utf8'))
  expect(bodies.some((body) => body.includes(`"reasonText":"${reasonText}"`))).toBe(true)
})

systemTest(
  'conversation.handover: of code without words; not told of again for what staff does, once more after a resolve',
  async () => {
    const sara = shop.customer()
    await says(sara, 'I want to talk to a person')
    await acts(sara, 'messages', { key: 'k', text: 'How can I help?' })
    const member = await acts(sara, 'take-over', { turn: await sara.turn() })
    await acts(sara, 'assign', { assigneeId: member.personId, turn: await sara.turn() })
    await says(sara, 'A person, please!')
    expect(await told(sara, 'conversation.handover')).toMatchObject([
      { reason: 'customer_asked_for_person', reasonText: null },
    ])
    await acts(sara, 'resolve')
    await assisted.pass(MINUTE_MS)
    await says(sara, 'I want to talk to a person again')
    expect(await told(sara, 'conversation.handover')).toHaveLength(2)
  },
)

systemTest(
  'message.received: of each message of the customer whoever has the conversation, of nobody else’s',
  async () => {
    const sara = shop.customer()
    await says(sara, 'When do you open?', say('At nine.'))
    await acts(sara, 'take-over', { turn: await sara.turn() })
    await acts(sara, 'messages', { key: 'k', text: 'At ten today.' })
    await says(sara, 'thank you')
    const received = (await told(sara, 'message.received')) as { message: { text: string } }[]
    expect(received.map(({ message }) => message.text)).toEqual(['When do you open?', 'thank you'])
  },
)

systemTest(
  'lead.qualified: the lead as it is then, once for each time that it becomes so',
  async () => {
    const sara = shop.customer()
    const lead = { score: 80, temperature: 'hot', summary: 'Forty boxes, today.' }
    await says(
      sara,
      'I take forty boxes, today',
      call('record_lead', lead, 'A colleague will write.'),
    )
    const [event, ...more] = await told(sara, 'lead.qualified')
    expect(more).toEqual([])
    expect(event).toEqual({
      conversation: (await about(sara)).conversation,
      lead: {
        id: expect.any(String) as string,
        customerName: 'Sara',
        status: 'qualified',
        temperature: 'hot',
        score: 80,
        qualifiedAt: expect.stringMatching(/^\d{4}-.*T.*Z$/) as string,
      },
    })
    expect(await told(sara, 'conversation.handover')).toMatchObject([{ reason: 'qualified_lead' }])
    await acts(sara, 'give-back')
    await says(sara, 'Or fifty', call('record_lead', { ...lead, score: 90 }), say('Noted.'))
    expect(await told(sara, 'lead.qualified')).toHaveLength(1)
  },
)

systemTest(
  'appointment.booked and appointment.cancelled: times in UTC, what the customer is called, no whatsAppId',
  async () => {
    const booking = await bookableShop(assisted.world, shop.companyId)
    const person = await booking.resource()
    await booking.service([{ id: person }], { minutes: 60, stepMin: 60 })
    const tomorrow = assisted.world.clock.now().getTime() + DAY_MS + 180 * MINUTE_MS
    const day = new Date(tomorrow).toISOString().slice(0, 10)
    const sara = shop.customer()
    const slots = call('find_slots', { service: 'Haircut', day })
    await says(sara, 'A haircut tomorrow?', slots, say('We have 16:00 tomorrow.'))
    const book = call('book_appointment', { service: 'Haircut', starts: `${day}T16:00` })
    await says(sara, '16:00 please', book, say('See you then!'))
    const { conversation, contact } = await about(sara)
    const expected = {
      conversation,
      contact: { ...contact, whatsAppId: null },
      appointment: {
        id: expect.any(String) as string,
        reference: expect.any(String) as string,
        service: 'Haircut',
        startsAt: `${day}T13:00:00.000Z`,
        endsAt: `${day}T14:00:00.000Z`,
        status: 'confirmed',
        customerName: 'Sara',
        cancellationReason: null,
      },
    }
    expect(await told(sara, 'appointment.booked')).toEqual([expected])
    await says(sara, 'Cancel it, I cannot come', call('cancel_appointment'), say('Of course.'))
    expect(await told(sara, 'appointment.cancelled')).toEqual([])
    assisted.model.script(say('It is cancelled.'))
    assisted.whatsApp.simulator.tapButton({ from: sara.phone, buttonIndex: 0 })
    await assisted.whatsApp.simulator.idle()
    await assisted.pass(SECOND_MS)
    const cancelled = await told(sara, 'appointment.cancelled')
    expect(cancelled).toEqual([
      { ...expected, appointment: { ...expected.appointment, status: 'cancelled' } },
    ])
  },
)
