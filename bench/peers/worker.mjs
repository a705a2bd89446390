/**
 * The parts that all workers share: the signed post of a job, and the messages of the bench. A job has what such a worker
 * would be given: the URL and the secret of the endpoint, and the body.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** Concurrent posts of one worker. */
export const CONCURRENCY = 64
/** Attempts of a job, each one later than the one before, as the service's own are. */
export const ATTEMPTS = 8

const dispatcher = new Agent({ connect: { ca: readFileSync(process.env.EXTRA_CA_FILE) } })

/** Signs and posts a job. Rejects unless the endpoint answers 2xx within 15 s, the service's own limit. */
export async function deliver({ url, secret, body }) {
  const at = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('base64')
  const { statusCode, body: answer } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': `t=${at},v1=${signature}` },
    body,
    headersTimeout: 15_000,
  })
  await answer.dump()
  if (statusCode < 200 || statusCode > 299) throw new Error(`answered ${statusCode}`)
}

const SECRET = 'whsec_of_the_bench_0123456789abcdef'
const jobOf = (urls, nth) => ({
  url: urls[nth % urls.length],
  secret: SECRET,
  body: JSON.stringify({ data: { message: `${nth}` }, pad: 'x'.repeat(900) }),
})

/**
 * Handles the messages of the bench. `fill` adds jobs while no worker runs, or in one commit where the library cannot
 * pause. `go` lets the worker run. `raise` adds jobs one by one at a rate, and returns when each was accepted.
 */
export function serve({ add, addAll, go }) {
  const handlers = {
    async fill({ urls, count }) {
      await addAll(Array.from({ length: count }, (_, nth) => jobOf(urls, nth)))
      process.send('filled')
    },
    async go() {
      await go()
      process.send('going')
    },
    async raise({ urls, total, aSecond }) {
      const accepted = []
      const adding = []
      const startedAt = performance.now()
      for (let nth = 0; nth < total; nth += 1) {
        const waitMs = startedAt + (nth * 1_000) / aSecond - performance.now()
        if (waitMs > 0) await pause(waitMs)
        const added = add(jobOf(urls, nth)).then(() => {
          accepted[nth] = performance.timeOrigin + performance.now()
        })
        adding.push(added)
      }
      await Promise.all(adding)
      process.send(accepted)
    },
  }
  process.on('message', (message) => void handlers[message.kind](message))
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  process.send('ready')
}
