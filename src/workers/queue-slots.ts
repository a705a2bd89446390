/** The slots of each queue of deliveries in this process, and the progress of its claims through the endpoints. */
import { FIRST_ID } from '../infra/database/queues/queue.ts'
import {
  LANES,
  type Claimed,
  type Lane,
  type LaneToClaim,
} from '../modules/deliveries/claim-deliveries.sql.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'

export type QueueSlots = {
  take(lane: Lane): void
  /** Takes a slot if one is free. Returns whether there was one. */
  takeIfFree(lane: Lane): boolean
  giveBack(lane: Lane): void
  /** Returns whether a delivery waits for a slot of its queue. */
  isFull(): boolean
  /** Returns the queues with free slots, at most `limit` each, and the endpoint after which their next claim looks. */
  toClaim(limit: number): LaneToClaim[]
  /** Records what a claim of these queues has found. Returns whether there may be more. */
  claimed(lanes: readonly LaneToClaim[], found: Claimed): boolean
}

/** The state of a queue's round: the endpoint where the next claim begins, and whether the round has found anything. */
const NEW_CIRCLE = { after: FIRST_ID, hasFound: false }

export function createQueueSlots(): QueueSlots {
  const circles = new Map(LANES.map((lane) => [lane, { inFlight: 0, ...NEW_CIRCLE }]))
  const of = (lane: Lane) => circles.get(lane)!
  const freeIn = (lane: Lane) => DELIVERY_ENGINE.inFlight[lane] - of(lane).inFlight
  let isFull = false

  /**
   * Continues a queue's round. Endpoints are read in rounds, part by part; after a round that found deliveries there
   * may be more.
   */
  function goOn(lane: Lane, hasClaimed: boolean, next: string | undefined): boolean {
    const circle = of(lane)
    circle.hasFound ||= hasClaimed
    if (next !== undefined) {
      circle.after = next
      return true
    }
    const { hasFound } = circle
    Object.assign(circle, NEW_CIRCLE)
    return hasFound
  }

  return {
    take(lane) {
      of(lane).inFlight += 1
    },
    takeIfFree(lane) {
      if (freeIn(lane) <= 0) return false
      of(lane).inFlight += 1
      return true
    },
    giveBack(lane) {
      of(lane).inFlight -= 1
    },
    isFull: () => isFull,
    toClaim(limit) {
      const lanes = LANES.flatMap((lane) => {
        const free = freeIn(lane)
        if (free > 0) return [{ lane, free: Math.min(free, limit), after: of(lane).after }]
        // What was read is outdated when a slot becomes free, so another round has to follow.
        of(lane).hasFound = true
        return []
      })
      isFull = lanes.length < LANES.length
      return lanes
    },
    claimed(lanes, { deliveries, next }) {
      const inLane = (lane: Lane) => deliveries.filter((delivery) => delivery.lane === lane).length
      isFull ||= lanes.some(({ lane, free }) => inLane(lane) >= free)
      const isMore = lanes.map(({ lane }) => goOn(lane, inLane(lane) > 0, next[lane]))
      return isMore.some(Boolean)
    },
  }
}
