/**
 * The statements that hooks and webhooks send to the database: few, however many customers a batch has. Finding
 * a customer costs no separate statement, except when one more id of theirs is learnt.
 */
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ingestBatch, type ChannelEvent } from '../../src/modules/inbound/ingest-batch.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { eventsOf, openedChannel } from '../support/provider-events.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'

/** The numbers of statements of the transactions that have ended, each including the one that ends it. */
const sizes: number[] = []
const begun = new WeakMap<pg.Client, number>()
// Connections of the world keep the method that exists when they are opened.
// oxlint-disable-next-line typescript/unbound-method -- called with its own client below
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [statement] = args as [{ text: string } | string]
  const text = typeof statement === 'string' ? statement : statement.text
  // The first transaction of a connection begins with its own statement, the others with their first query.
  if (/^(?:begin|start transaction)/.test(text)) begun.set(this, text.includes(';') ? 0 : -1)
  else if (statement instanceof pg.Query) begun.set(this, 0)
  const before = begun.get(this)
  if (before !== undefined) begun.set(this, before + 1)
  if (text === 'commit') sizes.push(begun.get(this) ?? 0)
  if (/^(?:commit|rollback)/.test(text)) begun.delete(this)
  return query.apply(this, args)
} as typeof pg.Client.prototype.query
afterAll(() => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query
})
const { world, whatsApp } = await openWhatsApp({ hasOwnDatabase: true })
const shop = await whatsApp.openShop()
const events = eventsOf(world, await openedChannel(world, shop))
beforeEach(() => world.clock.advance(61_000))

/** Returns how many statements the transaction of an act sends. */
async function count(act: () => Promise<unknown>): Promise<number> {
  await whatsApp.settle()
  sizes.length = 0
  await act()
  return Math.max(...sizes)
}

test('A hook takes five statements, and four when its customer raises no event', async () => {
  const order = (phone: string) => async () => {
    const body = { ...ORDER, customer: { ...ORDER.customer, phone } }
    expect((await postHook(shop.hookUrl, body)).http).toBe(202)
  }
  await count(order(newPhone()))
  const phone = newPhone()
  expect(await count(order(phone))).toBe(5)
  expect(await count(order(phone))).toBe(4)
})

const bsuidOf = (phone: string) => `SA.${phone.slice(1)}`
const batch = (phones: string[], ids: (phone: string) => object) => async () => {
  const { db, ...context } = world.service.context
  const told: ChannelEvent[] = phones.map((phone) => events.written(ids(phone), 'Hello'))
  expect(await ingestBatch({ ...context, db }, told)).toEqual(told.map(() => null))
}

test.each([
  [1, { new: 16, known: 15, withOneMoreId: 18, byThatId: 15 }],
  // Several customers wait for locks with a time-out, and are looked up together first.
  [20, { new: 18, known: 17, withOneMoreId: 20, byThatId: 17 }],
])('A batch of messages of %i customers sends %j statements', async (many, statements) => {
  const phones = Array.from({ length: many }, () => newPhone())
  const byNumber = (phone: string) => ({ number: phone.slice(1) })
  const byId = (phone: string) => ({ businessScopedId: bsuidOf(phone) })
  expect({
    new: await count(batch(phones, byNumber)),
    known: await count(batch(phones, byNumber)),
    withOneMoreId: await count(batch(phones, (phone) => ({ ...byNumber(phone), ...byId(phone) }))),
    byThatId: await count(batch(phones, byId)),
  }).toEqual(statements)
})
