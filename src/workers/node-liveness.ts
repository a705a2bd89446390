/**
 * The worker that notices when another node has died, and releases its claims before their leases end. Each node
 * holds an advisory lock as long as it lives, and its claims name the node.
 *
 * A node whose lock is missing may have lost only its connection, so it gets a grace period to take the lock again.
 * Its stale outcomes are discarded by the claim id. A node that does not hold its own lock declares no other node dead,
 * because its session may have been lost silently. After the database was unavailable all locks are missing, so the
 * period is longer.
 */
import type { Context } from '../infra/context.ts'
import { claimIdOf } from '../infra/database/node-locks.sql.ts'
import { findClaimingNodes } from '../infra/database/queues/claiming-nodes.sql.ts'
import { createLowerBound } from '../infra/database/queues/lower-bound.ts'
import { releaseOf } from '../infra/database/queues/release.sql.ts'
import { NODE_WATCH } from '../core/limits/nodes.ts'
import { withoutConcurrency, type ConcurrentWorker } from './worker-loop.ts'
import { QUEUES, releaseInEveryQueue } from './queues.ts'

/** The worker that watches other nodes, and the identity of this one. */
export type NodeLiveness = ConcurrentWorker & {
  /** The id of this node: eight hexadecimal digits. */
  node: string
  /**
   * Returns the id of a new claim. It names this node only while other nodes see it as alive; otherwise the claim ends
   * with its lease.
   */
  claimId(): string
  /** Returns the nodes that have claims and whose lock is missing. */
  missing(): readonly string[]
}

/** Creates the worker that notices when another process has died, and releases its claims. */
export function createNodeLivenessWorker(
  { db, clock, ids, log }: Context,
  deps: Deps,
): NodeLiveness {
  const node = ids.uuid().slice(-8)
  const missingSince = new Map<string, number>()
  // A claim whose lease ended some seconds ago needs no attention.
  const lowerBound = createLowerBound(clock, () => Promise.resolve(null))
  let hasOthers = false
  let lookedAtMs = -Infinity
  /** True when a notification came too soon after the last check, which is repeated. */
  let isOwed = false
  let knownPresentMs: number | null = null
  /** The last time at which this node was not seen alive, after it had been. */
  let absentUntilMs = -Infinity
  let isSeen = true

  async function work(): Promise<boolean> {
    const nowMs = performance.now()
    const presentSinceMs = deps.presentSinceMs()
    if (presentSinceMs === null) {
      missingSince.clear()
      return false
    }
    isOwed = nowMs - lookedAtMs < NODE_WATCH.minMs
    if (isOwed) return false
    lookedAtMs = nowMs
    const found = await lowerBound.read((since) =>
      findClaimingNodes(db.kysely, { queues: QUEUES, asking: node, since }),
    )
    const { others } = found
    hasOthers = others.length > 0
    if (knownPresentMs !== null && knownPresentMs !== presentSinceMs) absentUntilMs = presentSinceMs
    knownPresentMs = presentSinceMs
    isSeen = found.isSeen
    if (!isSeen) {
      absentUntilMs = nowMs
      missingSince.clear()
      return false
    }
    const missing = others.filter(({ isAlive }) => !isAlive).map((other) => other.node)
    for (const known of missingSince.keys()) {
      if (!missing.includes(known)) missingSince.delete(known)
    }
    const unknown = missing.filter((other) => !missingSince.has(other))
    for (const other of unknown) missingSince.set(other, nowMs)
    const isLongBack = nowMs - absentUntilMs >= NODE_WATCH.graceAfterAbsenceMs
    const dead = missing.filter(
      (other) =>
        isLongBack &&
        nowMs - Math.max(missingSince.get(other)!, presentSinceMs) >= NODE_WATCH.graceMs,
    )
    if (dead.length > 0) await release(dead)
    if (dead.length + unknown.length > 0) deps.onProgress()
    return false
  }

  async function release(dead: readonly string[]): Promise<void> {
    const released = await releaseInEveryQueue(db.kysely, (queue) =>
      releaseOf(db.kysely, queue, clock.now(), dead),
    )
    for (const other of dead) missingSince.delete(other)
    log.warn({ nodes: dead, released }, 'claims of dead nodes released')
  }

  function nextDue(): Promise<Date | null> {
    if (deps.presentSinceMs() === null) return Promise.resolve(null)
    const everyMs = isOwed
      ? NODE_WATCH.minMs
      : hasOthers
        ? NODE_WATCH.everyMs
        : NODE_WATCH.idleEveryMs
    return Promise.resolve(new Date(clock.now().getTime() + everyMs))
  }

  return {
    node,
    claimId() {
      const isPresent = isSeen && deps.presentSinceMs() !== null
      return isPresent ? claimIdOf(node, ids.uuid()) : ids.uuid()
    },
    missing: () => [...missingSince.keys()],
    ...withoutConcurrency({ name: 'watch-nodes', work, nextDue }),
  }
}

type Deps = {
  /** Returns the time since which others see this node as alive, by `performance.now()`; null while they do not. */
  presentSinceMs(): number | null
  /** Runs when there may be more to claim. */
  onProgress(): void
}
