/**
 * The worker that releases rows claimed by this process on which it is not working: the database was unavailable, or
 * the answer to a claim was lost. Without it they would wait until their lease ends.
 */
import type { Context } from '../infra/context.ts'
import type { LostClaim } from '../infra/database/after-commit.ts'
import { releaseClaims } from '../infra/database/queues/release.sql.ts'
import { SECOND_MS } from '../core/limits/units.ts'
import { withoutConcurrency, type ConcurrentWorker } from './worker-loop.ts'
import { releaseInEveryQueue } from './queues.ts'

/** Delays of releases. A server that has lost its client may continue a statement until the statement timeout. */
const AGAIN_AFTER_MS = [0, SECOND_MS, 5 * SECOND_MS, 35 * SECOND_MS] as const

type LostClaimsWorker = ConcurrentWorker & { lose(claims: readonly LostClaim[]): void }

/** Creates the worker that releases claims that this process lost when the database was unavailable. */
export function createLostClaimsWorker({ db, clock, log }: Context, deps: Deps): LostClaimsWorker {
  let lost: { claim: LostClaim; sinceMs: number; tries: number }[] = []
  const dueOf = ({ sinceMs, tries }: (typeof lost)[number]) => sinceMs + AGAIN_AFTER_MS[tries]!

  return {
    lose(claims) {
      const sinceMs = clock.now().getTime()
      lost.push(...claims.map((claim) => ({ claim, sinceMs, tries: 0 })))
      deps.onLost()
    },
    ...withoutConcurrency({
      name: 'release-lost-claims',
      async work() {
        const now = clock.now()
        const due = lost.filter((one) => dueOf(one) <= now.getTime())
        if (due.length === 0) return false
        const claims = due.map(({ claim }) => claim)
        const released = await releaseInEveryQueue(db.kysely, (queue) =>
          releaseClaims(db.kysely, queue, now, claims),
        )
        for (const one of due) one.tries += 1
        lost = lost.filter(({ tries }) => tries < AGAIN_AFTER_MS.length)
        if (Object.keys(released).length === 0) return false
        log.info({ released }, 'claims of lost database connections released')
        deps.onReleased()
        return false
      },
      nextDue() {
        const dueMs = Math.min(...lost.map(dueOf))
        return Promise.resolve(dueMs === Infinity ? null : new Date(dueMs))
      },
    }),
  }
}

type Deps = {
  /** Runs when there is a claim to release. */
  onLost(): void
  /** Runs when there may be more to claim. */
  onReleased(): void
}
