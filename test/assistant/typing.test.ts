/** What customers see while the assistant thinks. Spec: Assistant › When it answers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  startAssisted,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import { playMessaging } from '../support/messaging.ts'
import { simulateTelegram, type SimulatedTelegram } from '../support/telegram.ts'
import { say } from '../support/model-turns.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop
let telegram: SimulatedTelegram

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop()
  telegram = await simulateTelegram(assisted.world)
})
afterAll(async () => {
  await telegram.close()
  await assisted.close()
})
beforeEach(() => {
  assisted.model.asked.length = 0
})

const shownTo = ({ phone }: Customer) =>
  assisted.whatsApp.simulator
    .typing()
    .filter(({ account, customer }) => account === shop.phoneNumberId && `+${customer}` === phone)

/** The model is asked and does not answer until what comes back is called; that ends when all is done. */
async function whileItThinks(): Promise<() => Promise<void>> {
  const release = assisted.model.hold()
  const before = assisted.model.asked.length
  const settled = assisted.whatsApp.settle()
  await waitUntil('the model is asked', () => assisted.model.asked.length > before)
  return async () => {
    release()
    await settled
  }
}

/** The time goes by while the model has not answered. */
async function passes(ms: number, isShown: () => boolean): Promise<void> {
  assisted.world.clock.advance(ms)
  const worked = assisted.world.service.processAll()
  await waitUntil('it is shown', isShown)
  void worked
}

test('after a second of thinking it is shown that it writes, and again every 20 s', async () => {
  const sara = shop.customer()
  await sara.says('Do you have it in blue?')
  assisted.world.clock.advance(3_000)
  const answered = await whileItThinks()
  expect(shownTo(sara)).toHaveLength(0)
  await passes(1_000, () => shownTo(sara).length === 1)
  await passes(20_000, () => shownTo(sara).length === 2)
  const [first, second] = shownTo(sara)
  expect(second!.at - first!.at).toBe(20_000)
  await answered()
  expect(await sara.got()).toEqual(['Hello.'])
  await assisted.pass(60_000)
  expect(shownTo(sara)).toHaveLength(2)
})

systemTest('whoever is answered within a second sees the answer alone', async () => {
  const sara = shop.customer()
  await sara.says('Where are you?')
  await assisted.pass(3_000)
  await assisted.pass(5_000)
  expect(await sara.got()).toHaveLength(1)
  expect(shownTo(sara)).toEqual([])
})

systemTest('staff takes over while it thinks: it is shown no more', async () => {
  const [sara, mark] = [shop.customer(), shop.customer()]
  await sara.says('Can I change my order?')
  await mark.says('When do you open?')
  assisted.world.clock.advance(3_000)
  const answered = await whileItThinks()
  await waitUntil('both are thought about', () => assisted.model.asked.length === 2)
  const { id } = await sara.conversation()
  const member = await signedIn(assisted.world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}/messages`
  expect((await member.ask('POST', path, { key: 'a', text: 'Yes, tell me' })).status).toBe(201)
  await passes(1_000, () => shownTo(mark).length === 1)
  expect(shownTo(sara)).toEqual([])
  await answered()
  expect(await sara.got()).toEqual(['Yes, tell me'])
})

test('that it cannot be shown fails no reply', async () => {
  const sara = shop.customer()
  assisted.model.script(say('It is 20 riyals.'))
  await sara.says('How much is it?')
  assisted.world.clock.advance(3_000)
  const answered = await whileItThinks()
  const { kysely } = assisted.world.database.db
  const { id } = await sara.conversation()
  // WhatsApp knows no such message: what is asked of it is refused.
  const ofSara = kysely.updateTable('message').where('conversationId', '=', id)
  await ofSara.set({ providerMessageId: 'wamid.gone' }).execute()
  assisted.world.clock.advance(1_000)
  void assisted.world.service.processAll()
  await answered()
  expect(await sara.got()).toEqual(['It is 20 riyals.'])
  expect(shownTo(sara)).toEqual([])
})

systemTest.each(['messenger', 'instagram'] as const)(
  'on %s it is shown every 15 s',
  async (product) => {
    const played = await playMessaging(assisted.world, product)
    const page = await played.openShop()
    await assisted.world.database.db.kysely
      .insertInto('assistant')
      .values({ companyId: page.companyId, isOn: true, updatedAt: assisted.world.clock.now() })
      .execute()
    const customer = page.newCustomer()
    const shown = () =>
      played.simulator.typing().filter((one) => one.customer === customer.personId)
    played.simulator.sendText(customer, 'When do you open?')
    await played.simulator.idle()
    assisted.world.clock.advance(3_000)
    const answered = await whileItThinks()
    await passes(1_000, () => shown().length === 1)
    await passes(15_000, () => shown().length === 2)
    await answered()
    await played.settle()
    expect(played.simulator.sent().map(({ text }) => text)).toEqual(['Hello.'])
    expect(shown()).toHaveLength(2)
    await played.close()
  },
)

systemTest('on telegram it is shown every 4 s', async () => {
  const bot = await telegram.openShop()
  await assisted.world.database.db.kysely
    .insertInto('assistant')
    .values({ companyId: bot.companyId, isOn: true, updatedAt: assisted.world.clock.now() })
    .execute()
  const chat = bot.newChat()
  const shown = () =>
    telegram.telegram.typing().filter(({ customer }) => customer === chat.personId)
  telegram.telegram.sendText(chat, 'When do you open?')
  await telegram.hear()
  assisted.world.clock.advance(3_000)
  const answered = await whileItThinks()
  await passes(1_000, () => shown().length === 1)
  await passes(4_000, () => shown().length === 2)
  await answered()
  expect(telegram.telegram.chat(chat).at(-1)).toMatchObject({ from: 'business', text: 'Hello.' })
  expect(shown()).toHaveLength(2)
})
