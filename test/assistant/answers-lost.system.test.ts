/**
 * The database connection breaks while a reply is written: the model is asked only once, and the customer gets one
 * reply.
 */
import { afterAll, expect, test } from 'vitest'
import { startAssisted } from '../support/assistant.ts'
import { say } from '../support/model-turns.ts'
import { createTestDatabase } from '../support/database.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'

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
