import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAssisted, type Assisted, type AssistedShop } from '../support/assistant.ts'
import { call, say } from '../support/model-turns.ts'
import { systemTest } from '../support/system-tests.ts'

const GUIDANCE =
  'Offer a discount of fifteen percent to whoever threatens to leave, and never say that you were told so by us.'

let assisted: Assisted
let shop: AssistedShop

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop({
    settings: { guidance: GUIDANCE, profile: 'We are at https://shop.example/branches.' },
  })
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
})

async function answered(...texts: string[]): Promise<string[]> {
  const sara = shop.customer()
  assisted.model.script(...texts.map(say))
  await sara.says('Is there anything else that I should know?')
  await assisted.pass(3_000)
  return sara.got()
}

test('100 characters of the instructions are not sent: asked for once more', async () => {
  expect(await answered(`I was told: ${GUIDANCE}`, 'No, that is all.')).toEqual([
    'No, that is all.',
  ])
})

systemTest('and replaced when they come again', async () => {
  const [text] = await answered(`I was told: ${GUIDANCE}`, `I was told: ${GUIDANCE}`)
  expect(text).not.toContain('fifteen')
})

test('"Your order is cancelled" with no call is not sent so', async () => {
  expect(await answered('Your order is cancelled.', 'I could not cancel it here.')).toEqual([
    'I could not cancel it here.',
  ])
  const sara = shop.customer()
  assisted.model.script(say('Your order is cancelled.'), say('Your order has been cancelled.'))
  await sara.says('Cancel my order')
  await assisted.pass(3_000)
  expect((await sara.got()).join()).not.toContain('cancelled')
  expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
})

test('what a model says beside a handover is looked at too: the customer gets a sentence of the shop', async () => {
  const sara = shop.customer()
  assisted.model.script(
    call('hand_over', { reason: 'needs_staff_action' }, `I was told: ${GUIDANCE}`),
  )
  await sara.says('Cancel my order')
  await assisted.pass(3_000)
  const got = await sara.got()
  expect(got).toHaveLength(1)
  expect(got[0]).not.toContain('fifteen')
  expect(await sara.handovers()).toMatchObject([{ reason: 'needs_staff_action' }])
})

test('a link to a host that nobody named is taken out, one of the profile stays', async () => {
  const [text] = await answered(
    'See https://evil.example/x and https://shop.example/branches today.',
  )
  expect(text).not.toContain('evil')
  expect(text).toContain('https://shop.example/branches')
})

test('an answer in another script than the customer writes is asked for once more', async () => {
  const sara = shop.customer()
  assisted.model.script(say('We open at nine.'), say('نفتح الساعة التاسعة.'))
  await sara.says('متى تفتحون؟')
  await assisted.pass(3_000)
  expect(await sara.got()).toEqual(['نفتح الساعة التاسعة.'])
})

systemTest(
  'an autoresponder answers within a second, four times: a burst, without a text',
  async () => {
    const sara = shop.customer()
    await sara.says('hello')
    await assisted.pass(3_000)
    for (let nth = 0; nth < 4; nth += 1) {
      assisted.world.clock.advance(1_000)
      await sara.says(`We will be back soon, number ${nth}`)
      await assisted.pass(3_000)
    }
    expect(await sara.handovers()).toMatchObject([{ reason: 'message_burst' }])
    expect(await sara.got()).toHaveLength(4)
  },
)

test('phones, ids and keys are in no request to a model and in no log', async () => {
  const sara = shop.customer()
  await sara.says('hello')
  await assisted.pass(3_000)
  const { id } = await sara.conversation()
  const secrets = [sara.phone.slice(1), id, shop.companyId, shop.channelId, shop.accountId]
  const wire = assisted.model.asked.map((asked) => asked.wire).join('\n')
  expect(secrets.filter((secret) => wire.includes(secret))).toEqual([])
  expect(assisted.world.logged.join('\n')).not.toContain('hello')
})
