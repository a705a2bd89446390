import { expect, test } from 'vitest'
import { createPoolShare } from '../../src/http/pool-share.ts'

test.each([
  ['a /56 holds half as much again as one of its networks', '2001:db8:1:2', 6],
  ['a /48 holds twice as much', '2001:db8:1:200', 8],
])('%s', (_, network, max) => {
  const share = createPoolShare(4)
  for (let n = 0; n < 4; n += 1) share.add('2001:db8:1:1::/64', 1)
  expect(share.hasRoom('2001:db8:1:1::/64', 1)).toBe(false)
  for (let n = 4; n < max; n += 1) {
    // Two households share the rest of the /48, so that neither reaches its limit alone.
    const from = n % 2 === 0 ? `${network}::/64` : `${network.slice(0, -1)}f::/64`
    expect(share.hasRoom(from, 1)).toBe(true)
    share.add(from, 1)
  }
  expect(share.hasRoom(`${network}::/64`, 1)).toBe(false)
  expect(share.hasRoom('2001:db8:2:1::/64', 4)).toBe(true)
  share.add('2001:db8:1:1::/64', -1)
  expect(share.hasRoom(`${network}::/64`, 1)).toBe(true)
})

test('an IPv4 address counts alone, and a released share is free', () => {
  const share = createPoolShare(1)
  share.add('203.0.113.7', 1)
  expect(share.hasRoom('203.0.113.7', 1)).toBe(false)
  expect(share.hasRoom('203.0.113.8', 1)).toBe(true)
  share.add('203.0.113.7', -1)
  expect(share.hasRoom('203.0.113.7', 1)).toBe(true)
})
