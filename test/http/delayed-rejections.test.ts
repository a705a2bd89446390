import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDelayedRejections } from '../../src/http/delayed-rejections.ts'
import { BODY_LIMITS } from '../../src/core/limits/http.ts'
import { listenLocally } from '../support/local-server.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let server: Server
let listening: Awaited<ReturnType<typeof listenLocally>>
/** Counts of this test: the connections of the previous test may close later. */
let seen = { told: 0, closed: 0 }
const sockets: Socket[] = []
const readable: (() => number)[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const its = (seen = { told: 0, closed: 0 })
  const refuseLate = createDelayedRejections()
  server = createServer((request, response) => {
    response.once('close', () => (its.closed += 1))
    refuseLate(request, response, () => (its.told += 1))
    setImmediate(() => setImmediate(() => readable.push(() => request.readableLength)))
  })
  listening = await listenLocally(server)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.destroy()
  readable.length = 0
  await listening.close()
})

function ask(bytes = 0) {
  const socket = connect(listening.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4000000\r\n\r\n${'x'.repeat(bytes)}`)
  return socket
}
/** Looks once in each turn of the event loop, because the timers are faked. */
const until = (what: string, isSo: () => boolean) => waitUntil(what, isSo, { everyMs: 0 })

test('a refusal is sent after one second at the earliest, three at the latest', async () => {
  ask()
  await until('the request', () => readable.length === 1)
  vi.advanceTimersByTime(BODY_LIMITS.refusalMs / 2 - 1)
  expect(seen.told).toBe(0)
  vi.advanceTimersByTime(BODY_LIMITS.refusalMs + 1)
  expect(seen.told).toBe(1)
})

systemTest.each([
  ['with the head', 400_000],
  ['after it', 0],
])('bytes that come %s are not held meanwhile, and no more are read', async (_, bytes) => {
  const socket = ask(bytes)
  await until('the request', () => readable.length === 1)
  socket.write(Buffer.alloc(400_000))
  let turns = 0
  await until('that more could have come', () => {
    expect(readable[0]!()).toBe(0)
    return (turns += 1) > 200
  })
})

systemTest(
  'a limited number wait: the next is refused immediately, and a refused one makes room',
  async () => {
    const max = BODY_LIMITS.lateRefusals
    for (let n = 0; n < max; n += 1) ask()
    await until('all requests', () => readable.length === max)
    expect(seen.told).toBe(0)
    ask()
    await until('the refusal of one more', () => seen.told === 1)
    vi.advanceTimersByTime(2 * BODY_LIMITS.refusalMs)
    expect(seen.told).toBe(max + 1)
    ask()
    await until('the request', () => readable.length === max + 2)
    expect(seen.told).toBe(max + 1)
  },
)

test('a client that has gone is sent no refusal', async () => {
  ask()
  await until('the request', () => readable.length === 1)
  server.closeAllConnections()
  await until('that it went', () => seen.closed === 1)
  vi.advanceTimersByTime(2 * BODY_LIMITS.refusalMs)
  expect(seen.told).toBe(0)
})
