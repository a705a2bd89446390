/** The typing indicator while the assistant thinks. Spec: Assistant › When it answers. */
import { afterAll, expect, test } from 'vitest'
import { openAssisted, type Customer } from '../support/assistant.ts'
import { playMessaging } from '../support/messaging.ts'
import { say } from '../support/model-turns.ts'
import { setAssistant } from '../support/records/assistant.ts'
import { messagesOf, setProviderMessageId } from '../support/records/messages.ts'
import { systemTest } from '../support/system-tests.ts'
import { simulateTelegram } from '../support/telegram.ts'
import { waitUntil } from '../support/wait.ts'

const assisted = await openAssisted()
const { world } = assisted
const shop = await assisted.openShop()
const telegram = await simulateTelegram(world)
afterAll(() => telegram.close())

const shownTo = ({ phone }: Customer) =>
  assisted.whatsApp.simulator
    .typing()
    .filter(({ account, customer }) => account === shop.phoneNumberId && `+${customer}` === phone)

/**
 * Moves the clock by three seconds, after which the model is asked. It answers once the returned function is called.
 */
async function whileItThinks(): Promise<() => Promise<void>> {
  world.clock.advance(3_000)
  const release = assisted.model.hold()
  const before = assisted.model.asked.length
  const settled = assisted.whatsApp.settle()
  await waitUntil('the model is asked', () => assisted.model.asked.length > before)
  return async () => {
    release()
    await settled
  }
}

/** Moves the clock while the model has not answered, and waits for the typing indicator. */
async function passes(ms: number, isShown: () => boolean): Promise<void> {
  world.clock.advance(ms)
  const worked = world.service.processAll()
  await waitUntil('it is shown', isShown)
  void worked
}

test('the indicator is shown after a second of thinking, and again every 20 s', async () => {
  const sara = shop.customer()
  await sara.says('Do you have it in blue?')
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

systemTest('a customer who is answered within a second sees the answer alone', async () => {
  const sara = await shop.asked('Where are you?')
  await assisted.pass(5_000)
  expect(await sara.got()).toHaveLength(1)
  expect(shownTo(sara)).toEqual([])
})

systemTest('a takeover by staff while the assistant thinks ends the indicator', async () => {
  const [sara, mark] = [shop.customer(), shop.customer()]
  await sara.says('Can I change my order?')
  await mark.says('When do you open?')
  const answered = await whileItThinks()
  await waitUntil('both are thought about', () => assisted.model.asked.length === 2)
  await sara.staff('messages', { key: 'a', text: 'Yes, tell me' })
  await passes(1_000, () => shownTo(mark).length === 1)
  expect(shownTo(sara)).toEqual([])
  await answered()
  expect(await sara.got()).toEqual(['Yes, tell me'])
})

test('a reply does not fail when the indicator cannot be shown', async () => {
  const sara = shop.customer()
  assisted.model.script(say('It is 20 riyals.'))
  await sara.says('How much is it?')
  const answered = await whileItThinks()
  const { id: conversationId } = await sara.conversation()
  // WhatsApp refuses requests about an unknown message.
  const [message] = await messagesOf(world, { conversationId })
  await setProviderMessageId(world, message!.id, 'wamid.gone')
  world.clock.advance(1_000)
  void world.service.processAll()
  await answered()
  expect(await sara.got()).toEqual(['It is 20 riyals.'])
  expect(shownTo(sara)).toEqual([])
})

systemTest.each(['messenger', 'instagram'] as const)(
  'on %s the indicator is shown every 15 s',
  async (product) => {
    const { simulator, openShop, settle, close } = await playMessaging(world, product)
    const page = await openShop()
    await setAssistant(world, page)
    const customer = page.newCustomer()
    const shown = () => simulator.typing().filter((one) => one.customer === customer.personId)
    simulator.sendText(customer, 'When do you open?')
    await simulator.idle()
    const answered = await whileItThinks()
    await passes(1_000, () => shown().length === 1)
    await passes(15_000, () => shown().length === 2)
    await answered()
    await settle()
    expect(simulator.sent().map(({ text }) => text)).toEqual(['Hello.'])
    expect(shown()).toHaveLength(2)
    await close()
  },
)

systemTest('on telegram the indicator is shown every 4 s', async () => {
  const bot = await telegram.openShop()
  await setAssistant(world, bot)
  const chat = bot.newChat()
  const shown = () =>
    telegram.telegram.typing().filter(({ customer }) => customer === chat.personId)
  telegram.telegram.sendText(chat, 'When do you open?')
  await telegram.hear()
  const answered = await whileItThinks()
  await passes(1_000, () => shown().length === 1)
  await passes(4_000, () => shown().length === 2)
  await answered()
  expect(telegram.telegram.chat(chat).at(-1)).toMatchObject({ from: 'business', text: 'Hello.' })
  expect(shown()).toHaveLength(2)
})
