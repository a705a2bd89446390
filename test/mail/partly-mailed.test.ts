/** An e-mail that some Owners have received is recorded by the claim under which it was sent, and by no earlier one. */
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import {
  MAIL_QUEUE,
  recordMailed,
  recordPartlyMailed,
} from '../../src/modules/notices/mail-queue.sql.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { claimFrom, endLeases } from '../support/queues.ts'
import { addNotice, noticeOf } from '../support/records/notices.ts'

const world = await openWorld({ hasOwnDatabase: true })
const { shop, owner } = await ownedShop(world)
const { kysely } = world.service.context.db

test('A late record of a partly accepted e-mail sends no mail again that another process has sent to all', async () => {
  const now = world.clock.now()
  const about = { kind: 'endpoint_switched_off', subjectId: shop.endpointId }
  const id = await addNotice(world, shop, { ...about, mailDueAt: now })
  const [late] = await claimFrom(world, MAIL_QUEUE, { limit: 1 })
  await endLeases(world, MAIL_QUEUE)
  await claimFrom(world, MAIL_QUEUE, { limit: 1 })
  await recordMailed(kysely, id, now)
  const dueAt = new Date(now.getTime() + MINUTE_MS)
  await recordPartlyMailed(kysely, late!, {
    doneFor: [owner.personId],
    mailedAt: now,
    dueAt,
    attempts: 1,
  })
  expect(await noticeOf(world, id)).toMatchObject({ mailDueAt: null, mailDoneFor: [] })
})
