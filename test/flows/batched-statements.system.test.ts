/**
 * Messages of many customers, and the advances of their runs, need few statements, and each message finds its own
 * run. Flows › Steps; readings F35, F36.
 */
import type { KyselyPlugin } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { ingestBatch, type ChannelEvent } from '../../src/modules/inbound/ingest-batch.ts'
import { advanceRuns } from '../../src/modules/flows/runs/advance-runs.ts'
import { claimDue, advanceDeps } from '../support/advances.ts'
import { tellStory } from './triggers/trigger-stories.ts'
import { runOf } from '../support/records/runs.ts'
import { only } from '../support/records/records.ts'
import { messagesOf } from '../support/records/messages.ts'
import { eventsOf, openedChannel } from '../support/provider-events.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const events = eventsOf(world, await openedChannel(world, shop))
beforeEach(() => world.clock.advance(61_000))

const answerOf = async (id: string) => {
  const { status, variables } = await runOf(world, id)
  return { status, answer: (JSON.parse(variables) as { answer?: string }).answer }
}
const written = (phone: string, text: string, more: object = {}) =>
  events.written({ number: phone.slice(1) }, text, more)

/** Starts runs of that many new customers, each waiting for a reply. */
async function waitingRuns(count: number) {
  const runs: { id: string; phone: string }[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const phone = newPhone()
    runs.push({ id: await shop.order(phone), phone })
  }
  await whatsApp.settle()
  return runs
}

/** Returns the database of the service, with a count of its statements. */
function countedDatabase() {
  const { db } = world.service.context
  const counted = { asked: 0, db }
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      counted.asked += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  counted.db = { ...db, kysely: db.kysely.withPlugin(counting) }
  return counted
}

/** Ingests events. Returns the number of statements. */
async function countStatements(replies: ChannelEvent[]): Promise<number> {
  const counted = countedDatabase()
  const context = { ...world.service.context, db: counted.db }
  expect(await ingestBatch(context, replies)).toEqual(replies.map(() => null))
  return counted.asked
}

test('Replies of many customers need no more statements than those of two', async () => {
  const [few, many] = [await waitingRuns(2), await waitingRuns(20)]
  const replies = (runs: typeof few) => runs.map(({ id, phone }) => written(phone, `of ${id}`))
  const ofFew = await countStatements(replies(few))
  expect(await countStatements(replies(many))).toBe(ofFew)
  await whatsApp.settle()
  for (const { id } of [...few, ...many]) {
    expect(await answerOf(id)).toEqual({ status: 'completed', answer: `of ${id}` })
  }
})

test('Each reply of a batch goes to the run that it names, or else to the waiting one', async () => {
  const [older, presses, quotes, gone] = await waitingRuns(4)
  // Each customer has a second run, which began to wait later.
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

/** The commit of a service would wake the worker of runs; here it wakes none. */
const NOBODY = { notify() {}, releaseClaims() {}, deliveryDispatcher: null, runDispatcher: null }

test('tags, fields, notes, leads and handovers of forty advances need no more statements than of two', async () => {
  const story = await tellStory(world, whatsApp)
  const age = { key: 'age', label: 'Age', kind: 'number' }
  const fields = `/companies/${story.shop.companyId}/contact-fields`
  expect((await story.owner.ask('POST', fields, age)).status).toBe(201)
  await story.publishOrder({
    hello: { kind: 'tag', add: ['asked'], next: 'age' },
    age: { kind: 'set_field', key: 'age', text: '٢٥', next: 'note' },
    note: { kind: 'note', text: 'Asked', next: 'lead' },
    lead: { kind: 'lead', score: 50, qualify: true, next: 'over' },
    over: { kind: 'handover', text: 'Please', personId: story.owner.personId },
  })
  const { written: said } = eventsOf(world, await openedChannel(world, story.shop))
  /** Advances the runs of that many new customers who wrote "order". Returns the number of statements. */
  const countTurns = async (customers: number) => {
    const wrote = () => said({ number: newPhone().slice(1) }, 'order')
    const { context } = world.service
    const db = { ...context.db, afterCommit: NOBODY }
    await ingestBatch({ ...context, db }, Array.from({ length: customers }, wrote))
    const due = await claimDue(world)
    expect(due).toHaveLength(customers)
    const counted = countedDatabase()
    await advanceRuns({ ...advanceDeps(world), db: counted.db }, due)
    return counted.asked
  }
  const ofTwo = await countTurns(2)
  expect(await countTurns(40)).toBe(ofTwo)
  await whatsApp.settle()
  const TOLD = [
    'conversation.handover',
    'conversation.assigned',
    'contact.updated',
    'lead.qualified',
  ]
  for (const type of TOLD) expect(story.shop.events(type)).toHaveLength(42)
  for (const { data } of story.shop.events('contact.updated')) {
    expect(data).toMatchObject({ contact: { fields: { age: '25' } } })
  }
})
