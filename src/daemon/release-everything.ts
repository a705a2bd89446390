import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { releaseExpiredReplies } from '../assistant/claim-replies.sql.ts'
import { releaseExpiredPolls } from '../channels/claim-polls.sql.ts'
import type { DB } from '../database/tables.ts'
import { releaseExpiredDeliveries } from '../deliveries/claim-deliveries.sql.ts'
import { releaseExpiredFiles } from '../files/claim-files.sql.ts'
import { releaseExpiredRuns } from '../flows/runs/claim-runs.sql.ts'
import { releaseExpiredSources } from '../knowledge/claim-sources.sql.ts'
import { releaseExpiredSends } from '../messaging/claim-sends.sql.ts'

/** Later than any lease, also one that was written by a clock that was ahead and has been put back. */
const EVERY_LEASE_HAS_ENDED = new Date('9999-12-31T00:00:00Z')

/**
 * What an earlier process had claimed when it was killed is due at once: with the data folder to
 * ourselves nobody else can be at work on it, so no lease has to be waited for.
 */
export async function releaseEverything(db: Kysely<DB>, now: Date, log: Logger): Promise<void> {
  const runs = await releaseExpiredRuns(db, EVERY_LEASE_HAS_ENDED)
  const replies = await releaseExpiredReplies(db, EVERY_LEASE_HAS_ENDED)
  const sends = await releaseExpiredSends(db, now, EVERY_LEASE_HAS_ENDED)
  const deliveries = await releaseExpiredDeliveries(db, now, EVERY_LEASE_HAS_ENDED)
  const files = await releaseExpiredFiles(db, EVERY_LEASE_HAS_ENDED)
  const polls = await releaseExpiredPolls(db, now, EVERY_LEASE_HAS_ENDED)
  const sources = await releaseExpiredSources(db, EVERY_LEASE_HAS_ENDED)
  const released = { runs, replies, sends, deliveries, files, polls, sources }
  if (Object.values(released).some((count) => count > 0))
    log.warn(released, 'taking on what was cut off')
}
