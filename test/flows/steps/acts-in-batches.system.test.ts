/** What the steps of many turns do is written together. Flows › Steps; readings F35, F36. */
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { advanceRuns } from '../../../src/modules/flows/runs/advance-runs.ts'
import { loadChannel, type OpenedChannel } from '../../../src/modules/channels/load-channel.ts'
import { ingestBatch } from '../../../src/modules/inbound/ingest-batch.ts'
import { newPhone } from '../../support/simulator.ts'
import { claimDue, turnDeps } from '../../support/turns.ts'
import { newWamid } from '../../support/whatsapp-webhook.ts'
import { tellStory } from '../triggers/trigger-stories.ts'
import { openWhatsApp } from '../../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

/** The duty that takes runs on is told by the commit of a service: here nobody is. */
const NOBODY = { wake() {}, lose() {}, handOver: null, handOverRuns: null }

/** Takes the turns of so many new customers who wrote "order", and counts what is asked of the database. */
async function countStatements(channel: OpenedChannel, customers: number): Promise<number> {
  const { db, clock, ids, log } = world.service.context
  const facts = Array.from({ length: customers }, () => ({
    channel,
    fact: {
      kind: 'message' as const,
      route: channel.route,
      providerMessageId: newWamid(),
      customer: { number: newPhone().slice(1) },
      type: 'text' as const,
      text: 'order',
      at: clock.now(),
    },
  }))
  await ingestBatch({ db: { ...db, afterCommit: NOBODY }, ids, clock, log }, facts)
  const due = await claimDue(world)
  expect(due).toHaveLength(customers)
  let asked = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      asked += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const counted = { ...db, kysely: db.kysely.withPlugin(counting) }
  await advanceRuns({ ...turnDeps(world), db: counted }, due)
  return asked
}

test('tags, fields, notes, leads and handovers of forty turns ask no more statements than those of two', async () => {
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
  const { db } = world.service.context
  const channel = await loadChannel(db.kysely, world.service.keyRing, story.shop.channelId)
  const ofTwo = await countStatements(channel!, 2)
  expect(await countStatements(channel!, 40)).toBe(ofTwo)
  await whatsApp.settle()
  for (const type of [
    'conversation.handover',
    'conversation.assigned',
    'contact.updated',
    'lead.qualified',
  ]) {
    expect(story.shop.events(type)).toHaveLength(42)
  }
  for (const { data } of story.shop.events('contact.updated')) {
    expect(data).toMatchObject({ contact: { fields: { age: '25' } } })
  }
})
