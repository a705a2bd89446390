import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { errorOf, outboundBench } from './support/outbound-bench.ts'
import { drip, reply } from './support/receiver.ts'

const BOMB = gzipSync(Buffer.alloc(1_000_000))
const LONG = 'x'.repeat(3_000)

const bench = outboundBench({
  '/ok': reply('200 OK', 'thanks', ['x-trace: 7']),
  '/long': reply('200 OK', LONG),
  '/bomb': reply('200 OK', BOMB, ['content-encoding: gzip']),
  '/binary': reply('200 OK', Buffer.from([0, 0xff, 0xd8, 0x85, 0x41])),
  '/cut': reply('200 OK', `${'x'.repeat(2_047)}\u0645`),
  '/redirect': reply('307 Temporary Redirect', '', ['location: /ok']),
  '/huge-length': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
    drip(socket, 1, 'x'.repeat(1_000))
  },
  '/endless': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    drip(socket, 1, `400\r\n${'x'.repeat(1_024)}\r\n`)
  },
  '/body-drips': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    drip(socket, 20, 'x')
  },
  '/many-headers': (socket) =>
    socket.write(
      `HTTP/1.1 200 OK\r\n${'x-h: 0123456789\r\n'.repeat(700)}content-length: 0\r\n\r\n`,
    ),
  '/reset-after-headers': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\npart'),
})

describe('an answer', () => {
  test('returns its status, raw headers and body, with the peer and the duration of each phase', async () => {
    const answer = await bench.send('/ok')
    expect(answer).toMatchObject({
      kind: 'answer',
      status: 200,
      headers: [
        ['x-trace', '7'],
        ['content-length', '6'],
      ],
      head: Buffer.from('thanks'),
      truncated: false,
      remoteAddress: '127.0.0.1',
      timings: {
        dnsMs: expect.any(Number),
        connectMs: expect.any(Number),
        answerMs: expect.any(Number),
      },
    })
  })

  test('is not followed when it is a redirect', async () => {
    expect(await bench.send('/redirect')).toMatchObject({ kind: 'answer', status: 307 })
    expect(bench.receiver.requests).toHaveLength(1)
  })

  test('has only the first 2 KB of its body kept', async () => {
    const answer = await bench.send('/long')
    expect(answer).toMatchObject({ kind: 'answer', truncated: true })
    expect(answer.kind === 'answer' && answer.head.toString()).toBe('x'.repeat(2_048))
  })

  test('keeps a character cut at 2,048 bytes, NUL and invalid UTF-8 as their bytes', async () => {
    const cut = await bench.send('/cut')
    expect(cut.kind === 'answer' && cut.head.subarray(2_046)).toEqual(Buffer.from([0x78, 0xd9]))
    const binary = await bench.send('/binary')
    expect(binary).toMatchObject({ head: Buffer.from([0, 0xff, 0xd8, 0x85, 0x41]) })
  })

  test('is kept raw when it is a gzip bomb: its first 2 KB, never decompressed', async () => {
    const answer = await bench.send('/bomb', { answerBytes: 500 })
    expect(answer).toMatchObject({ kind: 'answer', status: 200, truncated: true })
    expect(answer.kind === 'answer' && answer.head).toEqual(BOMB.subarray(0, 500))
    expect(bench.receiver.requests[0]?.headers).not.toHaveProperty('accept-encoding')
  })

  test.each(['/endless', '/huge-length'])('has 2 KB of %s kept, and is closed', async (path) => {
    const answer = await bench.send(path)
    expect(answer).toMatchObject({ kind: 'answer', status: 200, truncated: true })
    expect(answer.kind === 'answer' && answer.head.length).toBe(2_048)
    await bench.receiver.closed[0]
  })

  test('with headers and an endless slow body is an answer, and its slot is free by the deadline', async () => {
    const client = bench.client()
    const answer = await bench.sendUntilDeadline('/body-drips', {}, client)
    expect(answer).toMatchObject({ kind: 'answer', status: 200, truncated: true })
    expect(client.stats()).toMatchObject({ sockets: 0 })
    await bench.receiver.closed[0]
  })

  test('has at most 8 KB of its headers kept', async () => {
    const answer = await bench.send('/many-headers')
    expect(answer.kind === 'answer' && answer.headers.length).toBe(Math.floor(8_192 / 13))
  })
})

describe('when the whole answer is needed', () => {
  const whole = { readWholeAnswer: true, answerBytes: 100_000 }

  test('reads it to its end', async () => {
    const answer = await bench.send('/long', whole)
    expect(answer).toMatchObject({ truncated: false, head: Buffer.from(LONG) })
  })

  test('truncates one that is too large', async () => {
    const answer = await bench.send('/endless', whole)
    expect(answer).toMatchObject({ kind: 'answer', status: 200, truncated: true })
  })

  test('reports one without an end at the deadline as an error with its status', async () => {
    const answer = await bench.sendUntilDeadline('/body-drips', whole)
    expect(answer).toMatchObject({ kind: 'error', error: 'timeout', status: 200 })
  })

  test('reports an interrupted one as an error', async () => {
    const answer = await bench.send('/reset-after-headers', whole)
    expect(errorOf(answer)).toMatch(/connection_reset|bad_response/)
  })
})

describe('a request', () => {
  test('carries its body, its headers and a length, over HTTP/1.1', async () => {
    await bench.send('/ok', {
      headers: [
        ['content-type', 'application/json'],
        ['x-name', '\u0645\u062a\u062c\u0631'],
      ],
      body: Buffer.from('{"\u0633":1}'),
    })
    const [request] = bench.receiver.requests
    expect(request?.line).toBe('POST /ok HTTP/1.1')
    expect(request?.body.toString()).toBe('{"\u0633":1}')
    expect(request?.headers['content-length']).toBe('8')
    expect(request?.headers['host']).toBe(`receiver.example:${bench.receiver.port}`)
    const name = Buffer.from(request?.headers['x-name'] ?? '', 'latin1').toString('utf8')
    expect(name).toBe('\u0645\u062a\u062c\u0631')
  })

  test('cannot set the headers that belong to the connection', async () => {
    const headers = [
      ['Host', 'other.example'],
      ['Connection', 'close'],
      ['Transfer-Encoding', 'chunked'],
    ] as const
    await bench.send('/ok', { headers })
    const lines = bench.receiver.requests[0]?.headerLines.join('\n') ?? ''
    expect(lines).not.toMatch(/other\.example|close|chunked/)
  })

  test('with a line break in a header is not sent', async () => {
    const answer = await bench.send('/ok', { headers: [['x-a', 'b\r\nx-admin: 1']] })
    expect(errorOf(answer)).toBe('url_refused')
    expect(bench.receiver.requests).toHaveLength(0)
  })
})
