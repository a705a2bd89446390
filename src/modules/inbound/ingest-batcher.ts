import { createBatcher, type Batcher } from '../../infra/database/batcher.ts'
import { INBOUND_LIMITS } from '../../core/limits/messaging.ts'
import {
  recordSimpleReceipts,
  type SimpleReceipt,
} from '../messaging/record-simple-receipts.sql.ts'
import { readProviderTime } from '../../rules/messaging/provider-time.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { createReceiptIdRecorder } from './store-ids-from-receipts.ts'
import { ingestBatch, type ChannelEvent, type IngestBatchDeps } from './ingest-batch.ts'

/**
 * Ingests an event in a batch with others. Resolves to null or to the event's own error, and rejects on database
 * errors.
 */
export type IngestBatcher = (item: ChannelEvent) => Promise<Error | null>

/**
 * Creates the function that ingests provider events in batches. Two batches may run concurrently, so an event may be
 * ingested before one that was given earlier. A batch that the database refuses is bisected until the faulty event
 * fails alone; ingestion is idempotent.
 *
 * Receipts of accepted messages take a fast path, as they lock only these messages; those that turn out to need more
 * are ingested with the others.
 */
export function createIngestBatcher(context: IngestBatchDeps): IngestBatcher {
  const options = {
    maxSize: INBOUND_LIMITS.maxBatchSize,
    maxConcurrent: INBOUND_LIMITS.maxConcurrentBatches,
    bisectOnError: true,
  }
  const all = createBatcher({
    ...options,
    run: (events: readonly ChannelEvent[]) => ingestBatch(context, events),
  })
  const receipts: Batcher<SimpleReceipt, boolean> = createBatcher({
    ...options,
    run: (batch: readonly SimpleReceipt[]) => recordEach(context, batch),
  })
  const recordReceiptIds = createReceiptIdRecorder(context)
  return async (item) => {
    const receipt = toSimpleReceipt(context, item)
    const failure = receipt && (await receipts.add(receipt)) ? null : await all.add(item)
    if (failure === null) await recordReceiptIds(item)
    return failure
  }
}

/**
 * Records the first receipt of each message, because the effect of the others depends on it. Returns for each receipt
 * whether it is recorded.
 */
async function recordEach(
  { db }: Pick<IngestBatchDeps, 'db'>,
  batch: readonly SimpleReceipt[],
): Promise<boolean[]> {
  const nameOf = (one: SimpleReceipt) => `${one.channelId} ${one.providerMessageId}`
  const first = new Map(batch.toReversed().map((one) => [nameOf(one), one]))
  const distinct = batch.filter((one) => first.get(nameOf(one)) === one)
  const areRecorded = await recordSimpleReceipts(db, distinct)
  const recorded = new Set(distinct.filter((_, index) => areRecorded[index]))
  return batch.map((one) => recorded.has(one))
}

/** Returns the receipt for the fast path, or null when it always concerns more than one message. */
function toSimpleReceipt(
  { clock }: Pick<IngestBatchDeps, 'clock'>,
  { channel, event }: ChannelEvent,
): SimpleReceipt | null {
  if (event.kind !== 'receipt' || event.status === 'failed') return null
  if (event.error || event.andBefore) return null
  return {
    channelId: channel.id,
    route: channel.route,
    providerMessageId: cleanText(event.providerMessageId),
    status: event.status,
    at: readProviderTime(event.at, clock.now()),
  }
}
