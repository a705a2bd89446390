import { expect, test } from 'vitest'
import { createSaturatedEndpoints } from '../../src/workers/saturated-endpoints.ts'

const attempted = { endpointId: 'endpoint', accountId: 'account' }

function counted() {
  let woken = 0
  const places = createSaturatedEndpoints(() => (woken += 1))
  return { places, woken: () => woken }
}

test('the end of an attempt wakes the claim of what waits for its endpoint or account, and of nothing else', () => {
  for (const waits of ['endpoint', 'account', 'other']) {
    const { places, woken } = counted()
    places.looks(true)
    places.found([waits])
    places.begin(attempted)
    places.end(attempted)
    expect(woken()).toBe(waits === 'other' ? 0 : 1)
  }
})

test('one that ends while a claim looks wakes it again where the claim has found its place taken', () => {
  const { places, woken } = counted()
  places.begin(attempted)
  places.looks(true)
  places.end(attempted)
  expect(woken()).toBe(0)
  places.found(['endpoint'])
  expect(woken()).toBe(1)
  places.looks(true)
  places.found(['endpoint'])
  expect(woken()).toBe(1)
})

test('a claim that looks at all that waits forgets what waited before', () => {
  const { places, woken } = counted()
  places.looks(true)
  places.found(['endpoint'])
  places.looks(false)
  places.found([])
  places.begin(attempted)
  places.looks(true)
  places.found([])
  places.end(attempted)
  expect(woken()).toBe(0)
})
