/** A worker on graphile-worker and PostgreSQL, with settings as shipped but for how many jobs it works on at once. */
import { serveGraphileWorker } from './serve-graphile-worker.mjs'

await serveGraphileWorker({})
