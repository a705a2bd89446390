import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createCidrList } from '../../src/core/cidr.ts'
import { createClientAddress } from '../../src/http/client-address.ts'

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

const direct = createClientAddress(createCidrList([]))
const proxied = createClientAddress(createCidrList(['10.0.0.0/8', '2001:db8:ffff::/48']))

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('a client at %s is counted as %s', (remoteAddress, counted) => {
  expect(direct(request(remoteAddress))).toBe(counted)
})

test('X-Forwarded-For is not believed when the peer is no trusted proxy', () => {
  expect(direct(request('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9')
  expect(proxied(request('203.0.113.9', '198.51.100.1'))).toBe('203.0.113.9')
})

test.each([
  ['one proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['two proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['what the client wrote itself', '10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['with ports', '::ffff:10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6', '2001:db8:ffff::1', '[2001:db8:1:2:3::4]:443', '2001:db8:1:2::/64'],
  ['no header', '10.0.0.1', undefined, '10.0.0.1'],
  ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
])(
  'behind trusted proxies the client is the first untrusted address: %s',
  (_, peer, header, client) => {
    expect(proxied(request(peer, header))).toBe(client)
  },
)
