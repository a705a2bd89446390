/** The slots of each queue of deliveries in this process, and the progress of its claims through the endpoints. */
import { FIRST_ID } from '../infra/database/queues/queue.ts'
import {
  DELIVERY_QUEUES,
  type Claimed,
  type DeliveryQueue,
  type QueueToClaim,
} from '../modules/deliveries/claim-deliveries.sql.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'

/** The free slots of each queue of deliveries in this process, and the endpoint after which its next claim looks. */
export type QueueSlots = {
  take(queue: DeliveryQueue): void
  /** Takes a slot if one is free. Returns whether there was one. */
  takeIfFree(queue: DeliveryQueue): boolean
  giveBack(queue: DeliveryQueue): void
  /**
   * Returns whether deliveries may wait for a slot of their queue: the last claim found none free, or took as many as
   * it asked for.
   */
  isFull(): boolean
  /** Returns the queues with free slots, at most `limit` each, and the endpoint after which their next claim looks. */
  toClaim(limit: number): QueueToClaim[]
  /** Records what a claim of these queues has found. Returns whether there may be more. */
  claimed(queues: readonly QueueToClaim[], found: Claimed): boolean
}

/** The state of a queue's round: the endpoint where the next claim begins, and whether the round has found anything. */
const NEW_CIRCLE = { after: FIRST_ID, hasFound: false }

/** Creates the slots of all queues of deliveries, all free, with each queue's first claim at the first endpoint. */
export function createQueueSlots(): QueueSlots {
  const circles = new Map(DELIVERY_QUEUES.map((queue) => [queue, { inFlight: 0, ...NEW_CIRCLE }]))
  const of = (queue: DeliveryQueue) => circles.get(queue)!
  const freeIn = (queue: DeliveryQueue) => DELIVERY_ENGINE.inFlight[queue] - of(queue).inFlight
  let isFull = false

  /**
   * Continues a queue's round: endpoints are read in rounds, part by part. Returns whether there may be more
   * deliveries, as after a round that found some.
   */
  function goOn(queue: DeliveryQueue, hasClaimed: boolean, next: string | undefined): boolean {
    const circle = of(queue)
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
    take(queue) {
      of(queue).inFlight += 1
    },
    takeIfFree(queue) {
      if (freeIn(queue) <= 0) return false
      of(queue).inFlight += 1
      return true
    },
    giveBack(queue) {
      of(queue).inFlight -= 1
    },
    isFull: () => isFull,
    toClaim(limit) {
      const queues = DELIVERY_QUEUES.flatMap((queue) => {
        const free = freeIn(queue)
        if (free > 0) return [{ queue, free: Math.min(free, limit), after: of(queue).after }]
        // What was read is outdated when a slot becomes free, so another round has to follow.
        of(queue).hasFound = true
        return []
      })
      isFull = queues.length < DELIVERY_QUEUES.length
      return queues
    },
    claimed(queues, { deliveries, next }) {
      const inQueue = (queue: DeliveryQueue) =>
        deliveries.filter((delivery) => delivery.queue === queue).length
      isFull ||= queues.some(({ queue, free }) => inQueue(queue) >= free)
      const isMore = queues.map(({ queue }) => goOn(queue, inQueue(queue) > 0, next[queue]))
      return isMore.some(Boolean)
    },
  }
}
