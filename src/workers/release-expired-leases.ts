import type { Context } from '../infra/context.ts'
import type { LowerBound } from '../infra/database/queues/lower-bound.ts'
import type { Claimable, Since } from '../infra/database/queues/queue.ts'
import { releaseExpired } from '../infra/database/queues/release.sql.ts'

/** Interval at which a worker looks for expired leases of dead processes. */
export const LEASES_EVERY_MS = 1_000

/**
 * Returns a function that releases, once a second, the rows whose lease has ended. It returns the number of rows, or
 * null when it was not time to look. If the index of a queue's claims does not have the end of the lease, all of them
 * are read once per lower bound.
 */
export function createLookAtLeases(
  { db, log }: Pick<Context, 'db' | 'log'>,
  queue: Claimable,
  lowerBound: LowerBound,
): (now: Date) => Promise<number | null> {
  const isTime = atIntervals(LEASES_EVERY_MS)
  /** The lower bound since which all claims were read. */
  let readFor: Since = null
  return async (now) => {
    if (!isTime(now)) return null
    const expired = await lowerBound.read((since) => {
      const isRead = !queue.isClaimSince || since === readFor
      readFor = since
      return releaseExpired(db.kysely, queue, now, { since: isRead ? since : null })
    })
    if (expired === 0) return 0
    // They may have been due long ago.
    lowerBound.end()
    log.warn({ expired, queue: queue.name }, 'leases expired: due again')
    return expired
  }
}

/** Returns true once per interval; also when the clock was set back, instead of waiting until it has caught up. */
function atIntervals(ms: number): (now: Date) => boolean {
  let lastMs = -Infinity
  return (now) => {
    const sinceMs = now.getTime() - lastMs
    if (sinceMs >= 0 && sinceMs < ms) return false
    lastMs = now.getTime()
    return true
  }
}
