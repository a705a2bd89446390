/**
 * Opens connections before the first request needs one, and plans the claim of deliveries on them, the most expensive
 * plan.
 */
import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { Database } from '../../infra/database/connect.ts'
import { claimDeliveries } from '../../modules/deliveries/claim-deliveries.sql.ts'

/** Number of connections of each pool that are opened; the others open under load. */
const WARM_CONNECTIONS = 4

/**
 * Opens database connections and prepares their first statements before the start, without changing data. It ignores
 * errors of the database, which the first statement that matters reports.
 */
export async function warmUp(
  { db, ids, clock }: Context,
  requestDatabase: Database,
): Promise<void> {
  const together = (database: Database, query: (on: Database['kysely']) => Promise<unknown>) =>
    // Concurrent requests, so that each opens its own connection.
    Array.from({ length: WARM_CONNECTIONS }, () => database.kysely.connection().execute(query))
  const claim = { claimId: ids.uuid(), now: clock.now(), queues: [] }
  await Promise.allSettled([
    ...together(db, (on) => claimDeliveries(on, claim)),
    ...together(requestDatabase, (on) => sql`select 1`.execute(on)),
  ])
}
