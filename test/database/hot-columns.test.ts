/**
 * An update that changes no column of an index, nor one that an index has a condition on, writes no index (it is
 * HOT): what changes in the life of nearly every delivery, message and run is in none.
 */
import { expect, test } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { columnsInIndexes } from '../support/records/indexes.ts'

const world = await openWorld()

const CHANGED: Record<string, string[]> = {
  // By its first attempt, where that succeeds.
  webhook_delivery: ['state', 'attempts', 'last_status', 'last_ms', 'ended_at'],
  // As it is sent and by its receipts. The provider's id and the end of its claim come together, once.
  message: ['status', 'outbound', 'lease_expires_at', 'sent_at', 'delivered_at', 'read_at'],
  // By a turn after which the run goes on.
  flow_run: ['status', 'step_id', 'variables', 'wait_kind', 'wait_until', 'steps', 'has_sent'],
  flow_run_step: ['status', 'detail', 'ended_at', 'call_attempts', 'call'],
  endpoint_health: ['failures_in_row', 'failing_since', 'slots', 'last_success_at'],
  delivery_hour: ['attempts', 'failures', 'duration_ms'],
}

test.each(Object.entries(CHANGED))('What changes of a %s is in none', async (table, changed) => {
  const indexed = await columnsInIndexes(world, table)
  expect(indexed.length).toBeGreaterThan(0)
  expect(indexed.filter((column) => changed.includes(column))).toEqual([])
})
