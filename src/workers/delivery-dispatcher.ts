/**
 * Eager dispatch: sends deliveries that this process inserted with its own lease, from memory and without a claim
 * query. They use the endpoint data that the inserting statement read. `loadSendState` reads it again, in batches,
 * when the delivery has waited, when this process knows of a later change, or when the outcome of the commit is
 * unknown. A delivery that is not found then was rolled back or claimed by another node, and is not sent. Deliveries
 * that cannot begin soon are released to their queue.
 */
import type { Context } from '../infra/context.ts'
import type {
  EagerDelivery,
  SaturatedEndpoint,
  DeliveryDispatcher,
} from '../infra/database/after-commit.ts'
import { createBatcher } from '../infra/database/batcher.ts'
import { claiming } from '../infra/database/queues/claiming.ts'
import type { LowerBound } from '../infra/database/queues/lower-bound.ts'
import { releaseRows } from '../infra/database/queues/release.sql.ts'
import { DELIVERY_QUEUE } from '../modules/deliveries/claim-deliveries.sql.ts'
import { loadSendState, type ReadyToSend } from '../modules/deliveries/load-send-state.sql.ts'
import { DELIVERY_ENGINE } from '../core/limits/deliveries.ts'
import type { DeliveryExecutor } from './delivery-executor.ts'
import { createUnderWay } from './in-flight.ts'
import { createFairQueue } from './fair-queue.ts'

type Deps = {
  attempts: DeliveryExecutor
  claimId(): string
  /** The lower bound of the queue, which released deliveries may lower. */
  lowerBound: Pick<LowerBound, 'current' | 'lowerTo'>
  /** Takes a slot for a first attempt. Returns false when there is none. */
  takeSlot(): boolean
  /** Releases a slot, after which `beginWhatMay` is called. */
  releaseSlot(): void
  /** Counts a delivery that waits in memory. */
  onTaken(delivery: EagerDelivery): void
  /** Counts the end of a delivery: its attempt is recorded, or will not be made. */
  onEnded(delivery: EagerDelivery): void
  /** Receives endpoints whose slots, or whose account's slots, are all in use. */
  onWaiting(waiting: readonly SaturatedEndpoint[]): void
  /** Reports a released delivery; with `isLive` false its endpoint accepts none. */
  onReleased(delivery: EagerDelivery, isLive: boolean): void
}

/** Creates the dispatcher of deliveries that this process inserted. It attempts them only while slots are free. */
export function createDeliveryDispatcher({ db, clock, log }: Context, deps: Deps) {
  const { attempts } = deps
  const waiting = createFairQueue()
  const underWay = createUnderWay()
  /** Slots in use. */
  let inFlight = 0
  let isHalted = false
  const endpoints = createEndpointsToSendTo({ db, clock }, attempts)
  const releasing = createReleaseBatcher({ db, clock }, attempts)

  function beginWhatMay() {
    if (isHalted) return releaseAll()
    for (let begun = 0; mayBegin(); begun += 1) {
      // The event loop continues first, so that the committing request is answered.
      if (begun === DELIVERY_ENGINE.begunInARow) return void setImmediate(beginWhatMay)
      if (!deps.takeSlot()) return
      const delivery = waiting.next()!
      inFlight += 1
      const free = once(() => {
        inFlight -= 1
        deps.releaseSlot()
      })
      keep(
        claiming(db, delivery, () => send(delivery, free)).finally(() => {
          free()
          deps.onEnded(delivery)
        }),
      )
    }
  }

  const mayBegin = () => !waiting.isEmpty() && inFlight < DELIVERY_ENGINE.inFlightEager

  /** Keeps work for `drain`, which the stop of the process awaits. */
  function keep(work: Promise<void>) {
    const kept = work.catch((error: unknown) => {
      // No attempt was made: the claim is released, or its lease ends, and the delivery is due again.
      log.error({ err: error }, 'dispatched delivery not attempted: due again')
    })
    underWay.follow(kept, null)
  }

  async function send(delivery: EagerDelivery, onAnswered: () => void): Promise<void> {
    const { endpointId } = delivery
    const ready = endpoints.known(delivery) ?? (await endpoints.read(delivery))
    if (!ready) return
    const waitedMs = clock.now().getTime() - delivery.dueAt.getTime()
    const isTooLate = waitedMs > DELIVERY_ENGINE.eagerWaitMs
    const hasSlot = attempts.ofEndpoint(endpointId) < ready.slots
    if (isHalted || isTooLate || !ready.isLive || !hasSlot) {
      await releasing.add(delivery)
      deps.lowerBound.lowerTo(delivery.dueAt)
      deps.onReleased(delivery, ready.isLive)
      return
    }
    const { url, secrets } = ready
    const first = { kind: 'event', queue: 'first', attempts: 0 } as const
    await attempts.make({ ...delivery, ...first, url, secrets }, delivery.dueAt, onAnswered)
  }

  const dispatcher: DeliveryDispatcher = {
    reserve(limit) {
      if (isHalted) return null
      return {
        claimId: deps.claimId(),
        slots: waiting.reserve(limit),
        seen: endpoints.seen(),
        since: deps.lowerBound.current(),
      }
    },
    take(reserved, deliveries, saturated) {
      waiting.take(reserved, deliveries)
      deliveries.forEach(deps.onTaken)
      if (saturated.length > 0) deps.onWaiting(saturated)
      beginWhatMay()
    },
    endpointsChanged: endpoints.changed,
  }

  function releaseAll() {
    for (const delivery of waiting.empty()) keep(releasing.add(delivery))
  }

  return {
    dispatcher,
    /** Begins waiting deliveries; runs whenever a slot for a first attempt becomes free. */
    beginWhatMay,
    inFlight: underWay.count,
    halt() {
      isHalted = true
      releaseAll()
    },
    drain: underWay.drain,
  }
}

/** Creates the reader of endpoints' current state: from the delivery if unchanged, else by one statement per batch. */
function createEndpointsToSendTo(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  attempts: DeliveryExecutor,
) {
  let changes = 0
  const reading = createBatcher<EagerDelivery, ReadyToSend | undefined>({
    maxSize: DELIVERY_ENGINE.outcomesPerBatch,
    async run(deliveries) {
      const found = await attempts.written(() => loadSendState(db.kysely, deliveries, clock.now()))
      return deliveries.map(({ id }) => found.get(id))
    },
  })
  /** Counts the changes of endpoints that this process has made. */
  const seen = () => changes + attempts.failedBatches()
  return {
    seen,
    changed() {
      changes += 1
    },
    /** Returns the endpoint's data that came with the delivery; null when it has to be read again. */
    known({ dueAt, seen: seenBefore, target }: EagerDelivery): ReadyToSend | null {
      // The clock may have been put back.
      const waitedMs = Math.abs(clock.now().getTime() - dueAt.getTime())
      const isOfNow = seenBefore === seen() && waitedMs < DELIVERY_ENGINE.endpointKnownMs
      return isOfNow && target !== null ? { ...target, isLive: true } : null
    },
    read: reading.add,
  }
}

/** Creates the function that releases deliveries that cannot begin soon, in one statement per batch. */
function createReleaseBatcher(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  attempts: DeliveryExecutor,
) {
  return createBatcher<EagerDelivery, void>({
    maxSize: DELIVERY_ENGINE.readyBatch,
    async run(deliveries) {
      await attempts.written(() => releaseRows(db.kysely, DELIVERY_QUEUE, deliveries, clock.now()))
      return []
    },
  })
}

/** Returns a function that calls `work` the first time, and then does nothing. */
export function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
