/**
 * The duty that posts webhook events: make ready what has come due, claim it, attempt it, settle the
 * outcomes in batches. Work under way is bounded by lane; a claim asks for no more than the free
 * places.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { KeyRing } from '../accounts/key-ring.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { DELIVERY_ENGINE } from '../limits.ts'
import type { DeliveryMeter } from '../metrics.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import { attemptDelivery } from '../webhooks/attempt-delivery.ts'
import {
  claimDeliveries,
  FIRST_ENDPOINT,
  giveBackDeliveries,
  LANES,
  nextDeliveryDue,
  releaseExpiredDeliveries,
  type ClaimedDelivery,
  type Lane,
} from '../webhooks/claim-deliveries.sql.ts'
import { readyDeliveries } from '../webhooks/ready-deliveries.sql.ts'
import { settleAttempts, type SettledAttempt } from '../webhooks/settle-attempts.sql.ts'
import { createBatcher } from './batcher.ts'
import { LEASES_EVERY_MS, type WorkingDuty } from './loop.ts'
import type { NodeWatch } from './watch-nodes.ts'

export function createDeliverDuty(
  context: Context,
  { outbound, keyRing, meter, nodes, onProgress }: Deps,
): WorkingDuty {
  const { db, clock, ids, log } = context
  const underWay = new Set<Promise<void>>()
  const circles = new Map(
    LANES.map((lane) => [
      lane,
      { inFlight: 0, claimedAtMs: 0, isPassedOver: false, ...NEW_CIRCLE },
    ]),
  )
  let notLive: string[] = []
  let leasesLookedAtNext = new Date(0)
  let isHalted = false
  let turns = 0
  let isFull = false
  const settle = createBatcher<SettledAttempt>({
    most: DELIVERY_ENGINE.settleBatch,
    withinMs: DELIVERY_ENGINE.settleWithinMs,
    atOnce: DELIVERY_ENGINE.settlesAtOnce,
    write: settleBatch,
  })

  async function work(): Promise<boolean> {
    if (isHalted) return false
    const now = clock.now()
    if (now >= leasesLookedAtNext) {
      leasesLookedAtNext = new Date(now.getTime() + LEASES_EVERY_MS)
      const expired = await releaseExpiredDeliveries(db.kysely, now)
      if (expired > 0) {
        meter.leasesExpired(expired)
        log.warn({ expired }, 'deliveries whose lease had ended are due again')
      }
    }
    turns += 1
    // Under full load there is enough that is ready: what comes due can wait for a few turns.
    const isReadying = !isFull || notLive.length > 0 || turns % READY_EVERY_TURNS === 0
    const isReadied = isReadying && (await ready(now))
    const isMoreToClaim = await claim(now)
    return isReadied || isMoreToClaim || (!isReadying && (await ready(now)))
  }

  async function ready(now: Date): Promise<boolean> {
    const isFound = (await readyDeliveries(db.kysely, { now, notLive })) > 0
    notLive = []
    return isFound
  }

  /** Claims for the free places and begins the attempts. Whether there may be more to claim at once. */
  async function claim(now: Date): Promise<boolean> {
    const lanes = LANES.flatMap((lane) => {
      const circle = circles.get(lane)!
      const places = DELIVERY_ENGINE.inFlight[lane]
      const free = places - circle.inFlight
      // Under full load a claim takes a batch, or claiming would cost more than attempting.
      const isLate = now.getTime() - circle.claimedAtMs >= CLAIM_AFTER_MS
      circle.isPassedOver = free > 0 && free < places / 8 && !isLate
      if (free > 0 && !circle.isPassedOver) {
        circle.claimedAtMs = now.getTime()
        return [{ lane, free, after: circle.after }]
      }
      // By the time there is room, what was looked at is out of date.
      circle.hasFound = true
      return []
    })
    isFull = lanes.length < LANES.length
    if (lanes.length === 0) return false
    const claimId = nodes.claimId()
    const missing = nodes.missing()
    const claimed = await claimDeliveries(db.kysely, { claimId, now, lanes, missing })
    const { deliveries } = claimed
    const inLane = (lane: Lane) => deliveries.filter((delivery) => delivery.lane === lane).length
    if (isHalted && deliveries.length > 0) {
      const claimedIds = deliveries.map(({ id }) => id)
      await giveBackDeliveries(db.kysely, claimId, claimedIds)
      return false
    }
    notLive = claimed.notLive
    isFull ||= lanes.some(({ lane, free }) => inLane(lane) >= free)
    for (const delivery of deliveries) begin(delivery, now)
    const isMore = lanes.map(({ lane }) => goOn(lane, inLane(lane) > 0, claimed.next[lane]))
    return notLive.length > 0 || isMore.some(Boolean)
  }

  /**
   * Endpoints are looked at in circles, part by part; after a circle that found something there may
   * be more of it.
   */
  function goOn(lane: Lane, hasClaimed: boolean, next: string | undefined): boolean {
    const circle = circles.get(lane)!
    circle.hasFound ||= hasClaimed
    if (next !== undefined) {
      circle.after = next
      return true
    }
    const { hasFound } = circle
    Object.assign(circle, NEW_CIRCLE)
    return hasFound
  }

  function begin(delivery: ClaimedDelivery, claimedAt: Date) {
    const circle = circles.get(delivery.lane)!
    circle.inFlight += 1
    if (delivery.body === null) {
      log.error({ deliveryId: delivery.id }, 'a delivery without its body is set aside')
    }
    const attempt = attemptDelivery({ outbound, keyRing, clock, ids }, delivery)
      .then(async (settled) => {
        await settle(settled)
        measure(delivery, settled, claimedAt)
      })
      .catch((error: unknown) => {
        // The lease ends and the delivery is attempted again with the same ids.
        log.error({ err: error, deliveryId: delivery.id }, 'attempt could not be recorded')
      })
      .finally(() => {
        underWay.delete(attempt)
        circle.inFlight -= 1
        onProgress()
      })
    underWay.add(attempt)
  }

  /** An outcome that the database could not take while it was away is not thrown away: nothing is sent again. */
  async function written<T>(write: () => Promise<T>): Promise<T> {
    for (let again = 0; ; again += 1) {
      try {
        return await write()
      } catch (error) {
        const isLast = isHalted || again === DELIVERY_ENGINE.settleAgainTimes
        if (isLast || !isDatabaseAway(error)) throw error
        await pause(DELIVERY_ENGINE.settleAgainMs)
      }
    }
  }

  async function settleBatch(attempts: SettledAttempt[]) {
    const { lateIds, switchedOff } = await settleAttempts({ db, ids, written }, attempts)
    for (const lateId of lateIds) {
      meter.settledLate()
      log.warn({ attemptId: lateId }, 'an attempt outlived its lease and counts for nothing')
    }
    for (const off of switchedOff) log.info(off, 'a webhook endpoint was switched off')
  }

  function measure(delivery: ClaimedDelivery, settled: SettledAttempt, claimedAt: Date) {
    const startedMs = settled.startedAt.getTime()
    // A first attempt is due when its delivery is made, or when a held one is let go.
    const isFirst = delivery.attempts === 0 && delivery.kind !== 'test'
    meter.attempted({
      error: settled.error,
      durationMs: settled.durationMs,
      sinceClaimMs: startedMs - claimedAt.getTime(),
      sinceDueMs: isFirst ? startedMs - delivery.dueAt.getTime() : null,
    })
  }

  return {
    name: 'deliver',
    work,
    async nextDue() {
      const due = await nextDeliveryDue(db.kysely)
      if (!due || due > clock.now() || underWay.size === 0) return due
      // What is due but was not claimed waits for a place, and the end of an attempt wakes us. Where
      // there were too few to be worth a claim no further end may come: they are claimed soon.
      const passedOver = [...circles.values()].filter(({ isPassedOver }) => isPassedOver)
      if (passedOver.length === 0) return null
      const claimedAtMs = Math.min(...passedOver.map((circle) => circle.claimedAtMs))
      return new Date(claimedAtMs + CLAIM_AFTER_MS)
    },
    inFlight: () => underWay.size,
    halt() {
      isHalted = true
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

const READY_EVERY_TURNS = 8
/** After this time a claim is worth while for few places as well. */
const CLAIM_AFTER_MS = 20
/** Where a lane's next claim begins, and whether this time round anything was found. */
const NEW_CIRCLE = { after: FIRST_ENDPOINT, hasFound: false }

type Deps = {
  outbound: OutboundClient
  keyRing: KeyRing
  meter: DeliveryMeter
  nodes: Pick<NodeWatch, 'claimId' | 'missing'>
  /** Called when a place becomes free: what waited for it can be claimed. */
  onProgress(): void
}
