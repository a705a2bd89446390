/** The assistant on channels other than the number that is tested everywhere else. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EVENT_DATA } from '../../src/contract/webhook-envelope.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/limits/units.ts'
import type { ChannelType } from '../../src/vocabulary/channels.ts'
import { actionRequest } from '../connections/action-world.ts'
import { bookableShop } from '../support/bookable.ts'
import { connectEveryChannel, type EveryChannel, type Party } from '../support/every-channel.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { call, say } from '../support/model-turns.ts'
import { createWorld, type World } from '../support/service.ts'
import { connectApi } from '../support/shop-api.ts'
import { systemTest } from '../support/system-tests.ts'

const TYPES = [
  'whatsapp_qr',
  'telegram',
  'messenger',
  'instagram',
  'web_widget',
  'website',
  'voice',
] as const satisfies ChannelType[]

let model: ModelServer
let world: World
let channels: EveryChannel

beforeAll(async () => {
  model = await startModelServer()
  const scripted = { modelName: 'scripted', baseUrl: model.baseUrl, key: null, isScripted: false }
  world = await createWorld({
    operatorModel: () => ({ kind: 'openai_compatible', ...scripted }),
  })
  channels = await connectEveryChannel(world, TYPES)
  for (const type of TYPES) await setUp(channels.party(type))
})
afterAll(async () => {
  await channels.close()
  await world.close()
  await model.close()
})
beforeEach(() => {
  model.asked.length = 0
  model.otherwise = say('Hello.')
})

/** The assistant is on, and has an action about the customer and one that is not. */
async function setUp(party: Party): Promise<void> {
  const { companyId } = party
  await world.database.db.kysely
    .insertInto('assistant')
    .values({ companyId, isOn: true, updatedAt: world.clock.now() })
    .execute()
  const connectionId = world.service.context.ids.uuid()
  await connectApi(world, { id: connectionId, companyId, baseUrl: 'https://127.0.0.1:9/api' })
  const owner = await channels.owner(party)
  const query = [{ name: 'who', value: '{{identity}}' }]
  for (const [toolName, identity] of [
    ['my_orders', 'contact_id'],
    ['branches', 'none'],
  ] as const) {
    const made = await owner.ask('POST', `/companies/${companyId}/actions`, {
      toolName,
      description: 'Looks something up.',
      identity,
      request: actionRequest(connectionId, {
        path: '/x',
        query: identity === 'none' ? [] : query,
      }),
      parameters: [],
    })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  }
}

async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  await channels.settle()
}

/** Somebody new has asked something, and what is due is done. */
async function asked(type: ChannelType, text = 'When do you open?') {
  const talk = await channels.begun(type, text)
  await pass(3 * SECOND_MS)
  await pass(SECOND_MS)
  return talk
}

const offered = () =>
  ((model.asked.at(-1)!.body.tools ?? []) as { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  )

test.each(['telegram', 'messenger', 'instagram'] as const)(
  'on %s a question is answered; nothing about the customer is offered there',
  async (type) => {
    const { customer } = await asked(type)
    expect(await customer.got()).toEqual(['Hello.'])
    expect(offered().filter((name) => name.startsWith('action_'))).toEqual(['action_branches'])
    expect(offered()).toContain('set_customer')
  },
)

systemTest('on whatsapp_qr it is, as the provider vouches for who writes', async () => {
  await asked('whatsapp_qr')
  expect(offered().filter((name) => name.startsWith('action_'))).toEqual([
    'action_my_orders',
    'action_branches',
  ])
})

systemTest(
  'on a widget nothing about the customer is offered, neither theirs to look up nor to change',
  async () => {
    const { customer } = await asked('web_widget')
    expect(await customer.got()).toEqual(['Hello.'])
    expect(offered()).toContain('action_branches')
    expect(offered()).not.toContain('action_my_orders')
    expect(offered()).not.toContain('set_customer')
  },
)

systemTest(
  'a visitor of a widget books with 0501234567: kept as it was typed, and told of without a phone',
  async () => {
    const { companyId } = channels.party('web_widget')
    const booking = await bookableShop(world, companyId)
    await booking.service([{ id: await booking.resource() }], { minutes: 60, stepMin: 60 })
    const tomorrow = world.clock.now().getTime() + DAY_MS + 3 * HOUR_MS
    const day = new Date(tomorrow).toISOString().slice(0, 10)
    model.script(call('find_slots', { service: 'Haircut', day }), say('We have 16:00 tomorrow.'))
    const { customer, id } = await asked('web_widget', 'Can I have a haircut tomorrow?')
    const who = { name: 'Sara', phone: '0501234567' }
    model.script(
      call('book_appointment', { service: 'Haircut', starts: `${day}T16:00`, ...who }),
      say('See you then!'),
    )
    await customer.writes('16:00 please, Sara, 0501234567')
    await pass(3 * SECOND_MS)
    await pass(SECOND_MS)
    const row = await world.database.db.kysely
      .selectFrom('appointment')
      .selectAll()
      .where('conversationId', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'confirmed', customerName: 'Sara', contactId: null })
    const { body } = await world.database.db.kysely
      .selectFrom('event')
      .innerJoin('eventBody', 'eventBody.id', 'event.id')
      .select('eventBody.body')
      .where('event.conversationId', '=', id)
      .where('type', '=', 'appointment.booked')
      .executeTakeFirstOrThrow()
    const { data } = JSON.parse(String(body)) as { data: unknown }
    const { contact } = EVENT_DATA['appointment.booked'].parse(data)
    expect(contact?.phone ?? null).toBeNull()
  },
)

systemTest.each(['website', 'voice'] as const)(
  'on %s nobody can be answered: no model is asked, no handover',
  async (type) => {
    const talk = await asked(type)
    await pass(60 * SECOND_MS)
    expect(model.asked).toEqual([])
    expect(await channels.sentIn(talk)).toEqual([])
    const rows = await world.database.db.kysely
      .selectFrom('handover')
      .select('id')
      .where('conversationId', '=', talk.id)
      .execute()
    expect(rows).toEqual([])
  },
)

systemTest(
  '1,200 Arabic letters on instagram, of 1,000 bytes a message: parts within bytes, no letter broken',
  async () => {
    const text = 'نفتح كل يوم في التاسعة صباحا ونغلق في العاشرة مساء عدا يوم الجمعة. '
    const whole = text.repeat(Math.ceil(1_200 / text.length)).trim()
    model.otherwise = say(whole)
    const { customer } = await asked('instagram', 'متى تفتحون؟')
    await pass(SECOND_MS)
    const parts = await customer.got()
    expect(parts).toHaveLength(3)
    for (const part of parts) {
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(1_000)
      expect(part.endsWith('.')).toBe(true)
    }
    expect(parts.join(' ')).toBe(whole)
  },
)

systemTest(
  'whatsapp_qr, two customers at once: what they are sent goes out 8 to 20 s apart',
  async () => {
    const talks = [await channels.begun('whatsapp_qr'), await channels.begun('whatsapp_qr')]
    for (let second = 0; second < 30; second += 1) await pass(SECOND_MS)
    const sent = (await Promise.all(talks.map((talk) => channels.sentIn(talk)))).flat()
    expect(sent.map(({ text }) => text)).toEqual(['Hello.', 'Hello.'])
    const [first, second] = sent.map(({ sentAt }) => sentAt!.getTime()).toSorted((a, b) => a - b)
    expect(second! - first!).toBeGreaterThanOrEqual(8 * SECOND_MS)
    expect(second! - first!).toBeLessThanOrEqual(20 * SECOND_MS + 2 * SECOND_MS)
  },
)
