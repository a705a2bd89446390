import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAssisted, toldTo, type Assisted, type AssistedShop } from '../support/assistant.ts'
import { cutAtLength, say } from '../support/model-turns.ts'
import { startNowhere, type Nowhere } from '../support/nowhere.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop
let nowhere: Nowhere

beforeAll(async () => {
  nowhere = await startNowhere()
  assisted = await startAssisted()
  shop = await assisted.openShop()
})
afterAll(async () => {
  await assisted.close()
  await nowhere.close()
})
beforeEach(() => {
  assisted.model.asked.length = 0
})

const SENTENCE = 'This is a sentence of the answer that goes on for a while. '
const sentences = (chars: number) => SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trim()

test('5,000 characters are two parts, in order, cut between sentences', async () => {
  const sara = shop.customer()
  assisted.model.script(say(sentences(5_000)))
  await sara.says('Tell me all')
  await assisted.pass(3_000)
  const parts = await sara.got()
  expect(parts).toHaveLength(2)
  expect(parts.every((part) => part.endsWith('.') && part.length <= 4_096)).toBe(true)
  expect(parts.join(' ')).toBe(sentences(5_000))
  expect(await sara.replies()).toMatchObject([{ state: 'sent' }])
})

systemTest('what needs four parts is asked for once more, shorter', async () => {
  const sara = shop.customer()
  assisted.model.script(say(sentences(13_000)), say('In short: yes.'))
  await sara.says('Tell me all')
  await assisted.pass(3_000)
  expect(await sara.got()).toEqual(['In short: yes.'])
  expect(JSON.stringify(assisted.model.asked[1]!.body)).toContain('too long')
})

systemTest('and is handed over when it stays too long', async () => {
  const sara = shop.customer()
  assisted.model.script(say(sentences(13_000)), cutAtLength(sentences(3_000)))
  await sara.says('Tell me all')
  await assisted.pass(3_000)
  expect(await sara.got()).toHaveLength(1)
  expect(await sara.handovers()).toMatchObject([
    { reason: 'missing_information', detail: 'too_long' },
  ])
})

systemTest(
  'the answer to the first part is lost: the second is not sent, the next message is answered',
  async () => {
    const sara = shop.customer('+966501000000')
    assisted.model.script(say(sentences(5_000)), say('Anything else?'))
    await sara.says('Tell me all')
    // No receipt tells of it either.
    shop.sendWebhooksTo(nowhere.url)
    await assisted.pass(3_000)
    expect(await sara.replies()).toMatchObject([{ state: 'unknown' }])
    await assisted.pass(60_000)
    const { id } = await sara.conversation()
    const sent = () =>
      assisted.world.database.db.kysely
        .selectFrom('message')
        .select('id')
        .where('conversationId', '=', id)
        .where('sender', '=', 'assistant')
        .execute()
    expect(await sent()).toHaveLength(1)
    shop.sendWebhooksTo(`${assisted.world.url}/webhooks/whatsapp`)
    await sara.says('hello?')
    await assisted.pass(3_000)
    expect(await sent()).toHaveLength(2)
    expect(toldTo(assisted.model.asked[1]!)).toContain('hello?')
  },
)

test('a send that is refused for good: staff is needed', async () => {
  const sara = shop.customer('+966501131030')
  await sara.says('hello')
  await assisted.pass(3_000)
  expect(await sara.handovers()).toMatchObject([
    { reason: 'needs_staff_action', detail: 'send_refused' },
  ])
})

test('a send that is refused for now is waited for: nobody is handed over while it is tried again', async () => {
  const sara = shop.customer('+966501130429')
  await sara.says('hello')
  await assisted.pass(3_000)
  await assisted.pass(60_000)
  expect(await sara.handovers()).toEqual([])
  expect(await sara.replies()).toMatchObject([{ state: 'sending' }])
})
