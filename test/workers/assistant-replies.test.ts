/** The worker that answers customers, without its loop. */
import { afterAll, expect, test } from 'vitest'
import { createAssistantRepliesWorker } from '../../src/workers/assistant-replies.ts'
import { startAssisted } from '../support/assistant.ts'
import { putReply, repliesOf } from '../support/records/assistant.ts'

const assisted = await startAssisted()
afterAll(() => assisted.close())

test('a reply that was checked and waits is checked again in time: the loop gets the due time', async () => {
  const { context, keyRing, models } = assisted.world.service
  const shop = await assisted.openShop()
  const sara = shop.customer()
  await sara.says('Hello')
  let told = 0
  const never = () => Promise.reject(new Error('nothing is called'))
  const worker = createAssistantRepliesWorker(context, {
    keyRing,
    models,
    outbound: { request: never } as never,
    store: {} as never,
    tools: [],
    eagerClaimFor: () => null,
    dispatchMessages() {},
    beginTyping: () => () => {},
    guard: { observes: new Set(), note() {} },
    claimId: () => context.ids.uuid(),
    onProgress: () => (told += 1),
  })
  // The reply is claimed before the customer has been quiet for long enough. The loop knows the end of its lease only.
  const [reply] = await repliesOf(assisted.world, shop)
  await putReply(assisted.world, reply!.id, { dueAt: context.clock.now() })
  await worker.work()
  await worker.drain()
  expect(told).toBe(1)
  expect(await worker.work()).toBe(false)
  expect(await worker.nextDue()).toEqual(new Date(context.clock.now().getTime() + 3_000))
})
