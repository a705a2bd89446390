/**
 * Promises of every queue, for each in the list: a process that dies, a lease that ends, a slow process, a row
 * that is cancelled, a process that stops. Jobs that go on page by page are tested here too.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PAGED_JOBS } from '../../src/workers/paged-jobs.ts'
import { QUEUES } from '../../src/workers/queues.ts'
import { releaseEverything } from '../../src/workers/release-all-leases.ts'
import { createWorker } from '../../src/workers/worker.ts'
import { claimIdOf } from '../../src/infra/database/node-locks.sql.ts'
import {
  processDuePages,
  type JobTable,
  type PagedJob,
} from '../../src/infra/database/queues/pages.ts'
import {
  leaseEnd,
  type Claimable,
  type RowClaim,
  type Queue,
} from '../../src/infra/database/queues/queue.ts'
import { releaseRows, releaseClaims } from '../../src/infra/database/queues/release.sql.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { claimFrom, dueNext, endLeases, giveUpNodes } from '../support/queues.ts'
import { claimAs, claimOf, recordAt, type Place as At } from '../support/records/any-table.ts'
import { addJob, cancelJob, dueJobsOf, markJob } from '../support/records/jobs.ts'
import { within } from '../support/records/records.ts'
import { createOwnShop, createShop, type Shop } from '../support/shop.ts'
import { WAITING_ROWS, type Place } from '../support/waiting-rows.ts'

const NODE = '0badcafe'
const world = await openWorld()
const { clock } = world
const { db, ids, log } = world.service.context
let shop: Shop
/** A shop of another account. */
let other: Shop
const placeOf = (of: Shop): Place => ({ ...of, shop: of })
beforeAll(async () => {
  shop = await createShop(world)
  other = await createOwnShop(world)
})

/** Returns the waiting rows of a queue that these tests use. */
function rowsOf(queue: Claimable) {
  const kind = WAITING_ROWS[queue.name]!
  const added: { id: string; of: Shop }[] = []
  async function add(of: Shop): Promise<string> {
    const id = await kind.add(world, placeOf(of))
    added.push({ id, of })
    return id
  }
  afterEach(async () => {
    for (const { id, of } of added.splice(0)) await kind.cancel(world, { id, ...placeOf(of) })
  })
  return {
    kind,
    add,
    claimAll: (): Promise<RowClaim[]> =>
      kind.claim?.(world, 100) ?? claimFrom(world, queue as Queue, { limit: 100 }),
    /** Adds one waiting row, and lets nothing else of the queue wait. */
    async waiting() {
      clock.advance(HOUR_MS)
      const id = await add(shop)
      return { id, at: { table: queue.table, column: queue.key ?? 'id', id } }
    },
  }
}

const named = (queues: readonly Claimable[]) =>
  queues.map((queue): [string, Claimable] => [queue.name, queue])
const idsOf = (rows: readonly RowClaim[]) => rows.map((row) => row.id)

describe.each(named(QUEUES))('A row of %s', (_, queue) => {
  const { kind, claimAll, waiting } = rowsOf(queue)

  test('is claimed by one process, until its lease ends, and then again', async () => {
    const { id } = await waiting()
    expect(await dueNext(world, queue)).toEqual(clock.now())
    const [row] = await claimAll()
    expect(row).toMatchObject({ id })
    expect(await claimAll()).toEqual([])
    clock.moveTo(leaseEnd(queue, new Date(clock.now().getTime() - 1)).toISOString())
    expect(await endLeases(world, queue)).toBe(0)
    expect(await claimAll()).toEqual([])
    clock.advance(1)
    expect(await endLeases(world, queue)).toBe(1)
    const [again] = await claimAll()
    expect(again).toMatchObject({ id })
    expect(again!.claimId).not.toBe(row!.claimId)
  })

  test('is released when its node died, and at the next start with the data folder', async () => {
    const { at, id } = await waiting()
    const leaseEnds = new Date(clock.now().getTime() + 2 * HOUR_MS)
    await claimAll()
    await claimAs(world, at, claimIdOf(NODE, ids.uuid()), leaseEnds)
    expect(await giveUpNodes(world, queue, ['deadbee1'])).toBe(0)
    expect(await giveUpNodes(world, queue, [NODE])).toBe(1)
    expect(await claimOf(world, at)).toBe(null)
    await claimAs(world, at, ids.uuid(), leaseEnds)
    await releaseEverything(db.kysely, clock.now(), log)
    expect(await claimOf(world, at)).toBe(null)
    expect(id).toBe(at.id)
  })

  test('is released when the answer to its claim was lost, or when it alone was abandoned', async () => {
    const { at, id } = await waiting()
    for (const ofRow of [false, true]) {
      const [row] = await claimAll()
      const { claimId } = row!
      const others = [{ claimId: ids.uuid() }, { claimId, id: ids.uuid() }]
      expect(await releaseClaims(db.kysely, queue, clock.now(), others)).toBe(0)
      const lost = ofRow ? { claimId, id } : { claimId }
      expect(await releaseClaims(db.kysely, queue, clock.now(), [...others, lost])).toBe(1)
      expect(await claimOf(world, at)).toBe(null)
    }
  })

  test('is not changed by a slow process whose claim has ended', async () => {
    const { at } = await waiting()
    const [late] = await claimAll()
    clock.advance(queue.leaseMs)
    await endLeases(world, queue)
    await claimAll()
    const before = await recordAt(world, at)
    await kind.writeLate(world, late!)
    await releaseRows(db.kysely, queue, [late!], clock.now())
    expect(await recordAt(world, at)).toEqual(before)
  })

  test('is claimed by no process once it is cancelled, whatever its process writes', async () => {
    const { at, id } = await waiting()
    const [row] = await claimAll()
    await kind.cancel(world, { id, ...placeOf(shop) })
    await kind.writeLate(world, row!)
    clock.advance(HOUR_MS)
    await endLeases(world, queue)
    expect(idsOf(await claimAll())).not.toContain(at.id)
  })
})

const CLAIMED_HERE = named(QUEUES.filter(({ name }) => !WAITING_ROWS[name]?.claim))
describe.each(CLAIMED_HERE)('A worker of %s', (_, queue) => {
  const { add, waiting } = rowsOf(queue)

  test('releases what it has claimed and not begun when it stops, and waits for the rest', async () => {
    const { at, id } = await waiting()
    const begun: string[] = []
    const ends: (() => void)[] = []
    let beforeClaim = () => {}
    const worker = createWorker(
      world.service.context,
      {
        name: 'test',
        queue: queue as Queue<RowClaim & { accountId: string }>,
        places: { maxConcurrent: 2 },
        wakesAtEnd: true,
        take(row) {
          begun.push(row.id)
          return new Promise((resolve) => ends.push(resolve))
        },
        onError: (error) => {
          throw error
        },
      },
      {
        claimId() {
          beforeClaim()
          return ids.uuid()
        },
        onProgress: () => {},
      },
    )
    await worker.work()
    expect(begun).toEqual([id])
    const second = await add(other)
    // The process stops while its claim is in progress.
    beforeClaim = () => worker.halt()
    expect(await worker.work()).toBe(false)
    expect(begun).toEqual([id])
    expect(await claimOf(world, { ...at, id: second })).toBe(null)
    let isDrained = false
    const drained = worker.drain().then(() => (isDrained = true))
    expect(isDrained).toBe(false)
    for (const end of ends) end()
    await drained
    expect(await worker.work()).toBe(false)
    expect(worker.inFlight()).toBe(0)
  })
})

const TABLES: JobTable[] = Object.values(PAGED_JOBS)
  .flat()
  .map(({ table }) => table)

describe.each(TABLES)('A job of %s', (table) => {
  const { context } = world.service
  const steps = (step: PagedJob<JobTable>['step']) => ({
    table,
    jobsPerPass: 10,
    retryMs: HOUR_MS,
    step,
  })
  /** Adds one due job for each of the shops. */
  async function dueOfEach() {
    clock.advance(2 * HOUR_MS)
    const jobs = []
    for (const each of [shop, other]) {
      const { personId } = await signedIn(world, { accountId: each.accountId })
      jobs.push({ id: await addJob(world, table, { ...each, personId }), table, column: 'id' })
    }
    return jobs as [At, At]
  }
  afterEach(async () => {
    for (const id of await dueJobsOf(world, table)) await cancelJob(world, table, id)
  })

  test('has a failed page rolled back and retried later, without delaying other jobs', async () => {
    const [cutOff, good] = await dueOfEach()
    const before = await recordAt(world, cutOff)
    const done: string[] = []
    const kind = steps(async (tx, { now }, { id }) => {
      if (id === cutOff.id) {
        await markJob(within(world, tx), table, id)
        throw new Error('cut off')
      }
      done.push(id)
      return { dueAt: new Date(now.getTime() + 1) }
    })
    expect(await processDuePages(context, kind)).toBe(1)
    expect(done).toEqual([good.id])
    const dueAt = new Date(clock.now().getTime() + HOUR_MS)
    expect(await recordAt(world, cutOff)).toEqual({ ...before, dueAt })
    expect(await processDuePages(context, kind)).toBe(0)
  })

  test('is processed by one of two processes, and by none once it is cancelled', async () => {
    const [first, second] = await dueOfEach()
    let ofOther: Promise<number> | undefined
    const taken: string[] = []
    const later = (now: Date) => ({ dueAt: new Date(now.getTime() + 1) })
    const another = steps((_, { now }, { id }) => {
      taken.push(id)
      return Promise.resolve(later(now))
    })
    const one = steps(async (_, { now }, { id }) => {
      taken.push(id)
      ofOther ??= processDuePages(context, another)
      expect(await ofOther).toBe(1)
      return later(now)
    })
    expect(await processDuePages(context, one)).toBe(1)
    expect(taken.toSorted()).toEqual([first.id, second.id].toSorted())
    clock.advance(1)
    await cancelJob(world, table, first.id)
    taken.length = 0
    expect(await processDuePages(context, another)).toBe(1)
    expect(taken).toEqual([second.id])
  })
})
