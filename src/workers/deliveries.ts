/**
 * The worker that posts webhook events: enqueues due deliveries, claims and attempts them, and records outcomes in
 * batches. A claim takes no more rows than a queue has free slots. When no delivery is in progress, a small first
 * claim is sent while the next one is read. This node's new deliveries need no claim (`delivery-dispatcher`).
 */
import type { Context } from '../infra/context.ts'
import type { DeliveryDispatcher } from '../infra/database/after-commit.ts'
import { claiming } from '../infra/database/queues/claiming.ts'
import { lowerBoundOf, type LowerBound } from '../infra/database/queues/lower-bound.ts'
import { nextDue } from '../infra/database/queues/next-due.sql.ts'
import { FIRST_ID, leaseEnd } from '../infra/database/queues/queue.ts'
import { releaseRows } from '../infra/database/queues/release.sql.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'
import {
  claimDeliveries,
  DELIVERY_QUEUE,
  type Claimed,
  type ClaimedDelivery,
  type DeliveryQueue,
  type QueueToClaim,
} from '../modules/deliveries/claim-deliveries.sql.ts'
import { enqueueDueDeliveries } from '../modules/deliveries/enqueue-due.sql.ts'
import { createDeliveryExecutor, type AttemptDeps } from './delivery-executor.ts'
import { createSaturatedEndpoints } from './saturated-endpoints.ts'
import { createDeliveryDispatcher, once } from './delivery-dispatcher.ts'
import { createLookAtLeases, LEASES_EVERY_MS } from './release-expired-leases.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createQueueSlots } from './queue-slots.ts'
import { createUnderWay, type UnderWay } from './in-flight.ts'
import type { NodeLiveness } from './node-liveness.ts'

/** The worker of deliveries, with the dispatcher of those that this process inserts. */
export type DeliveriesWorker = ConcurrentWorker & { dispatcher: DeliveryDispatcher }

/** Creates the worker that claims and posts due webhook deliveries. */
export function createDeliveriesWorker(
  context: Context,
  { nodes, onProgress, ...deps }: Deps,
): DeliveriesWorker {
  const attempts = createDeliveryExecutor(context, deps)
  const underWay = createUnderWay()
  const slots = createQueueSlots()
  const saturated = createSaturatedEndpoints(onProgress)
  const lowerBound = lowerBoundOf(context, DELIVERY_QUEUE)
  const lookAtLeases = createLookAtLeases(context, DELIVERY_QUEUE, lowerBound)
  let [isHalted, passes] = [false, 0]
  let notLive: string[] = []
  const lastClaim: LastClaim = { ...UNKNOWN }
  const eager = createDeliveryDispatcher(context, {
    attempts,
    claimId: nodes.claimId,
    takeSlot: () => slots.takeIfFree('first'),
    releaseSlot: () => freeSlot('first'),
    onTaken: saturated.begin,
    onEnded: saturated.end,
    onWaiting: saturated.waits,
    lowerBound,
    onReleased({ endpointId }, isLive) {
      if (!isLive) notLive.push(endpointId)
      onProgress()
    },
  })

  async function work(): Promise<boolean> {
    if (isHalted) return false
    const now = context.clock.now()
    Object.assign(lastClaim, UNKNOWN)
    const isIdle = counts.inFlight() === 0
    let isMore = await claim(now, isIdle ? DELIVERY_ENGINE.firstClaim : Infinity)
    const expired = await lookAtLeases(now)
    if (expired) deps.meter.leasesExpired(expired)
    passes += 1
    // Under full load enough deliveries are enqueued already, so newly due ones wait for a few passes.
    const isReadying = !slots.isFull() || notLive.length > 0 || passes % ENQUEUE_EVERY_PASSES === 0
    const isReadied = isReadying && (await ready(now))
    if ((isMore && isIdle) || isReadied || expired) isMore = await claim(now)
    return isReadied || isMore || (!isReadying && (await ready(now)))
  }

  async function ready(now: Date): Promise<boolean> {
    if (notLive.length === 0 && !lastClaim.isToEnqueue) return false
    const isFound = await enqueue(context, lowerBound, { now, notLive })
    notLive = []
    Object.assign(lastClaim, UNKNOWN)
    return isFound
  }

  /**
   * Claims at most `limit` deliveries per queue for the free slots, and begins the attempts. Returns whether there may
   * be more.
   */
  async function claim(now: Date, limit = Infinity): Promise<boolean> {
    const queues = slots.toClaim(limit)
    if (queues.length === 0) return false
    // Each part of a round adds its endpoints. Deliveries that begin to wait after this may be missed by the claim.
    saturated.looks(queues.every(({ after }) => after === FIRST_ID))
    const claimed = await claimFor(context, lowerBound, { nodes, now, queues })
    if (await releaseIfLate(context, claimed, { claimedAt: now, isHalted })) return !isHalted
    notLive = claimed.notLive
    saturated.found(claimed.saturated)
    const isMore = slots.claimed(queues, claimed) && claimed.dueAt !== null && claimed.dueAt <= now
    Object.assign(lastClaim, { isToEnqueue: claimed.isToEnqueue, dueAt: dueAfter(claimed, now) })
    for (const delivery of claimed.deliveries) begin(delivery, now)
    return notLive.length > 0 || isMore
  }

  function begin(delivery: ClaimedDelivery, claimedAt: Date) {
    slots.take(delivery.queue)
    saturated.begin(delivery)
    const free = once(() => freeSlot(delivery.queue))
    const attempt = attempts.make(delivery, claimedAt, free).finally(() => {
      free()
      saturated.end(delivery)
    })
    underWay.follow(attempt, null)
  }

  function freeSlot(queue: DeliveryQueue) {
    slots.release(queue)
    if (queue === 'first') eager.beginWhatMay()
    if (slots.isFull()) onProgress()
  }

  const counts = inFlightOf(context, { claimed: underWay, eager, lastClaim, lowerBound })
  return {
    name: 'deliver',
    everyMs: DELIVERY_ENGINE.claimEveryMs,
    dispatcher: eager.dispatcher,
    work,
    ...counts,
    halt() {
      isHalted = true
      attempts.halt()
      eager.halt()
    },
  }
}

/** Claims deliveries for the free slots of queues. */
function claimFor(
  { db }: Context,
  lowerBound: LowerBound,
  { nodes, ...free }: Pick<Deps, 'nodes'> & { now: Date; queues: readonly QueueToClaim[] },
): Promise<Claimed> {
  const request = { ...free, claimId: nodes.claimId(), missing: nodes.missing() }
  return claiming(db, request, () =>
    lowerBound.read((since) => claimDeliveries(db.kysely, { ...request, since })),
  )
}

/** Enqueues due deliveries. Returns whether there were such. */
async function enqueue(
  { db }: Context,
  lowerBound: LowerBound,
  due: { now: Date; notLive: readonly string[] },
): Promise<boolean> {
  const count = await lowerBound.read((since) => enqueueDueDeliveries(db.kysely, { ...due, since }))
  return count > 0
}

/** Releases claimed deliveries that may not begin any more. Returns whether there were such. */
async function releaseIfLate(
  { db, clock }: Context,
  { deliveries }: Claimed,
  { claimedAt, isHalted }: { claimedAt: Date; isHalted: boolean },
): Promise<boolean> {
  // Other nodes may have claimed these rows if this process was suspended.
  const isStale = clock.now().getTime() - claimedAt.getTime() >= DELIVERY_ENGINE.leaseMs / 2
  if (!(isHalted || isStale) || deliveries.length === 0) return false
  await releaseRows(db.kysely, DELIVERY_QUEUE, deliveries, claimedAt)
  return true
}

/** Returns the work in progress, claimed or dispatched, and when the next delivery is due. */
function inFlightOf(
  { db, clock }: Context,
  {
    claimed,
    eager,
    lastClaim,
    lowerBound,
  }: {
    claimed: UnderWay<null>
    eager: Pick<ConcurrentWorker, 'inFlight' | 'drain'>
    lastClaim: LastClaim
    lowerBound: LowerBound
  },
): Pick<ConcurrentWorker, 'inFlight' | 'drain' | 'nextDue'> {
  const inFlight = () => claimed.count() + eager.inFlight()
  const readNextDue = () => lowerBound.read((since) => nextDue(db.kysely, DELIVERY_QUEUE, since))
  return {
    inFlight,
    async nextDue() {
      const { dueAt } = lastClaim
      lastClaim.dueAt = undefined
      const due = dueAt === undefined ? await readNextDue() : dueAt
      if (!due || due > clock.now() || inFlight() === 0) return due
      // A due delivery that was not claimed waits for a slot. The end of an attempt wakes this loop, but not that of
      // another node.
      return new Date(clock.now().getTime() + LEASES_EVERY_MS)
    },
    async drain() {
      while (inFlight() > 0) await Promise.all([claimed.drain(), eager.drain()])
    },
  }
}

/** Returns the next due time after a claim: that of the deliveries it left, or the end of the new leases. */
function dueAfter({ deliveries, dueAt }: Claimed, now: Date): Date | null {
  if (deliveries.length === 0) return dueAt
  const ends = leaseEnd(DELIVERY_QUEUE, now)
  return dueAt && dueAt < ends ? dueAt : ends
}

/** The findings of a pass's last claim; `dueAt` is undefined when the next due time has to be queried. */
type LastClaim = { isToEnqueue: boolean; dueAt: Date | null | undefined }
const UNKNOWN: LastClaim = { isToEnqueue: true, dueAt: undefined }
const ENQUEUE_EVERY_PASSES = 8
type Deps = AttemptDeps & {
  nodes: Pick<NodeLiveness, 'claimId' | 'missing'>
  /** Runs when a slot becomes free, so that a waiting delivery can be claimed. */
  onProgress(): void
}
