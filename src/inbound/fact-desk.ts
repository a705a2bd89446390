import { gather } from '../database/gather.ts'
import { INBOUND_LIMITS } from '../limits/messaging.ts'
import { takeInBatch, type FactOfChannel, type TakeInBatchDeps } from './take-in-batch.ts'

/** Takes in a fact. Resolves to null or to its fault, and rejects with one of the database. */
export type FactDesk = (item: FactOfChannel) => Promise<Error | null>

/**
 * The desk of what providers tell: facts that arrive while others are being taken in are taken in
 * together. A batch that the database refuses is halved until the fact whose fault it is stands alone;
 * taken in twice, a fact is found known.
 */
export function createFactDesk(context: TakeInBatchDeps): FactDesk {
  const desk = gather({
    most: INBOUND_LIMITS.mostInABatch,
    atOnce: INBOUND_LIMITS.batchesAtOnce,
    isSpaced: true,
    isHalved: true,
    run: (facts: readonly FactOfChannel[]) => takeInBatch(context, facts),
  })
  return desk.ask
}
