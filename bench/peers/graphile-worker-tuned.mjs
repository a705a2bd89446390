/** A worker on graphile-worker that takes and completes jobs in batches, as the library's page on performance advises. */
import { serveGraphileWorker } from './serve-graphile-worker.mjs'
import { CONCURRENCY } from './worker.mjs'

await serveGraphileWorker({ localQueue: { size: 2 * CONCURRENCY }, completeJobBatchDelay: 0 })
