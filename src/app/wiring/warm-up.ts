/** Opens connections before anybody waits for one, and has the claim of deliveries planned on them: it costs the most. */
import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { Database } from '../../infra/database/connect.ts'
import { claimDeliveries } from '../../modules/deliveries/claim-deliveries.sql.ts'

/** Connections of a pool that are opened; the others are when there is much to do. */
const WARM = 4

/** Changes nothing. A database that is in the way of it is told of by whoever needs it. */
export async function warmUp({ db, ids, clock }: Context, doors: Database): Promise<void> {
  const together = (database: Database, ask: (on: Database['kysely']) => Promise<unknown>) =>
    // Asked for together, each gets a connection of its own.
    Array.from({ length: WARM }, () => database.kysely.connection().execute(ask))
  const claim = { claimId: ids.uuid(), now: clock.now(), lanes: [] }
  await Promise.allSettled([
    ...together(db, (on) => claimDeliveries(on, claim)),
    ...together(doors, (on) => sql`select 1`.execute(on)),
  ])
}
