import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import { ATTEMPTS, CONCURRENCY, deliver, serve } from './worker.mjs'

/** Serves the bench with these settings of a worker. */
export async function serveGraphileWorker(settings) {
  const pgPool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
  pgPool.on('error', () => {})
  pgPool.on('connect', (client) => client.on('error', () => {}))
  const utils = await makeWorkerUtils({ pgPool })
  await utils.migrate()
  let runner

  serve({
    add: (payload) => utils.addJob('post', payload, { maxAttempts: ATTEMPTS }),
    addAll: (jobs) =>
      utils.addJobs(
        jobs.map((payload) => ({ identifier: 'post', payload, maxAttempts: ATTEMPTS })),
      ),
    async go() {
      const taskList = { post: (payload) => deliver(payload) }
      const logger = new Logger(() => () => {})
      const worker = { concurrentJobs: CONCURRENCY, ...settings }
      runner ??= await run({ pgPool, taskList, logger, preset: { worker } })
    },
  })
}
