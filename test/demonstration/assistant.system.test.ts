/** The shop of the first start answers by its script, end to end: words, knowledge, the shop's API, agreement, booking. */
import { afterAll, expect, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { DEMONSTRATION_COMPANY } from '../../demonstration/create-demonstration.ts'
import { start } from '../../src/start.ts'
import { appointmentsOf } from '../support/records/appointments.ts'
import { setAssistant } from '../support/records/assistant.ts'
import { newestConversation } from '../support/records/conversations.ts'
import { handoversOf } from '../support/records/handovers.ts'
import { sourcesOf } from '../support/records/knowledge.ts'
import { waitUntil } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'
import { demonstrationConfig } from '../support/demonstration.ts'

const WITHIN = { timeout: 30_000 * TIMEOUT_FACTOR }

const { config } = await demonstrationConfig(afterAll)
const started = await start(config, () => {})
afterAll(() => started.stop())
const shop = { companyId: DEMONSTRATION_COMPANY }
// No customer here sends a second message within the debounce time, so it is zero.
await setAssistant(started, shop, { debounceMs: 0 })

/** Returns a customer who writes by hand, with the messages that they got. */
function customer(from: string) {
  const { whatsApp: simulator } = started.demonstration!.simulators
  simulator.answerByHand({ from, isByHand: true })
  const messages = () => simulator.messages().filter(({ to }) => to === from)
  return {
    say: (text: string) => void simulator.sendText({ from, text }),
    hears: async (words: RegExp) => {
      const texts = () => messages().map(({ text }) => text)
      await expect.poll(() => texts().join('\n'), WITHIN).toMatch(words)
      // Phones report times in seconds: a message within the same second counts as written before.
      const heardAt = performance.now()
      await waitUntil('the next second', () => performance.now() - heardAt > 1_500)
    },
    messages,
  }
}

test('the knowledge of the shop is indexed at the start, and the banner says that a script answers', async () => {
  const unread = async () =>
    (await sourcesOf(started, shop)).filter(({ state }) => state !== 'ready')
  await expect.poll(unread, WITHIN).toEqual([])
  expect(writeBanner(config, started)).toContain('not a language model')
})

test('a question in Arabic is answered from the knowledge of the shop', async () => {
  const sara = customer('12025550181')
  sara.say('كم سعر التوصيل داخل الرياض؟')
  await sara.hears(/35 ريالًا/)
  expect(sara.messages().at(-1)!.text).not.toContain('[')
})

test('the shop’s API is asked for the state of an order', async () => {
  const omar = customer('12025550182')
  omar.say('Where is my order 1043?')
  await omar.hears(/Status: shipped/)
  expect(omar.messages()).toHaveLength(1)
})

test('an order is cancelled once the customer confirmed what the service stated', async () => {
  const noura = customer('12025550183')
  noura.say('أبغى ألغي الطلب 1044')
  await noura.hears(/هل نلغي الطلب/)
  noura.say('نعم')
  await noura.hears(/تمت معالجة طلبك/)
  noura.say('وين طلبي 1044؟')
  await noura.hears(/ملغى/)
  expect(noura.messages().at(-1)!.text).toContain('1044')
})

test('a visit is booked at a time that was offered', async () => {
  const lina = customer('12025550184')
  lina.say('Can I book a visit to the showroom?')
  await lina.hears(/these times are free/)
  const [time] = /\d{2}:\d{2}/.exec(lina.messages().at(-1)!.text ?? '')!
  const confirmed = async () =>
    (await appointmentsOf(started, shop)).filter(({ status }) => status === 'confirmed').length
  const before = await confirmed()
  lina.say(time)
  await lina.hears(/look forward to seeing you/)
  expect(await confirmed()).toBe(before + 1)
})

test('a question outside of the knowledge is handed over to staff', async () => {
  const yousef = customer('12025550185')
  yousef.say('Do you sell flying carpets to Mars?')
  await yousef.hears(/colleague/)
  const { id } = await newestConversation(started, shop)
  expect(await handoversOf(started, id)).toMatchObject([{ reason: 'missing_information' }])
})
