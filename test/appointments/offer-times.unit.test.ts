import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import type { SlotInputs } from '../../src/rules/appointments/slots.ts'
import { WEEKDAYS } from '../../src/rules/flows/opening-hours.ts'
import { offerTimes } from '../../src/modules/appointments/offer-times.ts'

const NOW = new Date('2026-11-21T09:00:00Z')
const range = (days: number) => ({ from: NOW, to: new Date(NOW.getTime() + days * DAY_MS) })

/** Returns the inputs of a service of 50 people who are there all day. */
function factsOf(more: Partial<SlotInputs> = {}): SlotInputs {
  const resources = Array.from({ length: 50 }, (_, n) => ({
    id: `person ${n}`,
    kind: 'person' as const,
    role: 'person',
    zone: 'Asia/Riyadh',
    openings: WEEKDAYS.map((weekday) => ({ weekday, fromMin: n, toMin: 1_200 })),
    busy: [],
  }))
  const service = { minutes: 30, beforeMin: 0, afterMin: 0, stepMin: 5 }
  const page = { zone: 'Asia/Riyadh', minNoticeMin: 0, maxDays: 60 }
  return { service, resources, changes: [], page, now: NOW, ...more }
}

/** Runs the work, and counts the turns of the event loop that pass meanwhile. */
async function turnsWhile<Value>(work: () => Promise<Value>): Promise<[Value, number]> {
  let [turns, isOver] = [0, false]
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const value = await work()
  isOver = true
  return [value, turns]
}

test('each day of a long list takes a turn of the event loop, and unchanged days are not computed again', async () => {
  const [starts, turns] = await turnsWhile(() => offerTimes(factsOf(), range(31)))
  expect(starts.length).toBeGreaterThan(31 * 1_000)
  expect(turns).toBeGreaterThanOrEqual(31)
  const later = new Date(NOW.getTime() + 10 * MINUTE_MS)
  const [again, few] = await turnsWhile(() => offerTimes(factsOf({ now: later }), range(31)))
  expect(few).toBeLessThanOrEqual(1)
  // Times that have passed meanwhile are no longer offered.
  expect(again).toEqual(starts.filter((start) => start >= later))
})

test.each<[string, (facts: SlotInputs) => SlotInputs]>([
  ['a person is booked', (facts) => withFirst(facts, { busy: [range(1)] })],
  ['a person has other hours', (facts) => withFirst(facts, { openings: [] })],
  [
    'the service takes longer',
    (facts) => ({ ...facts, service: { ...facts.service, minutes: 60 } }),
  ],
  ['more notice is required', (facts) => ({ ...facts, page: { ...facts.page, minNoticeMin: 60 } })],
  ['the page offers fewer days', (facts) => ({ ...facts, page: { ...facts.page, maxDays: 0 } })],
])('the offered times change as soon as %s', async (_, change) => {
  const [one] = factsOf().resources
  const facts = factsOf({ resources: [one!] })
  const before = await offerTimes(facts, range(2))
  const after = await offerTimes(change(facts), range(2))
  expect(after.length).toBeLessThan(before.length)
})

function withFirst(facts: SlotInputs, more: Partial<SlotInputs['resources'][number]>): SlotInputs {
  return { ...facts, resources: [{ ...facts.resources[0]!, ...more }] }
}
