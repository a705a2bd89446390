/**
 * Nodes claim rows round-robin by account: twenty projects of one account together get what one account gets,
 * while another one waits.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { APPOINTMENT_NOTICE_QUEUE } from '../../src/modules/appointments/due-notices.sql.ts'
import { REPLY_QUEUE } from '../../src/modules/assistant/reply-queue.ts'
import { POLL_QUEUE } from '../../src/modules/channels/poll-queue.sql.ts'
import type { RowClaim, Queue } from '../../src/infra/database/queues/queue.ts'
import { FILE_QUEUE } from '../../src/modules/files/file-queue.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import { SOURCE_QUEUE } from '../../src/modules/knowledge/source-queue.ts'
import { DELIVERY_ENGINE } from '../../src/core/limits/deliveries.ts'
import { FILE_ENGINE } from '../../src/core/limits/files.ts'
import { claimSends, SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import { NAME_QUEUE } from '../../src/modules/messaging/profile-lookup-queue.sql.ts'
import { TEMPLATE_QUEUE } from '../../src/modules/messaging/template-queue.ts'
import { MAIL_QUEUE } from '../../src/modules/notices/mail-queue.sql.ts'
import { claimFrom } from '../support/queues.ts'
import { addEndpoint, claim as claimDeliveries } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { addCompanies } from '../support/records/accounts.ts'
import { addChannel } from '../support/records/channels.ts'
import { addDeliveries, deliveriesOf } from '../support/records/deliveries.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { addWaitingRun, WAITING_ROWS, type Place } from '../support/waiting-rows.ts'

const PROJECTS = 20
const EACH = 4
const world = await openWorld()
const { clock } = world
const { db, ids } = world.service.context
const busy = await createShop(world)
const quiet = await createOwnShop(world)
const projects = await addCompanies(world, busy, PROJECTS)

type Kind = {
  /** Adds one waiting row. */
  queue(place: Place): Promise<unknown>
  /** Claims this number of rows. Returns their companies. */
  claim(limit: number): Promise<{ companyId: string }[]>
}

const endpoints = new Map<string, string>()
const ofQueue = <Row extends RowClaim & { companyId: string }>(queue: Queue<Row>): Kind => ({
  queue: (place) => WAITING_ROWS[queue.name]!.add(world, place),
  claim: (limit) => claimFrom(world, queue, { limit }),
})

const KINDS: Record<string, Kind> = {
  'runs that begin': ofQueue(RUN_QUEUE),
  'runs that wait no more': {
    ...ofQueue(RUN_QUEUE),
    queue: (place) => addWaitingRun(world, place, 'running'),
  },
  'replies of the assistant': ofQueue(REPLY_QUEUE),
  'messages to send': {
    queue: (place) => WAITING_ROWS[SEND_QUEUE.name]!.add(world, place),
    async claim(limit) {
      const asked = { claimId: ids.uuid(), now: clock.now(), limit, without: [] }
      return (await claimSends(db.kysely, asked)).messages
    },
  },
  deliveries: {
    async queue({ companyId }) {
      const endpointId = endpoints.get(companyId) ?? (await addEndpoint(world, { companyId }))
      // One claim takes no more than an even share for each endpoint.
      if (companyId !== quiet.companyId) endpoints.set(companyId, endpointId)
      const due = { queue: 'first', dueAt: clock.now() }
      await addDeliveries(world, { companyId, endpointId }, ['pending'], due)
    },
    claim: (limit) => claimDeliveries(world, { first: limit }),
  },
  'channels that are polled': ofQueue(POLL_QUEUE),
  'names to ask for': ofQueue(NAME_QUEUE),
  'notices to mail': ofQueue(MAIL_QUEUE),
  'notices of appointments': ofQueue(APPOINTMENT_NOTICE_QUEUE),
  'channels whose templates are read': ofQueue(TEMPLATE_QUEUE),
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

  test('twenty projects of one account leave half of the slots to another account', async () => {
    const first = await kind.claim(2 * EACH)
    expect([first.length, countQuiet(first)]).toEqual([2 * EACH, EACH])
    // The projects share their half in turn.
    expect(new Set(first.map(({ companyId }) => companyId)).size).toBe(EACH + 1)
  })
})

test('a limited number of files of one account is claimed, whatever its projects', async () => {
  await queueAll(ofQueue(FILE_QUEUE))
  const claim = (claimed: ReadonlyMap<string, number>) =>
    claimFrom(world, FILE_QUEUE, { limit: FILE_ENGINE.maxConcurrent, claimedByAccount: claimed })
  const first = await claim(new Map())
  expect([first.length, countQuiet(first)]).toEqual([6, FILE_ENGINE.maxConcurrentPerAccount])
  const next = await claim(new Map([[busy.accountId, 2]]))
  expect(next.length - countQuiet(next)).toBe(1)
})

test('one source of an account is read at a time, whatever its projects', async () => {
  await queueAll(ofQueue(SOURCE_QUEUE), 1)
  const first = await claimFrom(world, SOURCE_QUEUE, { limit: 4 })
  expect([first.length, countQuiet(first)]).toEqual([2, 1])
  const claimed = new Map([busy, quiet].map(({ accountId }) => [accountId, 1]))
  expect(await claimFrom(world, SOURCE_QUEUE, { limit: 4, claimedByAccount: claimed })).toEqual([])
})

test('no more deliveries of one account are in flight than of one company', async () => {
  await queueAll(KINDS.deliveries!)
  await KINDS.deliveries!.claim(DELIVERY_ENGINE.inFlight.first)
  const { length: underWay } = (
    await Promise.all(projects.map((companyId) => deliveriesOf(world, { companyId })))
  )
    .flat()
    .filter(({ claimId }) => claimId !== null)
  expect(underWay).toBe(DELIVERY_ENGINE.inFlightPerAccount)
})
