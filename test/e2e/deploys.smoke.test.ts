/**
 * The service is stopped by SIGTERM and started again, as in a deploy, while shops post through a proxy that keeps
 * its connections. A proxy cannot send a POST again: a request without an answer must be repeated by the shop.
 */
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import type { HookResponse } from '../../src/contract/hook-response.ts'
import { orderOf } from '../support/post-hook.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { listenLocally } from '../support/local-server.ts'
import { openKillableWorld } from '../support/killable-world.ts'
import { createRandom } from '../support/random.ts'
import { runsOf } from '../support/records/runs.ts'
import { createShops } from '../support/shop.ts'
import { repeatDuring, waitUntil } from '../support/wait.ts'

const DEPLOYS = IS_FULL_SIZE ? 20 : 2
const CONNECTIONS = 50
/** Enough shops to keep every hook URL within its requests of a minute. */
const SHOPS = 20
const MINUTE_MS = 61_000

const random = createRandom('deploys')
const { world, serve } = await openKillableWorld()
const service = await serve({ STOP_DELAY_SECONDS: '1' })
const shops = await createShops(world, SHOPS)

const kept = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const toProxy = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
/** The connection headers of the answers since the signal. */
let connectionsSaid: (string | undefined)[] | null = null

const proxy = createServer((inbound, outbound) => {
  const { method, headers, url } = inbound
  const onward = request(`${service.url}${url}`, { method, headers, agent: kept })
  onward.once('response', (answer) => {
    connectionsSaid?.push(answer.headers.connection)
    outbound.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] })
    answer.pipe(outbound)
  })
  onward.once('error', () => {
    if (!outbound.headersSent) outbound.writeHead(502)
    outbound.end('{}')
  })
  inbound.pipe(onward)
})
const { port, close } = await listenLocally(proxy)
afterAll(async () => {
  kept.destroy()
  toProxy.destroy()
  await close()
})

function send(
  url: string,
  options: { method?: string; headers?: Record<string, string> },
  body = '',
) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, { ...options, agent: toProxy })
    .once('response', resolve)
    .once('error', reject)
    .end(body)
  return promise
}

let orders = 0
const accepted = new Set<string>()

async function postOrder(): Promise<void> {
  orders += 1
  const { body, headers } = orderOf(orders)
  const answer = await send(
    `http://127.0.0.1:${port}/hooks/${shops[orders % SHOPS]!.hookToken}`,
    { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
    JSON.stringify(body),
  )
  const { id } = (await json(answer)) as HookResponse
  if (answer.statusCode === 202) accepted.add(id!)
}

test(
  `Over ${DEPLOYS} deploys under load no request that started a run is left without an answer`,
  async () => {
    for (let deploy = 0; deploy < DEPLOYS; deploy += 1) {
      await service.startLater(MINUTE_MS)
      const before = accepted.size
      const said: typeof connectionsSaid = []
      const stop = async () => {
        const enough = before + 20 + Math.floor(random() * 200)
        await waitUntil('orders are accepted', () => accepted.size >= enough)
        connectionsSaid = said
        expect(await service.stop()).toBe(0)
      }
      await repeatDuring('orders', postOrder, stop, { withinMs: 60_000, workers: CONNECTIONS })
      // An answer from before the signal may be read after it, but not as the last one.
      expect(said.at(-1)).toBe('close')
      connectionsSaid = null
    }
    const runs = await Promise.all(shops.map(({ companyId }) => runsOf(world, { companyId })))
    const unanswered = runs.flat().filter(({ id }) => !accepted.has(id))
    expect(unanswered).toEqual([])
    expect(runs.flat().length).toBe(accepted.size)
  },
  DEPLOYS * 60_000,
)
