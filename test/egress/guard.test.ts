import fc from 'fast-check'
import { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { guardedAddresses } from '../../src/infra/egress/guarded-addresses.ts'
import { connectPinned } from '../../src/infra/egress/open-socket.ts'
import type { Resolve } from '../../src/infra/egress/resolve.ts'
import { isPublicAddress } from '../../src/rules/addresses/public-address.ts'
import { outboundBench, LOOPBACK } from './support/outbound-bench.ts'
import { createReceiver, reply } from './support/receiver.ts'
import { createCertificate } from './support/certificates.ts'
import { systemTest } from '../support/system-tests.ts'

// Hundreds of connections take long where the machine is shared.
vi.setConfig({ testTimeout: 90_000 })

const bench = outboundBench({ '/ok': reply('200 OK') })

/** The one address that is allowed below; the receiver of the bench listens on the forbidden one. */
const ALLOWED = '127.0.0.9'

const address = fc.oneof(
  { weight: 4, arbitrary: fc.constant(ALLOWED) },
  fc.constantFrom(
    LOOPBACK,
    '127.0.0.9 ',
    '',
    ...'::1 ::ffff:127.0.0.1 ::ffff:7f00:1 0.0.0.0 127.1 2130706433 0x7f000001'.split(' '),
    ...'0177.0.0.1 127.0.0.1. localhost [::1] fe80::1%lo 64:ff9b::7f00:1'.split(' '),
    ...'2002:7f00:1:: ::127.0.0.1 100.64.0.1 fd00::1 10.0.0.1 169.254.169.254'.split(' '),
  ),
  fc.ipV4().filter((text) => text !== ALLOWED),
  fc.ipV6(),
  fc.string(),
)

/** Starts a server at the allowed address, and a client that may reach no other. */
async function startAllowed() {
  const names = ['receiver.example', '*.receiver.example']
  const pair = await createCertificate(names, { authority: bench.authority })
  const allowed = await createReceiver(pair, { '/ok': reply('200 OK') }, ALLOWED)
  onTestFinished(allowed.close)
  const clientFor = (resolve: Resolve) =>
    bench.client({ resolve, isAllowedAddress: (text) => text === ALLOWED })
  return { allowed, clientFor }
}

test('no connection is opened to a forbidden address, whatever the resolver answers', async () => {
  const { allowed, clientFor } = await startAllowed()
  await fc.assert(
    fc.asyncProperty(fc.array(address, { maxLength: 6 }), async (addresses) => {
      const client = clientFor(async () => addresses)
      const isFine = addresses.length > 0 && addresses.every((text) => text === ALLOWED)
      // Only the allowed server listens at the first port, and only the forbidden one at the second.
      for (const { port } of [allowed, bench.receiver]) {
        const url = `https://receiver.example:${port}/ok`
        const answer = await bench.send('/ok', { url, deadlineMs: 10_000 }, client)
        const isReached = isFine && port === allowed.port
        expect(answer.kind).toBe(isReached ? 'answer' : 'error')
      }
      client.close()
    }),
    { numRuns: 150 },
  )
  expect(bench.receiver.connections).toBe(0)
})

/** Returns every address that a socket of this process begins to connect to while `work` runs. */
async function attemptedDuring(work: () => Promise<void>): Promise<string[]> {
  const attempted: string[] = []
  const connect = Socket.prototype.connect
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    this.on('connectionAttempt', (ip: string) => attempted.push(ip))
    return Reflect.apply(connect, this, given) as Socket
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return attempted
}

/** Answers to look-ups of names, one after the other, over a client that keeps its connections. */
const overTime = fc.array(
  fc.record({
    host: fc.constantFrom('a', 'b'),
    addresses: fc.oneof(
      fc.constant<string[]>([ALLOWED]),
      fc.array(address, { maxLength: 5 }),
      fc.array(address, { minLength: 1, maxLength: 4 }).map((some) => [ALLOWED, ...some]),
    ),
    isAlone: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
)

systemTest('only allowed addresses are tried, however answers change', async () => {
  const { allowed, clientFor } = await startAllowed()
  const attempted = await attemptedDuring(() =>
    fc.assert(
      fc.asyncProperty(overTime, async (steps) => {
        let addresses: string[] = []
        const client = clientFor(async () => addresses)
        const underWay: Promise<unknown>[] = []
        for (const step of steps) {
          addresses = step.addresses
          const url = `https://${step.host}.receiver.example:${allowed.port}/ok`
          const sent = bench.send('/ok', { url, deadlineMs: 10_000 }, client)
          if (step.isAlone) await sent
          else underWay.push(sent)
        }
        await Promise.all(underWay)
        client.close()
      }),
      { numRuns: 60 },
    ),
  )
  expect(attempted.length).toBeGreaterThan(20)
  expect(new Set(attempted)).toEqual(new Set([ALLOWED]))
})

test('the real rule never lets an address be tried that is not public, whatever else a name has', async () => {
  const notPublic = address.filter((text) => !isPublicAddress(text))
  const attempted = await attemptedDuring(() =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.ipV4(), { maxLength: 3 }),
        notPublic,
        fc.array(fc.ipV6(), { maxLength: 2 }),
        async (before, one, behind) => {
          const addresses = [...before, one, ...behind]
          const resolve = async () => addresses
          const client = bench.client({ resolve, isAllowedAddress: isPublicAddress })
          const answer = await bench.send('/ok', {}, client)
          expect(answer).toMatchObject({ kind: 'error', error: 'address_refused' })
          client.close()
        },
      ),
      { numRuns: 150 },
    ),
  )
  expect(attempted).toEqual([])
  expect(bench.receiver.connections).toBe(0)
})

test('a connection that led elsewhere is dropped before a byte is written', async () => {
  const connecting = connectPinned({
    hostname: LOOPBACK,
    port: bench.receiver.port,
    addresses: [ALLOWED],
    secureContext: createSecureContext({ ca: bench.authority.cert }),
    signal: new AbortController().signal,
    onTcp: () => undefined,
  })
  await expect(connecting).rejects.toMatchObject({ code: 'address_refused' })
  expect(bench.receiver.requests).toHaveLength(0)
})

describe('the addresses of a host, as they are checked when its URL is saved', () => {
  const many = Array.from({ length: 32 }, (_, i) => `93.184.216.${i}`)
  const judge = (found: string[]) =>
    guardedAddresses('shop.example', {
      resolve: async () => found,
      isAllowedAddress: (text) => text.startsWith('93.'),
      signal: new AbortController().signal,
    })

  test('are all of them when all are allowed, but at most the first 32', async () => {
    expect(await judge(['93.184.216.34', '93.184.216.35'])).toEqual([
      '93.184.216.34',
      '93.184.216.35',
    ])
    expect(await judge([...many, '93.184.217.1'])).toEqual(many)
  })

  test.each([
    ['behind another', ['93.184.216.34', '10.0.0.1']],
    ['behind all that are used', [...many, '10.0.0.1']],
  ])('one refused address %s refuses the host: the answer is not filtered', async (_, found) => {
    await expect(judge(found)).rejects.toMatchObject({ code: 'address_refused' })
  })
})
