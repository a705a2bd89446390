/** The end of an HTTP server waits for work that goes on without its connection, for a limited time. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDraining } from '../../src/http/draining.ts'
import { closeServer, listen, STOP_REQUESTS_MS } from '../../src/http/listen.ts'

describe('The end of a server', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Resolves after a turn of the event loop, in which a close that waits for connections alone has ended. */
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  /** Closes a server that has no connection, while work is in progress. */
  async function closeDuringWork() {
    const draining = createDraining()
    const work = Promise.withResolvers<void>()
    draining.track(work.promise)
    const server = createServer()
    await listen(server, 0, '127.0.0.1')
    let isClosed = false
    const closing = closeServer(server, { draining, delayMs: 0 }).then(() => (isClosed = true))
    await once(server, 'close')
    await turn()
    return { work, closing, isClosed: () => isClosed }
  }

  test('comes after the work in progress, also when no connection is left', async () => {
    const { work, closing, isClosed } = await closeDuringWork()
    expect(isClosed()).toBe(false)
    work.resolve()
    expect(await closing).toBe(true)
  })

  test('comes after work that fails, whose fault ends no process', async () => {
    const { work, closing } = await closeDuringWork()
    work.reject(new Error('the mail server is away'))
    expect(await closing).toBe(true)
    // Node reports an unhandled rejection after this turn, and the test would fail.
    await turn()
  })

  test('waits a limited time for work that does not end', async () => {
    const { closing, isClosed } = await closeDuringWork()
    vi.advanceTimersByTime(STOP_REQUESTS_MS - 1)
    await turn()
    expect(isClosed()).toBe(false)
    vi.advanceTimersByTime(1)
    expect(await closing).toBe(true)
  })
})
