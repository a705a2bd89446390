/** The database goes away while a reply is written: the model is asked no second time, and the customer reads it once. */
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
  ['before it was committed', () => proxy.cutBefore(QUEUE_MESSAGE)],
  ['and its commit was unheard', () => void proxy.loseAnswerTo(QUEUE_MESSAGE)],
])('an answer of the model that was taken in when the database went away %s', async (_, lose) => {
  assisted.model.asked.length = 0
  const customer = shop.customer()
  lose()
  await customer.asks('Are you open on Sunday?', say('We are open from nine to five.'))
  expect(await customer.got()).toEqual(['We are open from nine to five.'])
  expect(assisted.model.asked).toHaveLength(1)
})
