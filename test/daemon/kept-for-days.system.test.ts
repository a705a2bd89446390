/** What is kept for days and then goes: an hour before their end it is there, an hour after it is gone. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSweepDuty } from '../../src/daemon/sweep.ts'
import { DAY_MS, HOUR_MS } from '../../src/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { makeOneOfEach } from '../support/one-of-each.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** The days of the reference, and which row of the test it is: as the table and the column that finds it again. */
const KEPT = [
  [30, 'contact_import', 'id'],
  [30, 'close_job', 'id'],
  [90, 'assistant_reply', 'id'],
  [90, 'notice', 'id'],
  [90, 'reminder', 'appointment_id'],
  [400, 'audit', 'id'],
  [400, 'visitor', 'id'],
] as const

/** One row of each that begins to age now, by its table. */
async function makeRows(): Promise<Record<string, string>> {
  const shop = await createShop(world)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const made = await makeOneOfEach(world, shop, owner)
  await world.service.processAll()
  const { ids, clock, db } = world.service.context
  const now = clock.now()
  const { companyId, accountId } = shop
  const visitor = { id: ids.uuid(), companyId, channelId: made.siteChannelId!, seenAt: now }
  await db.kysely
    .insertInto('visitor')
    .values({ ...visitor, tokenHash: Buffer.from('token'), tokenMadeAt: now, createdAt: now })
    .execute()
  const notice = { id: ids.uuid(), accountId, companyId, createdAt: now }
  await db.kysely
    .insertInto('notice')
    .values({ ...notice, kind: 'endpoint_off', details: '{}' })
    .execute()
  const { appointmentId, flowId } = made
  await db.kysely
    .insertInto('reminder')
    .values({
      appointmentId: appointmentId!,
      flowId: flowId!,
      version: 1,
      companyId,
      dueAt: now,
      state: 'skipped',
    })
    .execute()
  const audit = { id: ids.uuid(), accountId, actorKind: 'service', createdAt: now }
  await db.kysely
    .insertInto('audit')
    .values({ ...audit, action: 'test', subjectKind: 'test', subjectId: 'test' })
    .execute()
  return {
    contact_import: made.importId!,
    close_job: made.closeJobId!,
    assistant_reply: made.replyId!,
    notice: notice.id,
    reminder: appointmentId!,
    audit: audit.id,
    visitor: visitor.id,
  }
}

test('Retention › What is kept, in days', async () => {
  const rows = await makeRows()
  const begunAt = world.clock.now().getTime()
  const left = async () => {
    const found = await Promise.all(
      KEPT.map(async ([, table, column]) => {
        const { rows: there } = await sql`
          select from ${sql.table(table)} where ${sql.ref(column)} = ${rows[table]!}
        `.execute(world.database.db.kysely)
        return there.length > 0 ? [table] : []
      }),
    )
    return found.flat()
  }
  const sweepAt = async (ms: number) => {
    world.clock.moveTo(new Date(begunAt + ms).toISOString())
    const duty = createSweepDuty(world.service.context)
    await waitUntil('nothing is left to sweep', async () => !(await duty.work()), { everyMs: 0 })
  }
  for (const days of new Set(KEPT.map(([kept]) => kept))) {
    await sweepAt(days * DAY_MS - HOUR_MS)
    const before = KEPT.flatMap(([kept, table]) => (kept >= days ? [table] : []))
    expect.soft(await left()).toEqual(before)
    await sweepAt(days * DAY_MS + HOUR_MS)
    const then = KEPT.flatMap(([kept, table]) => (kept > days ? [table] : []))
    expect.soft(await left()).toEqual(then)
  }
})
