/** Waits until no process works for an account that has been put on hold. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../../src/infra/database/connect.ts'
import { countActive, parkWork } from '../../../src/workers/park-account.ts'

const POLL_MS = 500
/** The longest wait after the grace period. Calls, deliveries and leases of dead processes end earlier. */
const LONGEST_WAIT_MS = 180_000

/**
 * Parks the waiting work of an account, and waits until none is in progress. Work that ends may leave new work, which is
 * parked in the next round.
 * @throws when work takes too long; the account then stays on hold, and the command can be repeated
 */
export async function waitUntilIdle(
  { kysely }: Database,
  accountId: string,
  { graceMs, print }: { graceMs: number; print(line: string): void },
): Promise<void> {
  if (graceMs > 0) {
    print(`The account accepts nothing more. Waiting ${graceMs / 1_000} s for requests to end …`)
  }
  const startedAtMs = performance.now()
  const since = await currentTransaction(kysely)
  for (;;) {
    await parkWork(kysely, accountId)
    const elapsedMs = performance.now() - startedAtMs
    const isOver = elapsedMs >= graceMs && (await areOver(kysely, since))
    const active = await countActive(kysely, accountId)
    if (isOver && active === 0) return
    if (elapsedMs > graceMs + LONGEST_WAIT_MS) {
      throw new Error(
        `${active} rows of the account are still in progress, or a transaction of the server is still open that began earlier.`,
      )
    }
    await pause(POLL_MS)
  }
}

async function currentTransaction(db: Database['kysely']): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)
  return rows[0]!.id
}

/** Returns whether all transactions that began before a given one are over. */
async function areOver(db: Database['kysely'], id: string): Promise<boolean> {
  const { rows } = await sql<{ areOver: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) > ${id}::xid8 as are_over`.execute(db)
  return rows[0]!.areOver
}
