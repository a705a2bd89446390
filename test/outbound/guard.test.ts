import fc from 'fast-check'
import { createSecureContext } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { guardedAddresses } from '../../src/outbound/guarded-addresses.ts'
import { connectPinned } from '../../src/outbound/open-socket.ts'
import { outboundBench, LOOPBACK } from './support/outbound-bench.ts'
import { createReceiver, reply } from './support/receiver.ts'
import { createCertificate } from './support/certificates.ts'

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
    'localhost',
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
          const answer = await client.send(bench.request('/ok', { url, deadlineMs: 1_000 }))
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

  test('one refused address refuses the host: the answer is not filtered', async () => {
    const resolve = async () => ['93.184.216.34', '10.0.0.1']
    await expect(
      guardedAddresses('shop.example', { resolve, isAllowedAddress, signal }),
    ).rejects.toMatchObject({ code: 'address_refused' })
  })
})
