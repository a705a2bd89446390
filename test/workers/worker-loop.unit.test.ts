import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUnderWay } from '../../src/workers/in-flight.ts'
import { drainAll, startLoop, type Worker, type Loop } from '../../src/workers/worker-loop.ts'

let loop: Loop | null = null
let lines: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
})
afterEach(async () => {
  const stopped = loop?.stop()
  await vi.advanceTimersByTimeAsync(100)
  await stopped
  loop = null
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Starts a loop with a worker that records when it was asked to work. */
function start(worker: Partial<Worker>) {
  const began = Date.now()
  const worked: number[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  loop = startLoop(
    {
      name: 'test',
      nextDue: () => Promise.resolve(null),
      ...worker,
      work() {
        worked.push(Date.now() - began)
        return worker.work?.() ?? Promise.resolve(false)
      },
    },
    { clock: { now: () => new Date() }, log },
  )
  return worked
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const inMs = (ms: number) => Promise.resolve(new Date(Date.now() + ms))

describe('a loop', () => {
  test('works immediately, then sleeps until the next due time', async () => {
    let due = 0
    const worked = start({ nextDue: () => inMs((due += 1_000)) })
    await pass(999)
    expect(worked).toEqual([0])
    await pass(1)
    expect(worked).toEqual([0, 1_000])
    await pass(1_999)
    expect(worked).toHaveLength(2)
    await pass(1)
    expect(worked).toEqual([0, 1_000, 3_000])
  })

  test.each([
    ['found nothing', {}],
    ['worked, and there may be more', { work: () => Promise.resolve(true) }],
    ['failed', { work: () => Promise.reject(new Error('no')) }],
  ])('has looked for due work once it %s', async (_, worker: Partial<Worker>) => {
    const { promise: begins, resolve: begin } = Promise.withResolvers<void>()
    start({ ...worker, work: () => begins.then(() => worker.work?.() ?? false) })
    let hasLooked = false
    void loop!.hasLooked.then(() => (hasLooked = true))
    await pass(1)
    expect(hasLooked).toBe(false)
    begin()
    await pass(1)
    expect(hasLooked).toBe(true)
  })

  test('checks every ten seconds for due rows without a notification', async () => {
    let isDue = false
    const nextDue = vi.fn(() => (isDue ? inMs(-1) : inMs(3_600_000)))
    const worked = start({ nextDue })
    await pass(19_999)
    expect(worked).toEqual([0])
    expect(nextDue).toHaveBeenCalledTimes(2)
    isDue = true
    await pass(100)
    expect(worked.slice(0, 2)).toEqual([0, 20_020])
  })

  test('works once a minute though nothing is due, or only much later', async () => {
    const worked = start({ nextDue: () => Promise.resolve(null) })
    await pass(120_000)
    expect(worked).toEqual([0, 60_000, 120_000])
  })

  test('waits at least `everyMs` between two passes', async () => {
    const worked = start({ everyMs: 20 })
    await pass(1)
    loop!.notify()
    await pass(18)
    expect(worked).toEqual([0])
    await pass(40)
    expect(worked).toEqual([0, 20])
    loop!.notify()
    await pass(0)
    expect(worked).toEqual([0, 20, 59])
  })

  test('does not spin over due rows of another node', async () => {
    const worked = start({ nextDue: () => inMs(-60_000) })
    await pass(100)
    expect(worked).toEqual([0, 20, 40, 60, 80, 100])
  })

  test('is notified out of its sleep, and by a notification that came while it worked', async () => {
    let finish = () => {}
    const worked = start({
      work: () =>
        new Promise((resolve) => {
          finish = () => resolve(false)
        }),
    })
    loop!.notify()
    finish()
    await pass(10)
    expect(worked).toHaveLength(2)
    finish()
    await pass(10)
    expect(worked).toHaveLength(2)
    loop!.notify()
    await pass(10)
    expect(worked).toHaveLength(3)
    finish()
  })

  test('continues while there may be more, without asking for the next due time', async () => {
    let left = 3
    const nextDue = vi.fn(() => Promise.resolve(null))
    const worked = start({ work: () => Promise.resolve(left-- > 0), nextDue })
    await pass(50)
    expect(worked).toHaveLength(4)
    expect(nextDue).toHaveBeenCalledTimes(1)
  })

  test('backs off from 0.1 s to 30 s after failures, and logs each series of them once', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    let isBroken = true
    const worked = start({
      work: () => (isBroken ? Promise.reject(new Error('no database')) : Promise.resolve(false)),
    })
    await pass(130_000)
    const pauses = worked.slice(1).map((at, index) => at - worked[index]!)
    expect(pauses.slice(0, 11)).toEqual([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
    ])
    expect(lines.filter((line) => line.includes('worker failed: retrying'))).toHaveLength(1)
    isBroken = false
    await pass(30_000)
    expect(lines.filter((line) => line.includes('works again'))).toHaveLength(1)
    isBroken = true
    loop!.notify()
    await pass(100)
    expect(lines.filter((line) => line.includes('worker failed: retrying'))).toHaveLength(2)
  })

  test('backs off in the same way when it works, and only the next due time cannot be read', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const worked = start({ nextDue: () => Promise.reject(new Error('statement timeout')) })
    await pass(1_500)
    expect(worked).toEqual([0, 100, 300, 700, 1_500])
    expect(lines).toHaveLength(1)
  })

  test('keeps its back-off when it is notified meanwhile, and then does the work that arrived', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    let isBroken = true
    const worked = start({
      work: () => (isBroken ? Promise.reject(new Error('no database')) : Promise.resolve(false)),
    })
    for (let ms = 0; ms < 1_600; ms += 10) {
      loop!.notify()
      await pass(10)
    }
    expect(worked).toEqual([0, 100, 300, 700, 1_500])
    isBroken = false
    await pass(1_500)
    expect(worked[5]).toBe(3_100)
    loop!.notify()
    await pass(10)
    expect(worked).toHaveLength(7)
  })

  test('waits for at most a second while the database is away', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const worked = start({
      work: () => Promise.reject(new Error('Connection terminated unexpectedly')),
    })
    await pass(4_500)
    expect(worked).toEqual([0, 100, 300, 700, 1_500, 2_500, 3_500, 4_500])
  })

  test('stops during a back-off without waiting for its end', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const worked = start({ work: () => Promise.reject(new Error('no')) })
    await pass(6_400)
    let isStopped = false
    void loop!.stop().then(() => (isStopped = true))
    await pass(0)
    expect(isStopped).toBe(true)
    expect(worked).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300])
  })

  test('spreads its retries over half of the pause, so that nodes do not retry together', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const worked = start({ work: () => Promise.reject(new Error('no')) })
    await pass(151)
    expect(worked).toEqual([0, 50, 150])
  })

  test('stops once the current work is done', async () => {
    let finish = () => {}
    const worked = start({
      work: () =>
        new Promise((resolve) => {
          finish = () => resolve(true)
        }),
    })
    let isStopped = false
    const stopped = loop!.stop().then(() => (isStopped = true))
    await pass(60_000)
    expect(isStopped).toBe(false)
    finish()
    await pass(10)
    expect(isStopped).toBe(true)
    await stopped
    expect(worked).toHaveLength(1)
  })
})

test('A stop also waits for work that other work hands over when it ends', async () => {
  const [committed, accepted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [runs, messages] = [createUnderWay(), createUnderWay()]
  const handOver = () => messages.follow(accepted.promise, null)
  runs.follow(committed.promise.then(handOver), null)
  let isDrained = false
  const workers = [messages, runs].map(({ count, drain }) => ({
    name: 'test',
    work: () => Promise.resolve(false),
    nextDue: () => Promise.resolve(null),
    inFlight: count,
    drain,
  }))
  const drained = drainAll(workers).then(() => (isDrained = true))
  committed.resolve()
  await pass(1)
  expect([messages.count(), isDrained]).toEqual([1, false])
  accepted.resolve()
  await drained
})
