/** The slots of each queue of deliveries in this process, and the round robin of its claims over the endpoints. */
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
  release(queue: DeliveryQueue): void
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

/**
 * The state of a queue's round robin over the endpoints: after which endpoint the next claim begins, and whether this
 * round has found deliveries.
 */
const NEW_ROUND = { after: FIRST_ID, hasFound: false }

/** Creates the slots of all queues of deliveries, all free, with each queue's first claim at the first endpoint. */
export function createQueueSlots(): QueueSlots {
  const rounds = new Map(DELIVERY_QUEUES.map((queue) => [queue, { inFlight: 0, ...NEW_ROUND }]))
  const of = (queue: DeliveryQueue) => rounds.get(queue)!
  const freeIn = (queue: DeliveryQueue) => DELIVERY_ENGINE.inFlight[queue] - of(queue).inFlight
  let isFull = false

  /**
   * Continues a queue's round robin: each claim reads some endpoints, and a round ends after the last one. Returns
   * whether there may be more deliveries, as after a round that found some.
   */
  function continueRound(
    queue: DeliveryQueue,
    hasClaimed: boolean,
    next: string | undefined,
  ): boolean {
    const round = of(queue)
    round.hasFound ||= hasClaimed
    if (next !== undefined) {
      round.after = next
      return true
    }
    const { hasFound } = round
    Object.assign(round, NEW_ROUND)
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
    release(queue) {
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
      const isMore = queues.map(({ queue }) =>
        continueRound(queue, inQueue(queue) > 0, next[queue]),
      )
      return isMore.some(Boolean)
    },
  }
}
