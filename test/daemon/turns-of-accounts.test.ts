/**
 * What nodes claim from the tables, by turns of accounts: twenty projects of one account get together what one account
 * gets, where another one waits.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { REPLY_QUEUE } from '../../src/assistant/reply-queue.ts'
import { POLL_QUEUE } from '../../src/channels/poll-queue.sql.ts'
import { transaction } from '../../src/database/transaction.ts'
import { FILE_QUEUE } from '../../src/files/file-queue.ts'
import { RUN_QUEUE } from '../../src/flows/runs/run-queue.ts'
import { SOURCE_QUEUE } from '../../src/knowledge/source-queue.ts'
import { DELIVERY_ENGINE } from '../../src/limits/deliveries.ts'
import { FILE_ENGINE } from '../../src/limits/files.ts'
import { claimSends } from '../../src/messaging/claim-sends.sql.ts'
import { awaitNames, NAME_QUEUE } from '../../src/messaging/name-queue.sql.ts'
import { claimFrom } from '../support/queues.ts'
import { addEndpoint, claim as claimDeliveries } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { addCompanies } from '../support/records/accounts.ts'
import { addReply } from '../support/records/assistant.ts'
import { addChannel, awaitPoll } from '../support/records/channels.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addDeliveries, deliveriesOf } from '../support/records/deliveries.ts'
import { addFile } from '../support/records/files.ts'
import { addSources } from '../support/records/knowledge.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { addRun } from '../support/records/runs.ts'
import { createOwnShop, createShop, type Shop } from '../support/shop.ts'

const PROJECTS = 20
const EACH = 4
const world = await openWorld()
const { clock } = world
const { db, ids } = world.service.context
const busy = await createShop(world)
const quiet = await createOwnShop(world)
const projects = await addCompanies(world, busy, PROJECTS)

type Place = { shop: Shop; companyId: string; channelId: string }
type Kind = {
  /** Writes down one of what waits. */
  queue(place: Place): Promise<unknown>
  /** Claims so many. Returns the companies of what was claimed. */
  claim(limit: number): Promise<{ companyId: string }[]>
}

const endpoints = new Map<string, string>()
const talk = ({ companyId, channelId }: Place, more = {}) =>
  addConversation(world, { companyId, channelId }, more)
const runsThat = (status: string): Kind => ({
  async queue({ shop, ...place }) {
    const flow = { ...shop, companyId: place.companyId }
    const conversationId = await talk({ shop, ...place })
    await addRun(world, flow, { conversationId, status, wakeAt: clock.now() })
  },
  claim: (limit) => claimFrom(world, RUN_QUEUE, { limit }),
})

const KINDS: Record<string, Kind> = {
  'runs that begin': runsThat('queued'),
  'runs that wait no more': runsThat('running'),
  'replies of the assistant': {
    async queue(place) {
      const conversationId = await talk(place)
      const { companyId } = place
      await addReply(world, { companyId, conversationId }, { wakeAt: clock.now() })
    },
    claim: (limit) => claimFrom(world, REPLY_QUEUE, { limit }),
  },
  'messages to send': {
    async queue(place) {
      const { companyId, channelId } = place
      await addQueuedMessage(world, { companyId, channelId, conversationId: await talk(place) })
    },
    async claim(limit) {
      const claimed = { claimId: ids.uuid(), now: clock.now() }
      return (await claimSends(db.kysely, { ...claimed, limit, without: [] })).messages
    },
  },
  deliveries: {
    async queue({ companyId }) {
      const endpointId = endpoints.get(companyId) ?? (await addEndpoint(world, { companyId }))
      // Of an endpoint one claim takes no more than its even share.
      if (companyId !== quiet.companyId) endpoints.set(companyId, endpointId)
      const due = { lane: 'first', dueAt: clock.now() }
      await addDeliveries(world, { companyId, endpointId }, ['pending'], due)
    },
    claim: (limit) => claimDeliveries(world, { first: limit }),
  },
  'channels that are polled': {
    async queue({ companyId }) {
      const channelId = await addChannel(world, { companyId }, { type: 'telegram' })
      await awaitPoll(world, { channelId })
    },
    claim: (limit) => claimFrom(world, POLL_QUEUE, { limit }),
  },
  'names to ask for': {
    async queue(place) {
      const id = await talk(place, { channelType: 'messenger' })
      const { companyId } = place
      await transaction(db, (tx) => awaitNames(tx, clock.now(), [{ id, companyId }]))
    },
    claim: (limit) => claimFrom(world, NAME_QUEUE, { limit }),
  },
}

/** All projects have something to do before the quiet shop has. */
async function queueAll({ queue }: Kind, each = EACH): Promise<void> {
  for (const companyId of projects) {
    const channelId = await addChannel(world, { companyId }, { type: 'whatsapp' })
    for (let n = 0; n < each; n += 1) await queue({ shop: busy, companyId, channelId })
  }
  world.clock.advance(1_000)
  const { companyId, channelId } = quiet
  for (let n = 0; n < 2 * each; n += 1) await queue({ shop: quiet, companyId, channelId })
}

const countQuiet = (rows: readonly { companyId: string }[]) =>
  rows.filter(({ companyId }) => companyId === quiet.companyId).length

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  beforeAll(() => queueAll(kind))

  test('of twenty projects of one account leave half of the places to another account', async () => {
    const first = await kind.claim(2 * EACH)
    expect([first.length, countQuiet(first)]).toEqual([2 * EACH, EACH])
    // The projects take turns among them.
    expect(new Set(first.map(({ companyId }) => companyId)).size).toBe(EACH + 1)
  })
})

test('of the files of one account so many are in hand, whatever its projects', async () => {
  const queue = ({ companyId, channelId }: Place) => {
    const media = { channelId, providerMedia: '{}', purpose: 'received', state: 'awaited' }
    return addFile(world, { companyId }, { ...media, dueAt: clock.now() })
  }
  await queueAll({ queue, claim: () => Promise.resolve([]) })
  const claim = (inHand: ReadonlyMap<string, number>) =>
    claimFrom(world, FILE_QUEUE, { limit: FILE_ENGINE.atOnce, inHand })
  const first = await claim(new Map())
  expect([first.length, countQuiet(first)]).toEqual([6, FILE_ENGINE.atOncePerAccount])
  const next = await claim(new Map([[busy.accountId, 2]]))
  expect(next.length - countQuiet(next)).toBe(1)
})

test('of the sources of one account one is read at a time, whatever its projects', async () => {
  const queue = ({ companyId }: Place) =>
    addSources(world, { companyId }, [{ state: 'waiting', dueAt: clock.now() }])
  await queueAll({ queue, claim: () => Promise.resolve([]) }, 1)
  const first = await claimFrom(world, SOURCE_QUEUE, { limit: 4 })
  expect([first.length, countQuiet(first)]).toEqual([2, 1])
  const inHand = new Map([busy, quiet].map(({ accountId }) => [accountId, 1]))
  expect(await claimFrom(world, SOURCE_QUEUE, { limit: 4, inHand })).toEqual([])
})

test('no more deliveries of one account are under way than of one company', async () => {
  await queueAll(KINDS.deliveries!)
  await KINDS.deliveries!.claim(DELIVERY_ENGINE.inFlight.first)
  const { length: underWay } = (
    await Promise.all(projects.map((companyId) => deliveriesOf(world, { companyId })))
  )
    .flat()
    .filter(({ claimId }) => claimId !== null)
  expect(underWay).toBe(DELIVERY_ENGINE.inFlightPerAccount)
})
