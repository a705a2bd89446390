/**
 * Columns that change in the life of nearly every delivery, message, run and conversation are in no index. An update of columns
 * that neither an index nor its condition has writes no index (it is HOT).
 */
import { expect, test } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { columnsInIndexes, triggersBeforeUpdates } from '../support/records/indexes.ts'

const world = await openWorld()

const CHANGED: Record<string, string[]> = {
  // A first attempt that succeeds changes these columns.
  webhook_delivery: ['state', 'attempts', 'last_status', 'last_ms', 'ended_at'],
  // Sending and receipts change these columns. The provider's id and the end of its claim change together, once.
  message: ['status', 'outbound', 'lease_expires_at', 'sent_at', 'delivered_at', 'read_at'],
  // An advance after which the run continues changes these columns.
  flow_run: ['status', 'step_id', 'variables', 'wait_kind', 'wait_until', 'steps', 'has_sent'],
  // Every message changes these columns, also in a conversation that staff does not handle.
  conversation: [
    'last_message_at',
    'last_text',
    'last_sender',
    'last_customer_at',
    'service_window_ends_at',
  ],
  flow_run_step: ['status', 'detail', 'ended_at', 'call_attempts', 'call'],
  endpoint_health: ['failures_in_row', 'failing_since', 'slots', 'last_success_at'],
  delivery_hour: ['attempts', 'failures', 'duration_ms'],
}

test.each(Object.entries(CHANGED))(
  'A changing column of a %s is in none',
  async (table, changed) => {
    const indexed = await columnsInIndexes(world, table)
    expect(indexed.length).toBeGreaterThan(0)
    expect(indexed.filter((column) => changed.includes(column))).toEqual([])
  },
)

test('No trigger locks rows that change often before their update', async () => {
  for (const table of Object.keys(CHANGED)) {
    expect({ table, before: await triggersBeforeUpdates(world, table) }).toEqual({
      table,
      before: [],
    })
  }
  expect(await triggersBeforeUpdates(world, 'flow_version')).toEqual(['flow_version_is_immutable'])
})
