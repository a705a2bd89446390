/** The time for which connections are kept, and how they end before the service stops. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createDraining } from '../../src/http/draining.ts'
import { createTestDatabase } from '../support/database.ts'
import { listenLocally } from '../support/local-server.ts'
import { openWorld } from '../support/open-world.ts'
import { systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'
import { createWorldOn } from '../support/world.ts'

const world = await openWorld()

test('a connection without a request is kept for longer than load balancers keep it', async () => {
  const { headers } = await fetch(`${world.url}/healthz`)
  expect(headers.get('keep-alive')).toBe('timeout=75')
})

systemTest(
  'a service that is stopping says so while it goes on serving, and keeps no connection',
  async () => {
    const stopping = await createWorldOn(await createTestDatabase(), { stopDelaySeconds: '2' })
    onTestFinished(() => stopping.close())
    expect((await fetch(`${stopping.url}/readyz`)).headers.get('connection')).toBe('keep-alive')
    const stopped = stopping.service.stop()
    const readiness = await fetch(`${stopping.url}/readyz`)
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toEqual({ status: 'stopping' })
    const served = await fetch(`${stopping.url}/healthz`)
    expect(served.status).toBe(200)
    for (const { headers } of [readiness, served]) expect(headers.get('connection')).toBe('close')
    await stopped
    await expect(fetch(`${stopping.url}/healthz`)).rejects.toThrow('fetch failed')
  },
)

/** A server that answers when the test says so, to a client that sends several requests without waiting. */
async function openPipeline() {
  const draining = createDraining()
  const waiting: { path: string; response: ServerResponse }[] = []
  const server = createServer((request, response) => {
    if (draining.admit(request, response)) waiting.push({ path: request.url!, response })
  })
  const { port, close } = await listenLocally(server)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await close()
  })
  return {
    draining,
    waiting,
    received: text(socket),
    ask: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
    answer(path: string, { isBegun = false } = {}) {
      const { response } = waiting.find((one) => one.path === path)!
      if (isBegun) response.write(path)
      else response.end(path)
    },
    arrived: (count: number) => waitUntil('requests arrive', () => waiting.length === count),
  }
}

test('pipelined requests from before the stop are all answered, and the last answer closes the connection', async () => {
  const { draining, waiting, received, ask, answer, arrived } = await openPipeline()
  ask('/1')
  ask('/2')
  await arrived(2)
  draining.begin()
  ask('/3')
  answer('/2')
  answer('/1')
  const all = await received
  expect(all.match(/^Connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close'])
  expect(all).toContain('/1')
  expect(all).toContain('/2')
  expect(waiting.map(({ path }) => path)).toEqual(['/1', '/2'])
})

test('the next answer after one that had begun before the stop closes the connection', async () => {
  const { draining, received, ask, answer, arrived } = await openPipeline()
  ask('/1')
  await arrived(1)
  answer('/1', { isBegun: true })
  draining.begin()
  ask('/2')
  await arrived(2)
  answer('/1')
  answer('/2')
  const all = await received
  expect(all.match(/^Connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close'])
})

test('connections that sent no request, or a part of one, do not delay the stop', async () => {
  const stopping = await createWorldOn(await createTestDatabase())
  onTestFinished(() => stopping.close())
  const { hostname, port } = new URL(stopping.url)
  const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)]
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  for (const socket of sockets) {
    await once(socket, 'connect')
    // The service may reset the connection that has sent a part.
    socket.on('error', () => {})
  }
  sockets[1]!.write('GET /healthz HTTP/1.1\r\nHost: a\r\n')
  let isStopped = false
  void stopping.service.stop().then(() => (isStopped = true))
  await waitUntil('the service to stop', () => isStopped, { withinMs: 15_000 })
  expect(isStopped).toBe(true)
})
