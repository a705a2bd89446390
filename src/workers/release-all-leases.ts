import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { releaseExpired } from '../infra/database/queues/release.sql.ts'
import type { DB } from '../infra/database/tables.ts'
import { releaseOfAll } from './queues.ts'

/** Later than any lease, also one that was written by a clock that was ahead and has been put back. */
const EVERY_LEASE_HAS_ENDED = new Date('9999-12-31T00:00:00Z')

/**
 * What an earlier process had claimed when it was killed is due at once: with the data folder to
 * ourselves nobody else can be at work on it, so no lease has to be waited for.
 */
export async function releaseEverything(db: Kysely<DB>, now: Date, log: Logger): Promise<void> {
  const released = await releaseOfAll((queue) =>
    releaseExpired(db, queue, now, EVERY_LEASE_HAS_ENDED),
  )
  if (Object.keys(released).length > 0) log.warn({ released }, 'taking on what was cut off')
}
