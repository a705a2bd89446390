import fc from 'fast-check'
import { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { describe, expect, test, vi } from 'vitest'
import { guardedAddresses } from '../../src/outbound/guarded-addresses.ts'
import { connectPinned } from '../../src/outbound/open-socket.ts'
import { isPublicAddress } from '../../src/rules/addresses/public-address.ts'
import { outboundBench, LOOPBACK } from './support/outbound-bench.ts'
import { createReceiver, reply } from './support/receiver.ts'
import { createCertificate } from './support/certificates.ts'
import { systemTest } from '../support/system-tests.ts'

// Hundreds of connections take their time where the machine is shared.
vi.setConfig({ testTimeout: 90_000 })

const bench = outboundBench({ '/ok': reply('200 OK') })

/** The one address that is allowed below; the receiver of the bench listens on the forbidden one. */
const ALLOWED = '127.0.0.9'

const address = fc.oneof(
  { weight: 4, arbitrary: fc.constant(ALLOWED) },
  fc.constantFrom(
    LOOPBACK,
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0.0.0.0',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    'localhost',
    '[::1]',
    'fe80::1%lo',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::127.0.0.1',
    '100.64.0.1',
    'fd00::1',
    '10.0.0.1',
    '169.254.169.254',
    '127.0.0.9 ',
    '',
  ),
  fc.ipV4().filter((text) => text !== ALLOWED),
  fc.ipV6(),
  fc.string(),
)

test('whatever the resolver answers, no connection is opened to an address that is not allowed', async () => {
  const pair = await createCertificate(['receiver.example'], { authority: bench.authority })
  const allowed = await createReceiver(pair, { '/ok': reply('200 OK') }, ALLOWED)
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(address, { maxLength: 6 }), async (addresses) => {
        const client = bench.client({
          resolve: async () => addresses,
          isAllowedAddress: (text) => text === ALLOWED,
        })
        const isFine = addresses.length > 0 && addresses.every((text) => text === ALLOWED)
        // Where only the allowed server listens, and where only the forbidden one does.
        for (const { port } of [allowed, bench.receiver]) {
          const url = `https://receiver.example:${port}/ok`
          const answer = await client.send(bench.request('/ok', { url, deadlineMs: 10_000 }))
          const isReached = isFine && port === allowed.port
          expect(answer.kind).toBe(isReached ? 'answer' : 'error')
        }
        client.close()
      }),
      { numRuns: 150 },
    )
    expect(bench.receiver.connections).toBe(0)
  } finally {
    await allowed.close()
  }
})

/** Every address that a socket of this process begins to connect to while `work` runs. */
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

/** What names lead to, one look-up after the other, over a client that keeps its connections. */
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

systemTest(
  'however its answers change over time, only allowed addresses are ever tried',
  async () => {
    const pair = await createCertificate(['*.receiver.example'], { authority: bench.authority })
    const allowed = await createReceiver(pair, { '/ok': reply('200 OK') }, ALLOWED)
    try {
      const attempted = await attemptedDuring(() =>
        fc.assert(
          fc.asyncProperty(overTime, async (steps) => {
            let addresses: string[] = []
            const client = bench.client({
              resolve: async () => addresses,
              isAllowedAddress: (text) => text === ALLOWED,
            })
            const underWay: Promise<unknown>[] = []
            for (const step of steps) {
              addresses = step.addresses
              const url = `https://${step.host}.receiver.example:${allowed.port}/ok`
              const sent = client.send(bench.request('/ok', { url, deadlineMs: 10_000 }))
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
    } finally {
      await allowed.close()
    }
  },
)

test('by the rule that is in force, nothing that is not public is ever tried, whatever stands beside it', async () => {
  const notPublic = address.filter((text) => !isPublicAddress(text))
  const attempted = await attemptedDuring(() =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.ipV4(), { maxLength: 3 }),
        notPublic,
        fc.array(fc.ipV6(), { maxLength: 2 }),
        async (before, one, behind) => {
          const addresses = [...before, one, ...behind]
          const client = bench.client({
            resolve: async () => addresses,
            isAllowedAddress: isPublicAddress,
          })
          const answer = await client.send(bench.request('/ok'))
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

describe('a connection that led elsewhere', () => {
  test('is dropped before a byte is written', async () => {
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
})

describe('the addresses of a host, as they are judged when its URL is saved', () => {
  const signal = new AbortController().signal
  const isAllowedAddress = (text: string) => text.startsWith('93.')

  test('are all of them when all are allowed', async () => {
    const resolve = async () => ['93.184.216.34', '93.184.216.35']
    const found = await guardedAddresses('shop.example', { resolve, isAllowedAddress, signal })
    expect(found).toEqual(['93.184.216.34', '93.184.216.35'])
  })

  const many = Array.from({ length: 32 }, (_, i) => `93.184.216.${i}`)

  test.each([
    ['behind another', ['93.184.216.34', '10.0.0.1']],
    ['behind all that are used', [...many, '10.0.0.1']],
  ])('one refused address %s refuses the host: the answer is not filtered', async (_, found) => {
    const resolve = async () => found
    await expect(
      guardedAddresses('shop.example', { resolve, isAllowedAddress, signal }),
    ).rejects.toMatchObject({ code: 'address_refused' })
  })

  test('are at most the first 32', async () => {
    const resolve = async () => [...many, '93.184.217.1']
    const found = await guardedAddresses('shop.example', { resolve, isAllowedAddress, signal })
    expect(found).toEqual(many)
  })
})
