import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Resolve } from '../../src/infra/egress/resolve.ts'
import { createCertificate, type KeyPair } from './support/certificates.ts'
import { errorOf, LOOPBACK, outboundBench } from './support/outbound-bench.ts'
import { createReceiver, reply, type Receiver } from './support/receiver.ts'
import { createUnansweredPort } from './support/unanswered-port.ts'
import { listenLocally } from '../support/local-server.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { freePort } from '../support/free-port.ts'
import { systemTest } from '../support/system-tests.ts'

const bench = outboundBench({ '/ok': reply('200 OK') })

const others: { close(): unknown }[] = []
const keep = <Closable extends { close(): unknown }>(closable: Closable): Closable => {
  others.push(closable)
  return closable
}
afterEach(async () => {
  for (const other of others.splice(0)) await other.close()
})

async function listen(onConnection: (socket: Socket) => void) {
  const { port } = keep(await listenLocally(createServer(onConnection)))
  return `https://receiver.example:${port}/ok`
}

const certificateOf = (names: string[], validUntil?: Date) =>
  createCertificate(names, { authority: bench.authority, ...(validUntil && { validUntil }) })

async function receiverWith(certificate: Promise<KeyPair>): Promise<Receiver> {
  return keep(await createReceiver(await certificate, { '/ok': reply('200 OK') }))
}

describe('the certificate is verified', () => {
  test.each([
    ['self-signed', () => createCertificate(['receiver.example']), 'certificate_self_signed'],
    ['of another host name', () => certificateOf(['other.example']), 'certificate_other_host'],
    [
      'that has expired',
      () => certificateOf(['receiver.example'], new Date('2026-01-02')),
      'certificate_expired',
    ],
  ])('one %s is refused, and no request is sent', async (_, certificate, code) => {
    const receiver = await receiverWith(certificate())
    const answer = await bench.send('/ok', { url: receiver.url('/ok') })
    expect(answer).toMatchObject({ error: 'tls_failed', detail: { code } })
    expect(receiver.requests).toHaveLength(0)
  })

  test('one of an unknown authority is refused, and no environment variable turns that off', async () => {
    const sent = async () => errorOf(await bench.send('/ok', {}, bench.client({ extraCa: [] })))
    expect(await sent()).toBe('tls_failed')
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await sent()).toBe('tls_failed')
  })

  test('one for an address in the URL is verified too', async () => {
    const url = bench.receiver.url('/ok', LOOPBACK)
    expect(await bench.send('/ok', { url })).toMatchObject({
      kind: 'answer',
      status: 200,
      timings: { dnsMs: null },
    })
    const nameless = await receiverWith(certificateOf(['receiver.example']))
    const answer = await bench.send('/ok', { url: nameless.url('/ok', LOOPBACK) })
    expect(errorOf(answer)).toBe('tls_failed')
  })
})

describe('a connection that does not open', () => {
  const OPEN_MS = 20_000

  /**
   * Sends to a server that accepts the connection and never completes the handshake, until the time limit for
   * opening.
   */
  async function sendToStalled(limits: { deadlineMs?: number; connectMs: number }) {
    let hasConnected = false
    const url = await listen((socket) => socket.once('data', () => (hasConnected = true)))
    const timers = holdTimers(OPEN_MS)
    onTestFinished(timers.release)
    const answer = bench.send('/ok', { url, ...limits })
    await waitUntil('the beginning of the handshake', () => hasConnected)
    timers.elapse()
    return answer
  }

  test('is connect_refused when nothing listens', async () => {
    const url = `https://receiver.example:${await freePort()}/ok`
    expect(errorOf(await bench.send('/ok', { url }))).toBe('connect_refused')
  })

  systemTest('is connect_timeout when no connection is accepted', async () => {
    const port = keep(await createUnansweredPort())
    const url = `https://receiver.example:${port.port}/ok`
    const answer = await bench.send('/ok', { url, connectMs: 1_500 })
    expect(answer).toMatchObject({ error: 'connect_timeout', timings: { answerMs: null } })
  })

  test('is tls_failed when the handshake stalls', async () => {
    const answer = await sendToStalled({ connectMs: OPEN_MS })
    expect(answer).toMatchObject({
      error: 'tls_failed',
      detail: { code: 'tls_slow', params: { seconds: OPEN_MS / 1_000 } },
    })
  })

  test('is tls_failed when the server hangs up during the handshake or speaks plain HTTP', async () => {
    const hangUp = await listen((socket) => socket.once('data', () => socket.destroy()))
    expect(errorOf(await bench.send('/ok', { url: hangUp }))).toBe('tls_failed')
    const plain = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(errorOf(await bench.send('/ok', { url: plain }))).toBe('tls_failed')
  })

  test('ends at the deadline when that comes first', async () => {
    const answer = await sendToStalled({ deadlineMs: OPEN_MS, connectMs: 1_000 * OPEN_MS })
    expect(errorOf(answer)).toBe('tls_failed')
  })

  test('moves on to the next address of the checked list', async () => {
    const resolve: Resolve = async () => ['127.0.0.2', LOOPBACK]
    const client = bench.client({ resolve, isAllowedAddress: (a) => a.startsWith('127.0.0.') })
    expect(await bench.send('/ok', {}, client)).toMatchObject({
      kind: 'answer',
      remoteAddress: LOOPBACK,
    })
  })
})

describe('the look-up', () => {
  test('is dns_failed if it hangs until the time for opening is over', async () => {
    const resolve: Resolve = () => new Promise(() => undefined)
    const answer = await bench.send('/ok', { connectMs: 200 }, bench.client({ resolve }))
    expect(answer).toMatchObject({ error: 'dns_failed', timings: { connectMs: null } })
  })

  test('is a failure to retry if it finds nothing, not a verdict on the address', async () => {
    const answer = await bench.send('/ok', {}, bench.client({ resolve: async () => [] }))
    expect(errorOf(answer)).toBe('dns_failed')
  })

  test('is repeated at every connection: a name that moves to a private address is refused', async () => {
    const answers = [[LOOPBACK], ['10.0.0.7']]
    const client = bench.client({ resolve: async () => answers.shift() ?? [] })
    expect(await bench.send('/ok', {}, client)).toMatchObject({ kind: 'answer' })
    await bench.receiver.close()
    const answer = await bench.send('/ok', {}, client)
    expect(errorOf(answer)).toBe('address_refused')
    // Merchants do not see which address it was.
    expect(JSON.stringify(answer)).not.toContain('10.0.0.7')
  })

  test('refuses the call if it returns a good and a bad address', async () => {
    const resolve: Resolve = async () => [LOOPBACK, '169.254.169.254']
    expect(errorOf(await bench.send('/ok', {}, bench.client({ resolve })))).toBe('address_refused')
    expect(bench.receiver.connections).toBe(0)
  })
})

describe('a URL', () => {
  const nobody: Resolve = async () => {
    throw new Error('no look-up expected')
  }

  test.each(
    '127.0.0.1 0x7f.1 2130706433 0177.0.0.1 127.1 127.0.0.1. \uff11\uff12\uff17.0.0.1'.split(' '),
  )('with a refused literal in any spelling is refused without a look-up: %s', async (host) => {
    const client = bench.client({ resolve: nobody, isAllowedAddress: () => false })
    const url = `https://${host}/`
    expect(errorOf(await bench.send('/ok', { url }, client))).toBe('address_refused')
  })

  test.each([
    'http://receiver.example/',
    'https://user:pass@receiver.example/',
    'https://localhost/',
    'https://[::1]/',
    'https://[2606:4700:4700::1111]/',
    'https://printer.local/',
    'https://metadata.google.internal./',
    'https://receiver.example:22/',
    'receiver.example',
    '',
  ])('is refused without a look-up if it is no public HTTPS URL: %s', async (url) => {
    const client = bench.client({ resolve: nobody, isAllowedAddress: () => true })
    expect(errorOf(await bench.send('/ok', { url }, client))).toBe('url_refused')
  })

  test('with a root dot is called without it', async () => {
    const url = bench.receiver.url('/ok', 'receiver.example.')
    expect(await bench.send('/ok', { url })).toMatchObject({ kind: 'answer', status: 200 })
    expect(bench.receiver.requests[0]?.headers['host']).not.toContain('example.:')
  })
})

test('proxies of the environment are not used', async () => {
  let connections = 0
  const proxy = await listen(() => connections++)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  expect(await bench.send('/ok')).toMatchObject({ kind: 'answer' })
  expect(connections).toBe(0)
})
