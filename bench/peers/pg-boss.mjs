/** A worker on pg-boss and PostgreSQL: woken by notifications, fetching on while batches are full. */
import { PgBoss } from 'pg-boss'
import { ATTEMPTS, CONCURRENCY, deliver, serve } from './worker.mjs'

/** Each worker of a process takes a batch and completes it as one. */
const WORKERS = 4

const boss = new PgBoss({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  useListenNotify: true,
})
boss.on('error', () => {})
await boss.start()
const retries = { retryLimit: ATTEMPTS - 1, retryDelay: 5, retryBackoff: true }
await boss.createQueue('post', { ...retries, notify: true })
let isGoing = false

serve({
  add: (data) => boss.send('post', data),
  addAll: (jobs) =>
    boss.insert(
      'post',
      jobs.map((data) => ({ data })),
    ),
  async go() {
    if (isGoing) return
    isGoing = true
    const options = {
      batchSize: CONCURRENCY / WORKERS,
      localConcurrency: WORKERS,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    }
    await boss.work('post', options, (jobs) => Promise.all(jobs.map(({ data }) => deliver(data))))
  },
})
