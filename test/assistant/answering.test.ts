import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  heardBy,
  startAssisted,
  toldTo,
  type Assisted,
  type AssistedShop,
} from '../support/assistant.ts'
import { LIVE_REPLY } from '../../src/assistant/live-reply.ts'
import { createLiveChanges } from '../../src/live/watch-changes.ts'
import { lookUntil } from '../support/live.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { connectApi, json, startShopApi } from '../support/shop-api.ts'
import { call, say } from '../support/model-turns.ts'
import { waitUntil } from '../support/wait.ts'
import { newWamid, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
  assisted.hasModel = true
})

const asked = () => assisted.model.asked

/** Until the model has been asked so often; what goes on meanwhile ends when it was released. */
async function askedTimes(times: number): Promise<{ settled: Promise<void> }> {
  const settled = assisted.whatsApp.settle()
  await waitUntil('the model is asked', () => asked().length === times)
  return { settled }
}

describe('answering', () => {
  test('a customer asks and gets one reply, after 3 s of quiet', async () => {
    const sara = shop.customer()
    assisted.model.script(say('We open at nine.'))
    await sara.says('When do you open?')
    await assisted.pass(2_999)
    expect(asked()).toHaveLength(0)
    await assisted.pass(1)
    expect(asked()).toHaveLength(1)
    expect(await sara.got()).toEqual(['We open at nine.'])
    expect(await sara.replies()).toMatchObject([{ state: 'sent' }])
    await assisted.pass(60_000)
    expect(asked()).toHaveLength(1)
  })

  systemTest(
    'three messages 2 s apart are one request that holds all three, and one reply',
    async () => {
      const sara = shop.customer()
      for (const text of ['Hello', 'do you have', 'a blue one?']) {
        await sara.says(text)
        await assisted.pass(2_000)
      }
      expect(asked()).toHaveLength(0)
      await assisted.pass(1_000)
      expect(asked().map(heardBy)).toEqual([['Hello', 'do you have', 'a blue one?']])
      expect(await sara.got()).toHaveLength(1)
    },
  )

  systemTest('a message every 2 s for 30 s: a first reply by 15 s of gathering', async () => {
    const sara = shop.customer()
    for (let second = 0; second < 15; second += 2) {
      await sara.says(`word ${second}`)
      await assisted.pass(second === 14 ? 999 : 2_000)
    }
    expect(asked()).toHaveLength(0)
    await assisted.pass(1)
    expect(asked()).toHaveLength(1)
    expect(heardBy(asked()[0]!)).toHaveLength(8)
    expect(await sara.got()).toHaveLength(1)
  })

  test('a text, then a tapped button: answered at once, and both together', async () => {
    const sara = shop.customer()
    await sara.says('I would like')
    assisted.world.clock.advance(1_000)
    const button_reply = { id: 'menu-1', title: 'The blue one' }
    const content = { type: 'interactive', interactive: { type: 'button_reply', button_reply } }
    const at = assisted.world.clock.now()
    const pressed = written({ from: sara.phone.slice(1), content, at, id: newWamid() })
    expect(await postWebhook(assisted.world, webhookOf(shop, [pressed]))).toBe(200)
    await assisted.whatsApp.settle()
    expect(asked().map(heardBy)).toEqual([['I would like', 'The blue one']])
  })

  test('a message while it thinks: the first answer is never sent, the second request holds both', async () => {
    const sara = shop.customer()
    assisted.model.script(say('The first answer'), say('The second answer'))
    await sara.says('How much is it?')
    assisted.world.clock.advance(3_000)
    const release = assisted.model.hold()
    const { settled } = await askedTimes(1)
    await sara.says('The blue one I mean')
    release()
    await settled
    await assisted.pass(3_000)
    expect(asked().map(heardBy)[1]).toEqual(['How much is it?', 'The blue one I mean'])
    expect(await sara.got()).toEqual(['The second answer'])
    expect(await sara.replies()).toMatchObject([{ state: 'sent', epoch: 2 }])
  })

  systemTest(
    'started over three times, a reply is sent at the fourth message, then one for the rest',
    async () => {
      const sara = shop.customer()
      assisted.model.script(...['one', 'two', 'three', 'four', 'five'].map(say))
      await sara.says('message 0')
      for (let nth = 1; nth <= 4; nth += 1) {
        assisted.world.clock.advance(3_000)
        const release = assisted.model.hold()
        const { settled } = await askedTimes(nth)
        assisted.world.clock.advance(1)
        await sara.says(`message ${nth}`)
        release()
        await settled
      }
      await assisted.pass(3_000)
      expect(await sara.got()).toEqual(['four', 'five'])
      expect(heardBy(asked()[3]!)).toHaveLength(4)
      expect(heardBy(asked()[4]!).at(-1)).toBe('message 4')
      expect(await sara.replies()).toMatchObject([{ state: 'sent', epoch: 4 }, { state: 'sent' }])
    },
  )
})

test('who watches the company is told of a reply when it begins, at its steps and at its end', async () => {
  const live = createLiveChanges(assisted.world.service.context, { reply: LIVE_REPLY })
  const told: object[] = []
  let isReady = false
  const { accountId, companyId } = shop
  const stop = live.watch({
    accountId,
    companyId,
    role: 'agent',
    position: null,
    tell(message) {
      isReady ||= message.kind === 'ready'
      if (message.kind === 'changed') told.push(...message.things.map(({ thing }) => thing))
    },
  })
  await lookUntil('it is ready', live, () => isReady)
  const sara = shop.customer()
  const isTold = async () => {
    const [reply] = await sara.replies()
    const { id: conversationId } = await sara.conversation()
    await lookUntil('it is told of', live, () => told.length > 0)
    expect(
      told.every(
        (one) => JSON.stringify(one) === JSON.stringify({ id: reply!.id, conversationId }),
      ),
    ).toBe(true)
    told.length = 0
  }
  await sara.says('When do you open?')
  await isTold()
  assisted.world.clock.advance(3_000)
  const release = assisted.model.hold()
  const { settled } = await askedTimes(1)
  await isTold()
  release()
  await settled
  await isTold()
  stop()
  live.stop()
})

systemDescribe('actions in a reply', () => {
  test('a POST was made, a new message: the reply finishes, one call, a second reply follows', async () => {
    const api = await startShopApi(assisted.world)
    const { ids } = assisted.world.service.context
    const connectionId = ids.uuid()
    const { companyId, accountId } = shop
    await connectApi(assisted.world, { id: connectionId, companyId, baseUrl: api.baseUrl })
    const owner = await signedIn(assisted.world, { accountId })
    const made = await owner.ask('POST', `/companies/${companyId}/actions`, {
      toolName: 'note_order',
      description: 'Notes something about an order.',
      needsConfirmation: false,
      parameters: [ORDER],
      request: actionRequest(connectionId, {
        method: 'POST',
        path: '/notes',
        body: '{"order":"{{args.order}}"}',
      }),
    })
    expect(made.status).toBe(201)
    const sara = shop.customer()
    api.reply(json(200, { state: 'noted' }))
    assisted.model.script(
      call('action_note_order', { order: '17' }),
      say('I have noted it for you.'),
      say('You are welcome.'),
    )
    await sara.says('Leave order 17 at the door')
    assisted.world.clock.advance(3_000)
    const asks = asked().length
    const settled = assisted.whatsApp.settle()
    await api.hasReceived(1)
    const release = assisted.model.hold()
    await waitUntil('the model is told', () => asked().length === asks + 2)
    assisted.world.clock.advance(10)
    await sara.says('thank you')
    release()
    await settled
    await assisted.pass(3_000)
    expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(await sara.got()).toEqual(['I have noted it for you.', 'You are welcome.'])
    expect(await sara.replies()).toMatchObject([
      { state: 'sent', epoch: 1 },
      { state: 'sent', epoch: 1 },
    ])
    await api.close()
  })
})

systemDescribe('what a model is told', () => {
  test('is the first name, and of tags and fields those that the company lets it see', async () => {
    const settings = { tags: ['vip'], readableFields: ['size'] }
    const there = await assisted.openShop({ settings })
    const sara = there.customer()
    await sara.says('Do you have it in blue?')
    await assisted.world.database.db.kysely
      .updateTable('contact')
      .set({
        name: 'Sara Alqahtani',
        tags: ['vip', 'owes-money'],
        fields: { size: 'M', iban: 'SA4420000001234567891234' },
      })
      .where('companyId', '=', there.companyId)
      .execute()
    await assisted.pass(3_000)
    const told = toldTo(asked()[0]!)
    for (const shown of ['Sara', 'tagged: vip', 'size: M']) expect.soft(told).toContain(shown)
    for (const kept of ['Alqahtani', 'owes-money', 'SA44']) expect.soft(told).not.toContain(kept)
  })

  test('is 12,000 characters of the talk at most, the newest', async () => {
    const sara = shop.customer()
    for (const nth of [1, 2, 3, 4]) {
      await sara.says(`${nth} ${'x'.repeat(3_900)}`)
      assisted.world.clock.advance(1_000)
    }
    await assisted.pass(3_000)
    expect(heardBy(asked()[0]!).map((text) => text[0])).toEqual(['2', '3', '4'])
  })

  test('is nothing that was to be sent and never was', async () => {
    const sara = shop.customer()
    assisted.model.script(say('We open at nine.'), say('At ten.'))
    await sara.says('When do you open?')
    await assisted.pass(3_000)
    const { id } = await sara.conversation()
    await assisted.world.database.db.kysely
      .updateTable('message')
      .set({ status: 'failed' })
      .where('conversationId', '=', id)
      .where('direction', '=', 'out')
      .execute()
    await sara.says('hello?')
    await assisted.pass(3_000)
    expect(toldTo(asked()[1]!)).not.toContain('We open at nine.')
  })
})

systemDescribe('the language of an answer to words that tell none', () => {
  test.each([
    { contact: null, company: undefined, answered: 'Arabic' },
    { contact: null, company: 'en', answered: 'English' },
    { contact: 'ar', company: 'en', answered: 'Arabic' },
    { contact: 'en', company: 'ar', answered: 'English' },
  ])(
    'contact $contact, company $company: $answered',
    async ({ contact, company: language, answered }) => {
      const there = await assisted.openShop({ settings: language ? { language } : {} })
      const sara = there.customer()
      await sara.says('1043 👍')
      await assisted.world.database.db.kysely
        .updateTable('contact')
        .set({ language: contact })
        .where('companyId', '=', there.companyId)
        .execute()
      await assisted.pass(3_000)
      expect(toldTo(asked()[0]!)).toContain(`Answer in ${answered}`)
      // Once they have written, the talk tells it before anybody's settings.
      assisted.model.asked.length = 0
      const other = answered === 'Arabic' ? 'English' : 'Arabic'
      await sara.says(other === 'English' ? 'Hello there' : 'مرحبا')
      await assisted.pass(3_000)
      await sara.says('1044')
      await assisted.pass(3_000)
      expect(toldTo(asked().at(-1)!)).toContain(`Answer in ${other}`)
    },
  )
})

systemTest(
  'a place tells no language, by the question before it or alone: its words are the map’s',
  async () => {
    const sara = shop.customer()
    assisted.model.script(say('نعم.'), say('نعم.'))
    await sara.says('هل توصلون إلى هنا؟')
    assisted.world.clock.advance(100)
    await sara.sends('location')
    await assisted.pass(3_000)
    await sara.sends('location')
    await assisted.pass(3_000)
    expect(asked()).toHaveLength(2)
    for (const one of asked()) {
      expect(toldTo(one)).toContain('Old Town Gate')
      expect(toldTo(one)).toContain('Answer in Arabic')
    }
    const { id } = await sara.conversation()
    const { kysely } = assisted.world.database.db
    const kept = kysely.selectFrom('conversation').select('language').where('id', '=', id)
    expect(await kept.executeTakeFirst()).toEqual({ language: 'ar' })
  },
)
