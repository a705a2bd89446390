import { createBatcher, type Batcher } from '../../infra/database/batcher.ts'
import { INBOUND_LIMITS } from '../../core/limits/messaging.ts'
import { recordSimpleReceipts, type SimpleReceipt } from '../messaging/record-plain-receipts.sql.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { createReceiptLearner } from './store-ids-from-receipts.ts'
import { ingestBatch, type ChannelEvent, type TakeInBatchDeps } from './ingest-batch.ts'

/** Takes in a fact. Resolves to null or to its fault, and rejects with one of the database. */
export type IngestBatcher = (item: ChannelEvent) => Promise<Error | null>

/**
 * The desk of what providers tell: facts that arrive while others are being taken in are taken in
 * together. A batch that the database refuses is halved until the fact whose fault it is stands alone;
 * taken in twice, a fact is found known.
 *
 * Receipts of messages whose send is known to be accepted hold nothing but these messages, so they go by
 * themselves and wait for nobody's turn; what turns out to be more goes to the others.
 */
export function createIngestBatcher(context: TakeInBatchDeps): IngestBatcher {
  const together = {
    most: INBOUND_LIMITS.mostInABatch,
    atOnce: INBOUND_LIMITS.batchesAtOnce,
    isHalved: true,
  }
  const all = createBatcher({
    ...together,
    run: (facts: readonly ChannelEvent[]) => ingestBatch(context, facts),
  })
  const receipts: Batcher<SimpleReceipt, boolean> = createBatcher({
    ...together,
    run: (batch: readonly SimpleReceipt[]) => recordEach(context, batch),
  })
  const learnOfReceipt = createReceiptLearner(context)
  return async (item) => {
    const receipt = asPlainReceipt(context, item)
    const fault = receipt && (await receipts.ask(receipt)) ? null : await all.ask(item)
    if (fault === null) await learnOfReceipt(item)
    return fault
  }
}

/** Of several receipts of one message the first: what the others change depends on it. */
async function recordEach(
  { db }: Pick<TakeInBatchDeps, 'db'>,
  batch: readonly SimpleReceipt[],
): Promise<boolean[]> {
  const nameOf = (one: SimpleReceipt) => `${one.channelId} ${one.providerMessageId}`
  const first = new Map(batch.toReversed().map((one) => [nameOf(one), one]))
  const asked = batch.filter((one) => first.get(nameOf(one)) === one)
  const areRecorded = await recordSimpleReceipts(db, asked)
  const recorded = new Set(asked.filter((_, place) => areRecorded[place]))
  return batch.map((one) => recorded.has(one))
}

/** Null for what always concerns more than one message. */
function asPlainReceipt(
  { clock }: Pick<TakeInBatchDeps, 'clock'>,
  { channel, fact }: ChannelEvent,
): SimpleReceipt | null {
  if (fact.kind !== 'receipt' || fact.status === 'failed') return null
  if (fact.error || fact.andBefore) return null
  return {
    channelId: channel.id,
    route: channel.route,
    providerMessageId: cleanText(fact.providerMessageId),
    status: fact.status,
    at: readProviderTime(fact.at, clock.now()),
  }
}
