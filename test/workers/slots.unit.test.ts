import { expect, test } from 'vitest'
import { createSlots, RUN_SLOTS } from '../../src/workers/slots.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'

/** A call that ends when the test says so. */
function callOf(places: ReturnType<typeof createSlots>, accountId: string) {
  let end = () => {}
  const work = new Promise<void>((resolve) => {
    end = resolve
  })
  let isBack = false
  const back = places
    .withoutSlot(accountId, () => work)
    .then(() => {
      isBack = true
    })
  return { end, back, isBack: () => isBack }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('A run that calls releases its slot to another, and takes one again before it goes on', async () => {
  let freed = 0
  const places = createSlots(RUN_SLOTS, () => (freed += 1))
  for (let run = 0; run < RUN_LIMITS.maxConcurrent; run += 1) places.take()
  expect(places.free()).toBe(0)
  const call = callOf(places, 'a')
  expect(places.free()).toBe(1)
  expect(freed).toBe(1)
  places.take()
  call.end()
  await turn()
  expect(call.isBack()).toBe(false)
  places.release()
  await call.back
  expect(places.free()).toBe(0)
  for (let run = 0; run < RUN_LIMITS.maxConcurrent; run += 1) places.release()
  expect(places.free()).toBe(RUN_LIMITS.maxConcurrent)
})

test('A run whose call has ended waits for a slot only for a while: its lease would end', async () => {
  const places = createSlots(RUN_SLOTS, () => {}, 1)
  for (let run = 0; run <= RUN_LIMITS.maxConcurrent; run += 1) places.take()
  const late = callOf(places, 'a')
  late.end()
  await late.back
  expect(places.free()).toBe(0)
  // One run more is at work than there are slots: the next slot goes to no run.
  places.release()
  expect(places.free()).toBe(0)
  for (let run = 0; run < RUN_LIMITS.maxConcurrent; run += 1) places.release()
  expect(places.free()).toBe(RUN_LIMITS.maxConcurrent)
})

test('A call that throws takes a slot again as well', async () => {
  const places = createSlots(RUN_SLOTS, () => {})
  places.take()
  const call = places.withoutSlot('a', () => Promise.reject(new Error('gone')))
  await expect(call).rejects.toThrow('gone')
  expect(places.free()).toBe(RUN_LIMITS.maxConcurrent - 1)
  expect(places.accountsFull()).toEqual([])
})

test('An account with its share of calls in progress is listed, and not after one has ended', async () => {
  const places = createSlots(RUN_SLOTS, () => {})
  const calls = Array.from({ length: RUN_LIMITS.maxConcurrentCallsPerAccount }, () => {
    places.take()
    return callOf(places, 'a')
  })
  places.take()
  const other = callOf(places, 'b')
  expect(places.accountsFull()).toEqual(['a'])
  calls[0]!.end()
  await calls[0]!.back
  expect(places.accountsFull()).toEqual([])
  for (const call of [...calls, other]) call.end()
})

test('No more runs are claimed than the calls of one process leave slots for', async () => {
  const places = createSlots(RUN_SLOTS, () => {})
  const calls = Array.from({ length: RUN_LIMITS.maxConcurrentCalls }, (_, index) => {
    places.take()
    return callOf(places, `account ${index}`)
  })
  expect(places.free()).toBe(0)
  for (const call of calls) call.end()
  await turn()
  expect(places.free()).toBe(0)
  for (let run = 0; run < RUN_LIMITS.maxConcurrentCalls; run += 1) places.release()
  await Promise.all(calls.map(({ back }) => back))
  expect(places.free()).toBe(RUN_LIMITS.maxConcurrent)
})
