import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressLedTo, isPublicAddress } from '../../../src/rules/addresses/public-address.ts'

const LEADING = [
  '64:ff9b::10.0.0.1',
  '2a01:4f8:1:1:0:5efe:7f00:1',
  '2a01:4f8:1:1:200:5efe:10.0.0.1',
]
test.each(LEADING)('a translation that leads to one that is not public is refused: %s', (address) =>
  expect(isPublicAddress(address)).toBe(false),
)

test.each([
  ['64:ff9b::8.8.4.4', '8.8.4.4'],
  ['2a01:4f8:1:1:0:5efe:c0a8:102', '192.168.1.2'],
  ['2606:4700:4700::1111', '2606:4700:4700::1111'],
  ['8.8.8.8', '8.8.8.8'],
])('%s leads to %s', (address, target) => expect(addressLedTo(address)).toBe(target))

test.each(
  `1.1.1.1 172.32.0.0 100.128.0.0 2606:4700:4700::1111 2606:4700:4700:0:0:0:0:1111
  2001:200::1 64:ff9b::808:808 64:ff9b::8.8.8.8 2a01:4f8:1:1:0:5efe:808:808`.split(/\s+/),
)('a public address may be called: %s', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  '',
  ' 8.8.8.8',
  '8.8.8.8\n',
  ...`8.8.8 8.8.8.8. 8.8.8.08 010.8.8.8 0x8.8.8.8 134744072 ٨.8.8.8 8.8.8.256
  [2606:4700:4700::1111] 2606:4700:4700::1111%eth0 2606:4700::4700::1111
  2606:4700:4700:1:2:3:4:5:6 2606:4700:4700:1:2:3:4 2606:4700:4700::1.2.3 26066::1 : :::
  example.com`.split(/\s+/),
])('only a canonical literal can be public: %j', (text) =>
  expect(isPublicAddress(text)).toBe(false),
)

test('no text throws, and a mapped or compatible form of any IPv4 address is refused', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === 'boolean'))
  fc.assert(
    fc.property(fc.ipV4(), (ipv4) => {
      expect(isPublicAddress(`::ffff:${ipv4}`)).toBe(false)
      expect(isPublicAddress(`::${ipv4}`)).toBe(false)
      expect(isPublicAddress(`64:ff9b::${ipv4}`)).toBe(isPublicAddress(ipv4))
    }),
  )
})

describe('a refused range ends where it should: the addresses next to it may be called', () => {
  test.each([
    ['0.0.0.0', '0.255.255.255', [null, '1.0.0.0']],
    ['10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
    ['100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
    ['127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
    ['169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
    ['172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
    ['192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
    ['192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
    ['192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
    ['192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
    ['198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
    ['198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
    ['203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
    ['224.0.0.0', '239.255.255.255', ['223.255.255.255', null]],
    ['240.0.0.0', '255.255.255.255', [null, null]],
    ['168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', ['2000:ffff::', '2001:200::']],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:db7:ffff::', '2001:db9::']],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:ffff::', '2003::']],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', ['3ffe:ffff::', '3fff:1000::']],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['3fff:ffff::', null]],
    ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', [null, '2000::']],
  ])('%s to %s', (first, last, beside) => {
    expect([first, isPublicAddress(first)]).toEqual([first, false])
    expect([last, isPublicAddress(last)]).toEqual([last, false])
    for (const address of beside) {
      if (address !== null) expect([address, isPublicAddress(address)]).toEqual([address, true])
    }
  })

  const NO_NAT64 = ['64:ff9b:1::8.8.8.8', '64:ff9b:0:1::8.8.8.8', '64:ff9b:0:0:1::8.8.8.8']
  test.each(NO_NAT64)('no other prefix of NAT64 leads to internal addresses: %s', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  )
  test.each(
    `64:ff9b::1:808:808 64:ff9a::8.8.8.8 65:ff9b::8.8.8.8 64:ff9b:8000::808:808
    64:ff9b:1::5efe:808:808 64:ff9b::5efe:808:808 fd00::5efe:808:808`.split(/\s+/),
  )('no similar prefix does either: %s', (address) => expect(isPublicAddress(address)).toBe(false))
  const NO_ISATAP = ['2a01:4f8:1:1:1:5efe:10.0.0.1', '2a01:4f8:1:1:0:5eff:10.0.0.1']
  test.each(NO_ISATAP)('an address that is no ISATAP one is checked as it is: %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})
