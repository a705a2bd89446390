/**
 * Promises of every kind of job with effects: what follows when its process dies, is slow or stops during an effect.
 * Also cancellations, locks, errors, and a database that is unavailable.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { REPLY_QUEUE } from '../../src/modules/assistant/reply-queue.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import type { LostClaim } from '../../src/infra/database/after-commit.ts'
import { leaseEnd, type ClaimedJob } from '../../src/infra/database/queues/queue.ts'
import { createEffectJobsWorker, runEffectJob } from '../../src/workers/effect-jobs.ts'
import { openAssisted } from '../support/assistant.ts'
import { effectJobsOf, type Job } from '../support/effect-jobs.ts'
import { claimFrom, endLeases } from '../support/queues.ts'
import { only } from '../support/records/records.ts'

const assisted = await openAssisted()
const { world, whatsApp } = assisted
const { clock } = world
const { context } = world.service
const KINDS = effectJobsOf(assisted)

/** An effect that lasts until `end` is called. */
function heldEffect() {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let times = 0
  const effect = () => {
    times += 1
    begun.resolve()
    return ended.promise
  }
  return { effect, begun: begun.promise, end: ended.resolve, times: () => times }
}

/** Fails when called for the first time, as long as `isHere` is true of the result. */
function failOnce(job: Job, error: Error, isHere: (result: object | null) => boolean): Job {
  let isFailed = false
  return {
    ...job,
    advance(result) {
      if (isFailed || !isHere(result)) return job.advance(result)
      isFailed = true
      return Promise.reject(error)
    },
  }
}

const unavailable = () => new Error('Connection terminated')
const lockTimeout = () => Object.assign(new Error('lock timeout'), { code: '55P03' })

describe.each([RUN_QUEUE.name, REPLY_QUEUE.name])('A job of %s', (name) => {
  const kind = KINDS[name]!
  const { queue, read } = kind
  const { signal: stopping } = new AbortController()

  /** Executes a claimed job as its worker does. Returns the number of messages that it dispatched. */
  async function execute(row: ClaimedJob, job: Job): Promise<number> {
    let dispatched = 0
    await runEffectJob(
      {
        ...context,
        queue,
        stopping,
        withoutSlot: (_, work) => work(),
        dispatchMessages: ({ length }) => void (dispatched += length),
        onProgress() {},
      },
      row,
      job,
    )
    return dispatched
  }

  const claimOne = async (id: string) =>
    only((await claimFrom(world, queue, { limit: 100 })).filter((row) => row.id === id))

  /** Adds a job and claims it; nothing of it is left to later tests. */
  async function claimed(): Promise<ClaimedJob> {
    const id = await kind.add()
    onTestFinished(async () => {
      await kind.cancel(id)
      await whatsApp.settle()
    })
    return claimOne(id)
  }

  test('is continued after its process died during an effect, whose late result is discarded', async () => {
    const row = await claimed()
    const lost = heldEffect()
    const late = execute(row, kind.begin(row, lost.effect, stopping))
    await lost.begun
    await endLeases(world, queue, leaseEnd(queue, clock.now()))
    let repeated = 0
    const again = await claimOne(row.id)
    await execute(
      again,
      kind.begin(again, async () => void (repeated += 1), stopping),
    )
    expect(repeated).toBe(kind.isRepeated ? 1 : 0)
    const before = await read(row.id)
    expect(before).toMatchObject({ failureCount: 0, claimId: null })
    lost.end()
    expect(await late).toBe(0)
    expect(await read(row.id)).toEqual(before)
    expect(lost.times()).toBe(1)
  })

  test('uses no result after it was cancelled during the effect', async () => {
    const row = await claimed()
    const held = heldEffect()
    const executed = execute(row, kind.begin(row, held.effect, stopping))
    await held.begun
    await kind.cancel(row.id)
    held.end()
    expect(await executed).toBe(0)
    expect(await read(row.id)).toMatchObject({ state: 'cancelled', claimId: null })
  })

  test('is due immediately for other processes when its process stops and cannot await the effect', async () => {
    const row = await claimed()
    const job = kind.begin(row, () => Promise.resolve(), stopping)
    await execute(row, { ...job, perform: () => Promise.resolve(null) })
    expect(await read(row.id)).toMatchObject({ failureCount: 0, claimId: null })
    expect(await claimOne(row.id)).toMatchObject({ id: row.id })
  })

  test.each([
    ['the database was unavailable', unavailable],
    ['a lock timed out', lockTimeout],
  ])('has its effect performed once when %s afterwards', async (_, error) => {
    const row = await claimed()
    const held = heldEffect()
    held.end()
    const job = kind.begin(row, held.effect, stopping)
    await execute(
      row,
      failOnce(job, error(), (result) => result !== null),
    )
    expect(held.times()).toBe(1)
    expect(await read(row.id)).toMatchObject({ state: kind.done, failureCount: 0, claimId: null })
  })

  test('is retried with growing delays after errors, then fails', async () => {
    let row = await claimed()
    const fail = () =>
      execute(row, {
        ...kind.begin(row, () => Promise.resolve(), stopping),
        advance: () => Promise.reject(new Error('broken')),
      })
    for (const [nth, delayMs] of kind.retryDelaysMs.entries()) {
      await fail()
      expect(await read(row.id)).toMatchObject({ failureCount: nth + 1, claimId: null })
      clock.advance(delayMs - 1)
      expect((await claimFrom(world, queue, { limit: 100 })).map(({ id }) => id)).not.toContain(
        row.id,
      )
      clock.advance(1)
      row = await claimOne(row.id)
    }
    await fail()
    expect(await read(row.id)).toMatchObject({ state: kind.failed, claimId: null })
  })

  test('is not retried as failed when the claim was lost', async () => {
    const row = await claimed()
    clock.advance(queue.leaseMs)
    await endLeases(world, queue)
    const before = { ...(await read(row.id)), claimId: (await claimOne(row.id)).claimId }
    await execute(row, {
      ...kind.begin(row, () => Promise.resolve(), stopping),
      advance: () => Promise.reject(new Error('broken')),
    })
    expect(await read(row.id)).toEqual(before)
  })

  test('has its claim released, not deferred, when the database is unavailable during the effect', async () => {
    const id = await kind.add()
    onTestFinished(async () => void (await kind.cancel(id)))
    const lost: LostClaim[] = []
    const { afterCommit } = context.db
    const { releaseClaims } = afterCommit
    onTestFinished(() => void (afterCommit.releaseClaims = releaseClaims))
    afterCommit.releaseClaims = (claims) => void lost.push(...claims)
    const worker = workerOf((row, signal) =>
      kind.begin(row, () => Promise.reject(unavailable()), signal),
    )
    await worker.work()
    await worker.drain()
    expect(lost).toMatchObject([{ id }])
    expect(await read(id)).toMatchObject({ failureCount: 0, claimId: lost[0]!.claimId })
    releaseClaims(lost)
  })

  test('leaves its slot to others during an effect, and ends before the worker stops', async () => {
    const ids = [await kind.add(), await kind.add()]
    const held = heldEffect()
    let [effects, ended] = [0, 0]
    let wasStopping = false
    const worker = workerOf((row, signal) => ({
      ...kind.begin(
        row,
        async () => {
          effects += 1
          await held.effect()
          wasStopping = signal.aborted
        },
        signal,
      ),
      onEnd: () => void (ended += 1),
    }))
    const bothBegun = async () => {
      await worker.work()
      return effects
    }
    await expect.poll(bothBegun).toBe(2)
    worker.halt()
    const drained = worker.drain()
    expect(ended).toBe(0)
    held.end()
    await drained
    expect([ended, wasStopping]).toEqual([2, true])
    for (const id of ids) {
      expect(await read(id)).toMatchObject({ state: kind.done, claimId: null })
      await kind.cancel(id)
    }
    await whatsApp.settle()
  })

  /** Creates a worker with one slot. */
  const workerOf = (begin: (row: ClaimedJob, signal: AbortSignal) => Job) =>
    createEffectJobsWorker(
      context,
      { name: 'test', queue, places: { maxConcurrent: 1 }, begin },
      { claimId: context.ids.uuid, onProgress() {}, dispatchMessages() {} },
    )
})
