/** A worker on BullMQ and Redis, whose append-only file is synced once a second. */
import { Queue, Worker } from 'bullmq'
import { ATTEMPTS, CONCURRENCY, deliver, serve } from './worker.mjs'

const connection = { path: process.env.REDIS_SOCKET, maxRetriesPerRequest: null }
const options = {
  attempts: ATTEMPTS,
  backoff: { type: 'exponential', delay: 5_000 },
  removeOnComplete: true,
}
const queue = new Queue('deliveries', { connection, defaultJobOptions: options })
await queue.waitUntilReady()
let worker

serve({
  add: (data) => queue.add('post', data),
  async addAll(jobs) {
    await queue.pause()
    for (let done = 0; done < jobs.length; done += 1_000) {
      await queue.addBulk(
        jobs.slice(done, done + 1_000).map((data) => ({ name: 'post', data, opts: options })),
      )
    }
  },
  async go() {
    const process = ({ data }) => deliver(data)
    worker ??= new Worker('deliveries', process, { connection, concurrency: CONCURRENCY })
    await worker.waitUntilReady()
    await queue.resume()
  },
})
