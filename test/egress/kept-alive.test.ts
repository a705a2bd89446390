import { Client } from 'undici'
import { describe, expect, test, vi } from 'vitest'
import { fact } from '../../src/core/facts/fact.ts'
import { exchange } from '../../src/infra/egress/exchange.ts'
import { OutboundError } from '../../src/infra/egress/outbound-error.ts'
import { errorOf, outboundBench } from './support/outbound-bench.ts'
import { drip, firstThen, reply } from './support/receiver.ts'
import { systemTest } from '../support/system-tests.ts'

const bench = outboundBench({
  '/ok': reply('200 OK', 'ok'),
  '/page': reply('500 Internal Server Error', 'x'.repeat(9_000)),
  '/close': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  '/hang-up-after': (socket, request) => {
    reply('200 OK')(socket, request)
    setImmediate(() => socket.end())
  },
  '/first-only': firstThen(reply('200 OK', 'first'), (socket) => void socket.destroy()),
  '/half-answer-second': firstThen(reply('200 OK', 'first'), (socket) => {
    socket.end('HTTP/1.1 20')
  }),
  '/slow': (socket, request) => void setTimeout(() => reply('200 OK')(socket, request), 60),
  '/silent': () => undefined,
  '/body-drips': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    drip(socket, 20, 'x')
  },
})

describe('a connection is kept alive', () => {
  test('50 requests, one after the other, go over one connection', async () => {
    const client = bench.client()
    await bench.send('/ok', {}, client)
    for (let i = 1; i < 50; i++) {
      const timings = { dnsMs: null, connectMs: null }
      expect(await bench.send('/ok', {}, client)).toMatchObject({ status: 200, timings })
    }
    expect(bench.receiver.connections).toBe(1)
    expect(client.stats()).toMatchObject({ opened: 1, reused: 49, sockets: 1, idle: 1, origins: 1 })
  })

  test('after an error page longer than the kept part, if all of it has arrived', async () => {
    const client = bench.client()
    for (let i = 0; i < 3; i++) {
      expect(await bench.send('/page', {}, client)).toMatchObject({ status: 500, truncated: true })
    }
    expect(bench.receiver.connections).toBe(1)
  })

  test('unless the server says close', async () => {
    const client = bench.client()
    await bench.send('/close', {}, client)
    expect(client.stats()).toMatchObject({ sockets: 0, origins: 0 })
    expect(await bench.send('/close', {}, client)).toMatchObject({ status: 200 })
  })

  test('for a minute at most: a name that has moved to a private address is then refused', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.7']]
    const client = bench.client({ resolve: async () => answers.shift() ?? [] })
    expect(await bench.send('/ok', {}, client)).toMatchObject({ status: 200 })
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    try {
      expect(errorOf(await bench.send('/ok', {}, client))).toBe('address_refused')
    } finally {
      later.mockRestore()
    }
    expect(bench.receiver.requests).toHaveLength(1)
  })

  test('unless the client has been closed', async () => {
    const client = bench.client()
    const underWay = bench.send('/slow', {}, client)
    client.close()
    expect(await underWay).toMatchObject({ kind: 'answer', status: 200 })
    expect(client.stats()).toMatchObject({ sockets: 0 })
    expect(errorOf(await bench.send('/ok', {}, client))).toBe('connection_reset')
  })
})

describe('a kept-alive connection that its peer has left', () => {
  test('is one silent reconnect when the server swallows the request', async () => {
    const client = bench.client()
    await bench.send('/first-only', {}, client)
    expect(await bench.send('/first-only', {}, client)).toMatchObject({ status: 200 })
    expect(bench.receiver).toMatchObject({ connections: 2 })
    expect(bench.receiver.requests).toHaveLength(3)
  })

  test('is replaced by a new one, not by another that may have been left as well', async () => {
    const client = bench.client()
    await Promise.all([1, 2].map(() => bench.send('/first-only', {}, client)))
    expect(client.stats()).toMatchObject({ opened: 2, idle: 2 })
    expect(await bench.send('/first-only', {}, client)).toMatchObject({ status: 200 })
    expect(client.stats()).toMatchObject({ opened: 3 })
    // This also holds if the new connection must be waited for.
    const narrow = bench.client({ maxSocketsPerOrigin: 1 })
    await bench.send('/first-only', {}, narrow)
    const answers = await Promise.all([1, 2].map(() => bench.send('/first-only', {}, narrow)))
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(narrow.stats()).toMatchObject({ opened: 3, waiting: 0 })
  })

  test('is an error for a request that must not be repeated', async () => {
    const client = bench.client()
    await bench.send('/first-only', {}, client)
    const answer = await bench.send('/first-only', { retryStale: false }, client)
    expect(errorOf(answer)).toBe('connection_reset')
    expect(bench.receiver.requests).toHaveLength(2)
  })

  test('is an error when part of an answer has come', async () => {
    const client = bench.client()
    await bench.send('/half-answer-second', {}, client)
    expect(errorOf(await bench.send('/half-answer-second', {}, client))).toMatch(
      /connection_reset|bad_response/,
    )
    expect(bench.receiver.requests).toHaveLength(2)
  })

  test('is replaced unnoticed if it was closed between two requests', async () => {
    const client = bench.client()
    for (let i = 0; i < 10; i++) {
      const once = { retryStale: i % 2 === 0 }
      const answer = await bench.send('/hang-up-after', once, client)
      expect(answer).toMatchObject({ kind: 'answer', status: 200 })
      await bench.receiver.closed[i]
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(bench.receiver.requests).toHaveLength(10)
  })

  test('is not retried when the first connection already failed', async () => {
    expect(errorOf(await bench.sendUntilDeadline('/silent'))).toBe('timeout')
    expect(bench.receiver.requests).toHaveLength(1)
  })
})

test('a connection lost before its request was written is distinguished from one lost later', async () => {
  const gone = new OutboundError('connection_reset', fact('connection_gone'))
  const client = new Client('https://receiver.example', {
    connect: (_options, callback) => queueMicrotask(() => callback(gone, null)),
  })
  const request = { method: 'POST', path: '/', headers: [], body: null, waitMs: 1_000 }
  const result = await exchange(client, { ...request, answerBytes: 10, readWholeAnswer: false })
  expect(result).toMatchObject({ isUnsent: true, isUnanswered: true, isReusable: false })
  expect(result.error?.code).toBe('connection_reset')
  await client.destroy()
})

describe('connections are capped', () => {
  systemTest('at 8 to one host: the others wait and are served', async () => {
    const client = bench.client()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => bench.send('/slow', {}, client)),
    )
    expect(answers.every((answer) => answer.kind === 'answer')).toBe(true)
    expect(bench.receiver.maxOpen).toBe(8)
    expect(client.stats()).toMatchObject({ opened: 8, reused: 22, waiting: 0 })
  })

  test('with an error at the deadline for a caller that waits in vain', async () => {
    const client = bench.client({ maxSocketsPerOrigin: 1 })
    const [first, second] = await Promise.all([
      bench.sendUntilDeadline('/silent', {}, client),
      bench.send('/ok', {}, client),
    ])
    expect(first).toMatchObject({ error: 'timeout' })
    expect(second).toMatchObject({ error: 'timeout', detail: { code: 'server_busy' } })
    expect(client.stats()).toMatchObject({ sockets: 0, waiting: 0, origins: 0 })
  })

  systemTest('in all: idle ones make room, and waiting hosts take turns', async () => {
    const client = bench.client({ maxSocketsTotal: 2, maxSocketsPerOrigin: 2 })
    const hosts = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.receiver.example`)
    const toHost = (host: string, path: string) =>
      bench.send(path, { url: bench.receiver.url(path, host) }, client)
    for (const host of hosts) expect(await toHost(host, '/ok')).toMatchObject({ status: 200 })
    expect(client.stats()).toMatchObject({ sockets: 2, idle: 2, origins: 2 })
    const answers = await Promise.all(
      [...hosts, ...hosts, ...hosts].map((host) => toHost(host, '/slow')),
    )
    expect(answers.every((answer) => answer.kind === 'answer')).toBe(true)
    expect(client.stats()).toMatchObject({ sockets: 2, waiting: 0 })
  })

  test('a stalled body gives its slot back at the deadline', async () => {
    const client = bench.client({ maxSocketsPerOrigin: 1 })
    const [first, second] = await Promise.all([
      bench.sendUntilDeadline('/body-drips', {}, client),
      bench.send('/ok', { deadlineMs: 200_000 }, client),
    ])
    expect(first).toMatchObject({ status: 200, truncated: true })
    expect(second).toMatchObject({ status: 200, truncated: false })
  })
})
