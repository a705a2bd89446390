/**
 * The database connection breaks while a reply is written: the model is asked only once, and the customer gets one
 * reply.
 */
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { startAssisted } from '../support/assistant.ts'
import { say } from '../support/model-turns.ts'
import { createTestDatabase } from '../support/database.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import { modelUseOf } from '../support/records/models.ts'

const database = await createTestDatabase()
const proxy = await startLosingProxy(database.connection)
const assisted = await startAssisted({ ...database, connection: proxy.connection })
afterAll(async () => {
  await assisted.close()
  await proxy.close()
})
const shop = await assisted.openShop()

const QUEUE_MESSAGE = /insert into message \(id, company_id, conversation_id, channel_id, sender/

test.each([
  ['before the commit', () => proxy.cutBefore(QUEUE_MESSAGE)],
  ['after an unconfirmed commit', () => void proxy.loseAnswerTo(QUEUE_MESSAGE)],
])("a model's answer survives a connection that broke %s", async (_, lose) => {
  assisted.model.asked.length = 0
  const customer = shop.customer()
  lose()
  await customer.asks('Are you open on Sunday?', say('We are open from nine to five.'))
  expect(await customer.got()).toEqual(['We are open from nine to five.'])
  expect(assisted.model.asked).toHaveLength(1)
})

/** The database stays away for 20 seconds after it has lost the answer to the next commit of a message. */
async function loseForLong(): Promise<void> {
  const { pool } = assisted.world.service.context.db
  let laterMs = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs)
  onTestFinished(() => void vi.restoreAllMocks())
  await proxy.loseAnswerTo(QUEUE_MESSAGE, { thenDown: true })
  const connect = pool.connect.bind(pool) as () => void
  vi.spyOn(pool, 'connect').mockImplementation(() => {
    // The first connection asks whether the commit has happened.
    if (laterMs > 0) proxy.up()
    laterMs = 20 * SECOND_MS
    return connect()
  })
}

test('an answer counts once although the database stays away for long after its commit', async () => {
  const another = await assisted.openShop()
  const customer = another.customer()
  const lost = loseForLong()
  await customer.asks('Are you open on Sunday?', say('We are open from nine to five.'))
  await lost
  expect(await customer.got()).toEqual(['We are open from nine to five.'])
  expect(await modelUseOf(assisted.world, another)).toMatchObject([{ requests: 1 }])
})
