/** Replies of many customers that come together: each finds its own run, and all are asked for at once. */
import type { KyselyPlugin } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { ingestBatch, type ChannelEvent } from '../../src/modules/inbound/ingest-batch.ts'
import { runOf } from '../support/records/runs.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { factsOf, openedChannel } from '../support/provider-facts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const facts = factsOf(world, await openedChannel(world, shop))
beforeEach(() => world.clock.advance(61_000))

const answerOf = async (id: string) => {
  const { status, variables } = await runOf(world, id)
  return { status, answer: (JSON.parse(variables) as { answer?: string }).answer }
}
const written = (phone: string, text: string, more: object = {}) =>
  facts.written({ number: phone.slice(1) }, text, more)

/** Runs of as many new customers, each waiting for a reply. */
async function waitingRuns(count: number) {
  const runs: { id: string; phone: string }[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const phone = newPhone()
    runs.push({ id: await shop.order(phone), phone })
  }
  await whatsApp.settle()
  return runs
}

/** Takes facts in, and counts what is asked of the database. */
async function countStatements(replies: ChannelEvent[]): Promise<number> {
  let asked = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      asked += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const { db, ...context } = world.service.context
  const counted = { ...db, kysely: db.kysely.withPlugin(counting) }
  expect(await ingestBatch({ ...context, db: counted }, replies)).toEqual(replies.map(() => null))
  return asked
}

test('Replies of many customers ask no more statements than those of two', async () => {
  const [few, many] = [await waitingRuns(2), await waitingRuns(20)]
  const replies = (runs: typeof few) => runs.map(({ id, phone }) => written(phone, `of ${id}`))
  const ofFew = await countStatements(replies(few))
  expect(await countStatements(replies(many))).toBe(ofFew)
  await whatsApp.settle()
  for (const { id } of [...few, ...many]) {
    expect(await answerOf(id)).toEqual({ status: 'completed', answer: `of ${id}` })
  }
})

test('Of replies in one batch each goes to the run that it names, or else to the one that waits', async () => {
  const [older, presses, quotes, gone] = await waitingRuns(4)
  // A second run of each, which waits since later.
  world.clock.advance(61_000)
  const newer: string[] = []
  for (const { phone } of [older!, presses!, quotes!]) newer.push(await shop.order(phone))
  await whatsApp.settle()
  const { providerMessageId } = only(await messagesOf(world, { runId: quotes!.id }))
  await countStatements([
    written(older!.phone, 'of the newer'),
    written(presses!.phone, 'Pressed', { buttonPayload: `run:${presses!.id}:0` }),
    written(quotes!.phone, 'quoted', { replyToProviderId: providerMessageId }),
    written(gone!.phone, 'of no run', { buttonPayload: `run:${newer[0]!}:0` }),
  ])
  await whatsApp.settle()
  expect(await answerOf(newer[0]!)).toEqual({ status: 'completed', answer: 'of the newer' })
  for (const id of [older!.id, newer[1]!, newer[2]!, gone!.id]) {
    expect(await answerOf(id)).toMatchObject({ status: 'waiting' })
  }
  expect(await answerOf(presses!.id)).toMatchObject({ status: 'completed' })
  expect(await answerOf(quotes!.id)).toEqual({ status: 'completed', answer: 'quoted' })
})
