import { describe, expect, test } from 'vitest'
import { DELIVERY_ENGINE } from '../../../src/core/limits/deliveries.ts'
import type { DeliveryOutcome } from '../../../src/rules/deliveries/delivery-outcome.ts'
import {
  HEALTHY,
  evaluateEndpoint,
  slotsAfter,
  type EndpointHealth,
  type HealthVerdict,
} from '../../../src/rules/deliveries/endpoint-health.ts'

const START = Date.parse('2026-10-01T00:00:00Z')
const HOUR = 3_600_000

/** Applies the rule to outcomes at these hours after the start, until one switches the endpoint off. */
function run(attempts: [number, DeliveryOutcome, 'test'?][], health: EndpointHealth = HEALTHY) {
  const warnings: number[] = []
  let verdict: HealthVerdict = { after: health, switchOff: null, isWarningDue: false }
  for (const [hours, outcome, kind] of attempts) {
    const at = new Date(START + hours * HOUR)
    verdict = evaluateEndpoint(verdict.after, { outcome, isTest: kind === 'test', at })
    if (verdict.isWarningDue) warnings.push(hours)
    if (verdict.switchOff) break
  }
  return { ...verdict, warnings }
}

const failures = (count: number, hours = 0): [number, DeliveryOutcome][] =>
  Array.from({ length: count }, () => [hours, 'failed'])
/** A failure at each of these hours. */
const failedAt = (...hours: number[]) => hours.flatMap((hour) => failures(1, hour))

describe('an endpoint is switched off', () => {
  test('after 100 failures in a row, not after 99', () => {
    expect(run(failures(99)).switchOff).toBeNull()
    expect(run(failures(100)).switchOff).toBe('failures_in_row')
  })

  test('never after a success in between', () => {
    const { switchOff, after } = run([...failures(99), [0, 'delivered'], ...failures(99)])
    expect(switchOff).toBeNull()
    expect(after.failuresInRow).toBe(99)
  })

  test('by a failed attempt 72 hours after the first failure since the last success', () => {
    expect(run(failedAt(0, 71.999)).switchOff).toBeNull()
    expect(run(failedAt(0, 72)).switchOff).toBe('failing_for_days')
    expect(run([...failedAt(0), [1, 'delivered'], ...failedAt(2, 73)]).switchOff).toBeNull()
  })

  test('immediately by a 410', () => {
    const { switchOff, after } = run([[0, 'gone']])
    expect(switchOff).toBe('gone')
    expect(after.failuresInRow).toBe(1)
  })

  test('never by a test, whose success does not help either', () => {
    expect(run([...failures(99), [0, 'failed', 'test'], [0, 'gone', 'test']]).switchOff).toBeNull()
    expect(run([...failures(99), [0, 'delivered', 'test'], [0, 'failed']]).switchOff).toBe(
      'failures_in_row',
    )
  })
})

describe('a warning goes out', () => {
  test('once, at 50 failures in a row or at 24 hours of failing', () => {
    expect(run(failures(49)).warnings).toEqual([])
    expect(run(failures(50)).warnings).toEqual([0])
    expect(run(failures(99)).warnings).toEqual([0])
    expect(run(failedAt(0, 23, 24, 30)).warnings).toEqual([24])
  })

  test('again in the next row of failures', () => {
    const { warnings } = run([...failures(60), [1, 'delivered'], ...failures(60, 2)])
    expect(warnings).toEqual([0, 2])
  })

  test('never together with the switch-off', () => {
    const both = run(failedAt(0, 80))
    expect(both).toMatchObject({ switchOff: 'failing_for_days', warnings: [] })
  })
})

describe('How many attempts may be in flight at an endpoint', () => {
  const max = DELIVERY_ENGINE.inFlightPerEndpoint
  const row = DELIVERY_ENGINE.oneSlotAfterFailuresInRow
  test('is one while it keeps failing, and not before', () => {
    expect(slotsAfter(max, { outcome: 'failed', isTest: false }, row - 1)).toBe(max)
    expect(slotsAfter(max, { outcome: 'failed', isTest: false }, row)).toBe(1)
    expect(slotsAfter(max, { outcome: 'gone', isTest: false }, row + 1)).toBe(1)
  })

  test('doubles with each success until all slots are back', () => {
    const success = { outcome: 'delivered', isTest: false } as const
    expect(slotsAfter(1, success, 0)).toBe(2)
    expect(slotsAfter(2, success, 0)).toBe(4)
    expect(slotsAfter(max - 1, success, 0)).toBe(max)
    expect(slotsAfter(max, success, 0)).toBe(max)
  })

  test('is unchanged by a test', () => {
    expect(slotsAfter(1, { outcome: 'delivered', isTest: true }, 0)).toBe(1)
    expect(slotsAfter(max, { outcome: 'failed', isTest: true }, row)).toBe(max)
  })
})
