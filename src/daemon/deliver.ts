/**
 * The duty that posts webhook events: make ready what has come due, claim it, attempt it, settle the
 * outcomes in batches. Work under way is bounded by lane; a claim asks for no more than the free
 * places. What this node writes itself it attempts without a claim (`hand-over`).
 */
import type { Context } from '../context.ts'
import type { HandOver } from '../database/commit-notes.ts'
import { nextDue } from '../database/queues/next-due.sql.ts'
import { FIRST_ID } from '../database/queues/queue.ts'
import { giveBack } from '../database/queues/release.sql.ts'
import { DELIVERY_ENGINE } from '../limits/deliveries.ts'
import {
  claimDeliveries,
  DELIVERY_QUEUE,
  LANES,
  type ClaimedDelivery,
  type Lane,
} from '../deliveries/claim-deliveries.sql.ts'
import { readyDeliveries } from '../deliveries/ready-deliveries.sql.ts'
import { createAttempts, type AttemptDeps } from './attempts.ts'
import { createHandOver, once } from './hand-over.ts'
import { createLookAtLeases, LEASES_EVERY_MS } from './look-at-leases.ts'
import type { WorkingDuty } from './loop.ts'
import { createUnderWay } from './under-way.ts'
import type { NodeWatch } from './watch-nodes.ts'

export type DeliverDuty = WorkingDuty & { handOver: HandOver }

export function createDeliverDuty(
  context: Context,
  { nodes, onProgress, ...deps }: Deps,
): DeliverDuty {
  const { db, clock } = context
  const attempts = createAttempts(context, deps)
  const underWay = createUnderWay()
  const circles = new Map(LANES.map((lane) => [lane, { inFlight: 0, ...NEW_CIRCLE }]))
  const first = circles.get('first')!
  let notLive: string[] = []
  /** Endpoints and accounts for whose places something waits in its lane. */
  const waitsFor = new Set<string>()
  /** By account, what is attempted here or waits for it in memory. */
  const underWayOf = new Map<string, number>()
  const lookAtLeases = createLookAtLeases(context, DELIVERY_QUEUE)
  let isHalted = false
  let turns = 0
  /** Something waits for any place of its lane. */
  let isFull = false
  const handedOver = createHandOver(context, {
    attempts,
    claimId: nodes.claimId,
    takePlace() {
      if (first.inFlight >= DELIVERY_ENGINE.inFlight.first) return false
      first.inFlight += 1
      return true
    },
    giveBackPlace: () => freePlace('first'),
    onTaken: addUnderWay,
    onEnded: endUnderWay,
    onWaiting(waiting) {
      for (const { endpointId, accountId } of waiting) waitsFor.add(endpointId).add(accountId)
      // Whose places other nodes hold: the end of no attempt here tells that there is one.
      if (waiting.some(({ accountId }) => !underWayOf.has(accountId))) onProgress()
    },
    onGivenBack({ endpointId }, isLive) {
      if (!isLive) notLive.push(endpointId)
      onProgress()
    },
  })

  async function work(): Promise<boolean> {
    if (isHalted) return false
    const now = clock.now()
    const expired = await lookAtLeases(now)
    if (expired) deps.meter.leasesExpired(expired)
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
      const free = DELIVERY_ENGINE.inFlight[lane] - circle.inFlight
      if (free > 0) return [{ lane, free, after: circle.after }]
      // By the time there is room, what was looked at is out of date.
      circle.hasFound = true
      return []
    })
    isFull = lanes.length < LANES.length
    if (lanes.length === 0) return false
    // Of a circle's parts each adds its own. What comes to wait from here on may not be seen by this claim.
    if (lanes.every(({ after }) => after === FIRST_ID)) waitsFor.clear()
    const claimId = nodes.claimId()
    const missing = nodes.missing()
    const claimed = await claimDeliveries(db.kysely, { claimId, now, lanes, missing })
    const { deliveries } = claimed
    const inLane = (lane: Lane) => deliveries.filter((delivery) => delivery.lane === lane).length
    // A node that stood still holds what others may have taken on meanwhile.
    const isStale = clock.now().getTime() - now.getTime() >= DELIVERY_ENGINE.leaseMs / 2
    if ((isHalted || isStale) && deliveries.length > 0) {
      await giveBack(db.kysely, DELIVERY_QUEUE, deliveries, now)
      return !isHalted
    }
    notLive = claimed.notLive
    for (const id of claimed.waitsFor) waitsFor.add(id)
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
    circles.get(delivery.lane)!.inFlight += 1
    addUnderWay(delivery)
    const free = once(() => freePlace(delivery.lane))
    const attempt = attempts.make(delivery, claimedAt, free).finally(() => {
      free()
      endUnderWay(delivery)
    })
    underWay.follow(attempt, null)
  }

  function freePlace(lane: Lane) {
    circles.get(lane)!.inFlight -= 1
    if (lane === 'first') handedOver.beginWhatMay()
    if (isFull) onProgress()
  }

  function addUnderWay({ accountId }: OfAccount) {
    underWayOf.set(accountId, (underWayOf.get(accountId) ?? 0) + 1)
  }

  /** A claim is made when the end of an attempt lets something begin, and not at each. */
  function endUnderWay({ endpointId, accountId }: OfAccount) {
    const left = underWayOf.get(accountId)! - 1
    if (left > 0) underWayOf.set(accountId, left)
    else underWayOf.delete(accountId)
    if (waitsFor.has(endpointId) || waitsFor.has(accountId)) onProgress()
  }

  const inFlight = () => underWay.count() + handedOver.inFlight()
  return {
    name: 'deliver',
    everyMs: DELIVERY_ENGINE.claimEveryMs,
    handOver: handedOver.handOver,
    work,
    async nextDue() {
      const due = await nextDue(db.kysely, DELIVERY_QUEUE)
      if (!due || due > clock.now() || inFlight() === 0) return due
      // What is due but was not claimed waits for a place. The end of an attempt wakes us, but not that
      // of another node.
      return new Date(clock.now().getTime() + LEASES_EVERY_MS)
    },
    inFlight,
    halt() {
      isHalted = true
      attempts.halt()
      handedOver.halt()
    },
    async drain() {
      while (inFlight() > 0) await Promise.all([underWay.drain(), handedOver.drain()])
    },
  }
}

const READY_EVERY_TURNS = 8
/** Where a lane's next claim begins, and whether this time round anything was found. */
const NEW_CIRCLE = { after: FIRST_ID, hasFound: false }

type OfAccount = { endpointId: string; accountId: string }

type Deps = AttemptDeps & {
  nodes: Pick<NodeWatch, 'claimId' | 'missing'>
  /** Called when a place becomes free: what waited for it can be claimed. */
  onProgress(): void
}
