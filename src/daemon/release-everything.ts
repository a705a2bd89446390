import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { releaseExpiredReplies } from '../assistant/claim-replies.sql.ts'
import { releaseExpiredPolls } from '../channels/claim-polls.sql.ts'
import type { DB } from '../database/tables.ts'
import { releaseExpiredDeliveries } from '../deliveries/claim-deliveries.sql.ts'
import { releaseExpiredFiles } from '../files/claim-files.sql.ts'
import { releaseExpiredRuns } from '../flows/runs/claim-runs.sql.ts'
import { releaseExpiredSources } from '../knowledge/claim-sources.sql.ts'
import { DAY_MS } from '../limits/units.ts'
import { releaseExpiredSends } from '../messaging/claim-sends.sql.ts'

/**
 * What an earlier process had claimed when it was killed is due at once: with the data folder to
 * ourselves nobody else can be at work on it, so no lease has to be waited for.
 */
export async function releaseEverything(db: Kysely<DB>, now: Date, log: Logger): Promise<void> {
  const everyLeaseHasEnded = new Date(now.getTime() + DAY_MS)
  const runs = await releaseExpiredRuns(db, everyLeaseHasEnded)
  const replies = await releaseExpiredReplies(db, everyLeaseHasEnded)
  const sends = await releaseExpiredSends(db, now, everyLeaseHasEnded)
  const deliveries = await releaseExpiredDeliveries(db, now, everyLeaseHasEnded)
  const files = await releaseExpiredFiles(db, everyLeaseHasEnded)
  const polls = await releaseExpiredPolls(db, now, everyLeaseHasEnded)
  const sources = await releaseExpiredSources(db, everyLeaseHasEnded)
  const released = { runs, replies, sends, deliveries, files, polls, sources }
  if (Object.values(released).some((count) => count > 0))
    log.warn(released, 'taking on what was cut off')
}
