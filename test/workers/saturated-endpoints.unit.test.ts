import { expect, test } from 'vitest'
import { createSaturatedEndpoints } from '../../src/workers/saturated-endpoints.ts'

const attempted = { endpointId: 'endpoint', accountId: 'account' }

function counted() {
  let woken = 0
  const places = createSaturatedEndpoints(() => (woken += 1))
  return { places, woken: () => woken }
}

test('the end of an attempt notifies the claim of rows that wait for its endpoint or account, no other', () => {
  for (const waits of ['endpoint', 'account', 'other']) {
    const { places, woken } = counted()
    places.looks(true)
    places.found([waits])
    places.begin(attempted)
    places.end(attempted)
    expect(woken()).toBe(waits === 'other' ? 0 : 1)
  }
})

test('an attempt that ends during a claim notifies it again when the claim found its slot taken', () => {
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

test('a claim that reads all waiting rows forgets those that waited before', () => {
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
