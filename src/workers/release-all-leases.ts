import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { releaseExpired } from '../infra/database/queues/release.sql.ts'
import type { DB } from '../infra/database/tables.ts'
import { releaseInEveryQueue } from './queues.ts'

/** Later than any lease, also one that was written by a clock that was ahead and has been put back. */
const EVERY_LEASE_HAS_ENDED = new Date('9999-12-31T00:00:00Z')

/**
 * Releases every claim, at the start of the only process, because its predecessor was killed. This process alone uses
 * the data folder, so no lease has to end first.
 */
export async function releaseEverything(db: Kysely<DB>, now: Date, log: Logger): Promise<void> {
  const released = await releaseInEveryQueue(db, (queue) =>
    releaseExpired(db, queue, now, { before: EVERY_LEASE_HAS_ENDED }),
  )
  if (Object.keys(released).length > 0)
    log.warn({ released }, 'claims of the last process released')
}
