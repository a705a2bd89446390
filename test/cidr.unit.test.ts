import { describe, expect, test } from 'vitest'
import { createCidrList, isCidr } from '../src/core/cidr.ts'

describe('a CIDR range', () => {
  test.each(['10.0.0.0/8', '127.0.0.1/32', '0.0.0.0/0', '::1/128', 'fd00::/8', '::/0'])(
    'is %s',
    (text) => expect(isCidr(text)).toBe(true),
  )

  test.each([
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0/8',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/ 8',
    'localhost/8',
    '10.0.0.0/',
  ])('is not %j', (text) => expect(isCidr(text)).toBe(false))
})

describe('a list of ranges', () => {
  const list = createCidrList(['10.1.0.0/16', '127.0.0.1/32', 'fd00::/8'])

  test.each(['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd12::1'])('has %s', (address) => {
    expect(list.has(address)).toBe(true)
  })

  test.each([
    '10.2.0.0',
    '127.0.0.2',
    'fe80::1',
    '::1',
    // Written as IPv6, an address is judged as such: no range of IPv4 covers it.
    '::a01:1',
    'example.com',
    '',
    '10.1.0.0/16',
  ])('does not have %j', (address) => expect(list.has(address)).toBe(false))

  test('without ranges has nothing, and refuses what is no range', () => {
    expect(createCidrList([]).has('127.0.0.1')).toBe(false)
    expect(() => createCidrList(['10.0.0.1'])).toThrow('10.0.0.1')
  })
})
