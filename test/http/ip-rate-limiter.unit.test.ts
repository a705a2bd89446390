import { expect, test } from 'vitest'
import { createAddressLimit } from '../../src/http/ip-rate-limiter.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { systemTest } from '../support/system-tests.ts'

const at = (ms: number) => new Date(Date.parse('2026-11-21T09:00:00Z') + ms)

test('120 requests of one address pass in any 60 seconds, the next is refused', () => {
  const limit = createAddressLimit()
  for (let i = 0; i < 120; i += 1) expect(limit.admit('203.0.113.7', at(i * 100))).toBe(true)
  expect(limit.admit('203.0.113.7', at(12_000))).toBe(false)
  expect(limit.admit('203.0.113.8', at(12_000))).toBe(true)
})

test('the window slides: each request is free again 60 seconds after it was admitted', () => {
  const limit = createAddressLimit()
  for (let i = 0; i < 120; i += 1) limit.admit('a', at(i * 100))
  expect(limit.admit('a', at(59_999))).toBe(false)
  expect(limit.admit('a', at(60_000))).toBe(true)
  expect(limit.admit('a', at(60_050))).toBe(false)
  expect(limit.admit('a', at(60_100))).toBe(true)
})

test('refused requests do not count', () => {
  const limit = createAddressLimit()
  for (let i = 0; i < 120; i += 1) limit.admit('a', at(0))
  for (let i = 0; i < 1_000; i += 1) limit.admit('a', at(30_000))
  expect(limit.admit('a', at(60_000))).toBe(true)
})

test('requests that are taken back did not count; another one of the same moment still does', () => {
  const limit = createAddressLimit(3, 3_600_000)
  for (let i = 0; i < 3; i += 1) limit.admit('a', at(0))
  expect(limit.admit('a', at(3_599_999))).toBe(false)
  limit.takeBack('a', at(0))
  expect(limit.count('a', at(0))).toBe(2)
  expect(limit.admit('a', at(60_000))).toBe(true)
  expect(limit.admit('a', at(60_000))).toBe(false)
  limit.takeBack('a', at(30_000))
  limit.takeBack('nobody', at(30_000))
  expect(limit.count('a', at(60_000))).toBe(3)
  expect(limit.admit('a', at(3_600_000))).toBe(true)
})

/** Returns the bytes that are reachable on the heap. */
function heapInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

systemTest('a flood of 300,000 addresses keeps it bounded', () => {
  const limit = createAddressLimit()
  const before = heapInUse()
  for (let i = 0; i < 300_000; i += 1) limit.admit(`2001:db8:${i.toString(16)}::/64`, at(i / 1_000))
  expect(limit.size()).toBeLessThanOrEqual(100_000)
  expect(heapInUse() - before).toBeLessThan(150_000_000)
})

test('addresses that are silent for two minutes are forgotten', () => {
  const limit = createAddressLimit()
  for (let i = 0; i < 1_000; i += 1) limit.admit(`address ${i}`, at(0))
  limit.admit('the only one', at(60_001))
  limit.admit('the only one', at(120_002))
  expect(limit.size()).toBeLessThanOrEqual(2)
})

test('a clock that is put back by an hour makes no client wait for that hour', () => {
  const limit = createAddressLimit()
  for (let i = 0; i < 120; i += 1) limit.admit('a', at(3_600_000 + i))
  expect(limit.admit('a', at(3_600_200))).toBe(false)
  expect(limit.admit('a', at(0))).toBe(true)
  for (let i = 0; i < 119; i += 1) limit.admit('a', at(i))
  expect(limit.admit('a', at(1_000))).toBe(false)
  expect(limit.admit('a', at(60_000))).toBe(true)
})

test('a clock that is corrected by some seconds allows no additional requests', () => {
  const limit = createAddressLimit()
  for (let i = 0; i < 120; i += 1) limit.admit('a', at(30_000))
  expect(limit.admit('a', at(0))).toBe(false)
  expect(limit.admit('a', at(89_999))).toBe(false)
  expect(limit.admit('a', at(90_000))).toBe(true)
})

test.each([
  // Each row spreads its requests over networks, none of which reaches its limit alone.
  [
    'a /56 has four times the requests of an address',
    4,
    (n: number) => `2001:db8:1:${n.toString(16)}::/64`,
  ],
  ['a /48 sixteen times', 16, (n: number) => `2001:db8:1:${(n * 0x100).toString(16)}::/64`],
])('%s, from whichever of its networks', (_, shares, network) => {
  const limit = createAddressLimit(10)
  for (let n = 0; n < shares * 10; n += 1) expect(limit.admit(network(n), at(n))).toBe(true)
  expect(limit.admit(network(200), at(shares * 10))).toBe(false)
  expect(limit.isFull(network(201), at(shares * 10))).toBe(true)
  expect(limit.admit('2001:db8:2:1::/64', at(shares * 10))).toBe(true)
  limit.takeBack(network(0), at(0))
  expect(limit.admit(network(200), at(shares * 10))).toBe(true)
})
