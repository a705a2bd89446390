/** The duty that answers customers, beside its loop. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAnswerCustomersDuty } from '../../src/daemon/answer-customers.ts'
import { startAssisted, type Assisted } from '../support/assistant.ts'

let assisted: Assisted
beforeAll(async () => {
  assisted = await startAssisted()
})
afterAll(() => assisted.close())

test('a reply that was looked at and waits is looked at again in time: the loop is told', async () => {
  const { context, keyRing, models } = assisted.world.service
  const shop = await assisted.openShop()
  const sara = shop.customer()
  await sara.says('Hello')
  const { id } = await sara.conversation()
  const ofSara = context.db.kysely.updateTable('assistantReply').where('conversationId', '=', id)
  let told = 0
  const never = () => Promise.reject(new Error('nothing is called'))
  const duty = createAnswerCustomersDuty(context, {
    keyRing,
    models,
    outbound: { request: never } as never,
    store: {} as never,
    tools: [],
    claimFor: () => null,
    handOver() {},
    beginTyping: () => () => {},
    claimId: () => context.ids.uuid(),
    onProgress: () => (told += 1),
  })
  // It is looked at before the customer has been quiet for long enough, and claimed while the loop asks
  // when anything is due.
  await ofSara.set({ wakeAt: context.clock.now() }).execute()
  expect(await duty.work()).toBe(true)
  await duty.drain()
  expect(told).toBe(1)
  expect(await duty.nextDue()).toEqual(new Date(context.clock.now().getTime() + 3_000))
})
