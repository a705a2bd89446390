/**
 * Work that is written wakes its worker at the commit: it is not found only by the next look at the table, seconds
 * later.
 */
import { beforeEach, expect, test } from 'vitest'
import type { QueueName } from '../../src/infra/database/after-commit.ts'
import { processDuePages } from '../../src/infra/database/queues/pages.ts'
import { RESEND_JOBS } from '../../src/modules/deliveries/step-resend-jobs.ts'
import { recordAttempts } from '../../src/modules/deliveries/record-attempts.sql.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { deliveriesOf } from '../support/records/deliveries.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { attemptOf, claim, raisePings } from '../support/deliveries.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'
import { openWorld } from '../support/open-world.ts'

let shop: Shop
let owner: Member
let jobId: string
const woken: QueueName[] = []
const world = await openWorld()
const { afterCommit } = world.service.context.db
const { notify: wake } = afterCommit
afterCommit.notify = (works) => {
  woken.push(...works)
  wake(works)
}

/** Makes a shop with two ended deliveries, a third that waits, and a paused job of resends. */
beforeEach(async () => {
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  await raisePings(world, shop, 2)
  await world.service.processAll()
  jobId = (await newJob()).body.id
  await order('pause')
  await raisePings(world, shop)
  woken.length = 0
})

const company = () => `/companies/${shop.companyId}`
const endpoint = () => `${company()}/endpoints/${shop.endpointId}`
const newJob = () =>
  owner.ask<{ id: string }>('POST', `${company()}/resend-jobs`, {
    kind: 'resend',
    endpointId: shop.endpointId,
  })
const order = (what: string) => owner.ask('POST', `${company()}/resend-jobs/${jobId}/${what}`)

async function resend() {
  const [delivery] = await deliveriesOf(world, shop)
  await owner.ask('POST', `${company()}/deliveries/${delivery!.id}/resend`)
}
async function replaceJob() {
  await order('cancel')
  expect((await newJob()).status).toBe(201)
}
async function processJobPage() {
  await order('resume')
  world.clock.advance(SECOND_MS)
  await processDuePages(world.service.context, RESEND_JOBS)
}
async function answerGone() {
  const [delivery] = await claim(world, { first: 1 })
  await recordAttempts(world.service.context, [attemptOf(world, delivery!, 'gone')])
}

test.each<[string, QueueName, () => Promise<unknown>]>([
  ['an event', 'deliveries', () => raisePings(world, shop)],
  ['a resend', 'deliveries', resend],
  ['a new job of resends', 'resends', replaceJob],
  ['a job that is resumed', 'resends', () => order('resume')],
  ['a delivery of a job', 'deliveries', processJobPage],
  [
    'the switching off of an endpoint',
    'deliveries',
    () => owner.ask('POST', `${endpoint()}/switch-off`),
  ],
  ['the deletion of an endpoint', 'deliveries', () => owner.ask('DELETE', endpoint())],
  ['the notice that an endpoint was switched off', 'notices', answerGone],
])('%s wakes the worker of %s', async (_, work, write) => {
  await write()
  expect(woken).toContain(work)
  await world.service.processAll()
})
