import { describe, expect, test } from 'vitest'
import { PLAN_LIMITS } from '../../../src/core/limits/accounts.ts'
import { flowsWithinPlan } from '../../../src/rules/flows/flows-within-plan.ts'

const flow = (id: string, day: number) => ({
  id,
  firstPublishedAt: new Date(Date.UTC(2026, 0, day)),
})

describe('flows beyond the plan’s number', () => {
  test('the longest-published ones stay', () => {
    const flows = [flow('new', 9), flow('old', 1), flow('middle', 5)]
    expect([...flowsWithinPlan(flows, 2)]).toEqual(['old', 'middle'])
  })

  test('all stay while they are within the plan’s number', () => {
    const flows = Array.from({ length: PLAN_LIMITS.pro.flows }, (_, n) => flow(`f${n}`, n + 1))
    expect(flowsWithinPlan(flows, PLAN_LIMITS.pro.flows).size).toBe(PLAN_LIMITS.pro.flows)
  })

  test('the smaller id stays when two were published at one moment', () => {
    expect([...flowsWithinPlan([flow('b', 1), flow('a', 1)], 1)]).toEqual(['a'])
    expect([...flowsWithinPlan([flow('a', 1), flow('b', 1)], 1)]).toEqual(['a'])
    const three = [flow('c', 1), flow('a', 1), flow('b', 1)]
    expect([...flowsWithinPlan(three, 2)]).toEqual(['a', 'b'])
  })

  test('a plan without flows lets none run', () => {
    expect(flowsWithinPlan([flow('a', 1)], PLAN_LIMITS.free.flows).size).toBe(0)
    expect(flowsWithinPlan([flow('a', 1), flow('b', 2), flow('c', 3)], -1).size).toBe(0)
  })
})
