/**
 * Prepares the first connections before the first request needs one: for workers the claim of deliveries, the most
 * expensive plan, and for requests what a hook request does.
 */
import type { Context } from '../../infra/context.ts'
import { claimDeliveries } from '../../modules/deliveries/claim-deliveries.sql.ts'
import { HOOK_BATCHER } from '../../modules/hooks/hook-batcher.ts'
import { warmUpHooks } from '../../modules/hooks/warm-up-hooks.ts'

/** Number of connections for workers that are opened; the others open under load. */
const WARM_CONNECTIONS = 4

/**
 * Opens database connections and prepares their first statements before the start, without changing data. It ignores
 * errors of the database, which the first statement that matters reports.
 */
export async function warmUp(context: Context, requestContext: Context): Promise<void> {
  const { db, ids, clock } = context
  const claim = { claimId: ids.uuid(), now: clock.now(), queues: [] }
  await Promise.allSettled([
    // Concurrent statements, so that each opens its own connection.
    ...Array.from({ length: WARM_CONNECTIONS }, () =>
      db.kysely.connection().execute((on) => claimDeliveries(on, claim)),
    ),
    warmUpHooks(requestContext, HOOK_BATCHER.maxConcurrentBatches),
  ])
}
