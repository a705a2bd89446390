import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('every address that is not public is refused', () => {
  test.each([
    ['this network', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['loopback', '127.0.0.1'],
    ['link-local, the metadata address included', '169.254.169.254'],
    ['documentation', '203.0.113.9'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '239.255.255.255'],
    ['reserved', '255.255.255.255'],
    ["Azure's host agent", '168.63.129.16'],
    ['loopback', '::1'],
    ['unique-local', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['IPv4-mapped', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::8.8.8.8'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['6to4', '2002:808:808::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff:fff::1'],
    ['unallocated', '4000::1'],
    ['local NAT64', '64:ff9b:1::808:808'],
  ])('%s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false))

  test.each(['64:ff9b::10.0.0.1', '2a01:4f8:1:1:0:5efe:7f00:1', '2a01:4f8:1:1:200:5efe:10.0.0.1'])(
    'a translation that leads to one: %s',
    (address) => expect(isPublicAddress(address)).toBe(false),
  )
})

test.each([
  '1.1.1.1',
  '172.32.0.0',
  '100.128.0.0',
  '2606:4700:4700::1111',
  '2606:4700:4700:0:0:0:0:1111',
  '2001:200::1',
  '64:ff9b::808:808',
  '64:ff9b::8.8.8.8',
  '2a01:4f8:1:1:0:5efe:808:808',
])('a public address may be called: %s', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  '',
  '8.8.8',
  '8.8.8.8.',
  '8.8.8.08',
  '010.8.8.8',
  '0x8.8.8.8',
  '134744072',
  ' 8.8.8.8',
  '8.8.8.8\n',
  '٨.8.8.8',
  '8.8.8.256',
  '[2606:4700:4700::1111]',
  '2606:4700:4700::1111%eth0',
  '2606:4700::4700::1111',
  '2606:4700:4700:1:2:3:4:5:6',
  '2606:4700:4700:1:2:3:4',
  '2606:4700:4700::1.2.3',
  '26066::1',
  ':',
  ':::',
  'example.com',
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
