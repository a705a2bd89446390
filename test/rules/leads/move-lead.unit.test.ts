/** Every change of a lead from one status to another. States › Lead. */
import { expect, test } from 'vitest'
import { moveLead } from '../../../src/rules/leads/move-lead.ts'

test.each([
  ['open', 'qualify', 'qualified'],
  ['open', 'win', 'won'],
  ['open', 'lose', 'lost'],
  ['open', 'reopen', 'open'],
  ['qualified', 'qualify', 'qualified'],
  ['qualified', 'win', 'won'],
  ['qualified', 'lose', 'lost'],
  ['qualified', 'reopen', 'qualified'],
  ['won', 'qualify', null],
  ['won', 'win', 'won'],
  ['won', 'lose', null],
  ['won', 'reopen', 'open'],
  ['lost', 'qualify', null],
  ['lost', 'win', null],
  ['lost', 'lose', 'lost'],
  ['lost', 'reopen', 'open'],
] as const)('%s, %s: %s', (status, move, to) => {
  const moved = moveLead(status, move)
  expect(moved).toEqual(to ? { ok: true, value: to } : { ok: false, reason: 'lead_is_closed' })
})
