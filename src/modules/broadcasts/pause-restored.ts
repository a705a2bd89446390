import type { Context } from '../../infra/context.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { autoPause } from './recall-queued.sql.ts'

/**
 * Pauses every broadcast that a backup shows as sending, or whose start has passed since: its real progress is
 * unknown. A member resumes or cancels it. The operator runs this while nothing sends. Returns the number of paused
 * broadcasts.
 */
export async function pauseRestoredBroadcasts({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  return transaction(db, async (tx) => {
    const found = await tx
      .selectFrom('broadcast')
      .select('id')
      .where((where) =>
        where.or([
          where('state', 'in', ['preparing', 'sending']),
          where.and([where('state', '=', 'scheduled'), where('dueAt', '<=', now)]),
        ]),
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    for (const { id } of found) await autoPause(tx, now, id, fact('broadcast_restored'))
    return found.length
  })
}
