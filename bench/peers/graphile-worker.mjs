/** A worker on graphile-worker and PostgreSQL, with the default settings except for the number of concurrent jobs. */
import { serveGraphileWorker } from './serve-graphile-worker.mjs'

await serveGraphileWorker({})
