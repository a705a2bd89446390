import { describe, expect, test } from 'vitest'
import { readIpv4, readIpv6 } from '../../../src/rules/addresses/ip-address.ts'

describe('An IPv4 literal', () => {
  test.each([
    ['0.0.0.0', 0],
    ['1.2.3.4', 0x01020304],
    ['192.0.2.33', 0xc0000221],
    ['255.255.255.255', 0xffffffff],
    ['10.0.100.9', 0x0a006409],
  ])('%s is a number', (text, address) => expect(readIpv4(text)).toBe(address))

  test.each([
    '',
    '1.2.3.4 ',
    ...`1.2.3 1.2.3. .1.2.3 1..2.3 1.2.3.4. 1.2.3.4.5 256.1.1.1 1.1.1.256 01.2.3.4 1.2.3.04
    00.0.0.0 1.2.3.a 1.2.3./ 1.2.3.: 1.2.3.-4`.split(/\s+/),
  ])('%j is none', (text) => expect(readIpv4(text)).toBe(null))
})

describe('An IPv6 literal', () => {
  test.each([
    ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
    ['::1', [0, 0, 0, 0, 0, 0, 0, 1]],
    ['1::', [1, 0, 0, 0, 0, 0, 0, 0]],
    ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['1:2:3::FFff', [1, 2, 3, 0, 0, 0, 0, 0xffff]],
    ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0]],
    ['64:ff9b::192.0.2.33', [0x64, 0xff9b, 0, 0, 0, 0, 0xc000, 0x0221]],
    ['1:2:3:4:5:6:255.255.255.255', [1, 2, 3, 4, 5, 6, 0xffff, 0xffff]],
  ])('%s has eight groups', (text, groups) => expect(readIpv6(text)).toEqual(groups))

  test.each([
    '',
    ...`: ::: 1: :1 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 12345:: g:: 1:2:3:4:5:6:7:8::
    ::1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:1.2.3.4 1.2.3.4 1.2.3.4:: 2a01:1.1.1.1::1
    1:1.2.3.4:4:5:6:7:8 ::1.2.3 ::1%eth0 [::1]`.split(/\s+/),
  ])('%j is none', (text) => expect(readIpv6(text)).toBe(null))
})
