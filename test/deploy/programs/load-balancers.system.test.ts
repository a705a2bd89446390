/** The samples of load balancers, started as they are but for addresses and files. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { HookResponse } from '../../../src/contract/hook-response.ts'
import { HOOK_LIMITS } from '../../../src/core/limits/hooks.ts'
import { createAuthority, createCertificate } from '../../egress/support/certificates.ts'
import { orderOf } from '../../support/post-hook.ts'
import { freePort } from '../../support/free-port.ts'
import { editSample, openFolder, startProgram, writeIn } from '../../support/installed-program.ts'
import { openKillableWorld, type ServiceProcess } from '../../support/killable-world.ts'
import { runsOf } from '../../support/records/runs.ts'
import { createShops, type Shop } from '../../support/shop.ts'
import { repeatWhile } from '../../support/wait.ts'

const HOST = 'hooks.example.com'
const PROCESSES = 3
/** Enough shops to keep each hook URL within its requests of a minute. */
const SHOPS = 60
const A_SECOND = Number(process.env.DEPLOY_RATE ?? 30)
const SECONDS = 20
/** Enough addresses of clients to keep each within its requests of a minute. */
const ADDRESSES = 200
const LONGEST_MS = 300_000

const authority = await createAuthority()
const pair = await createCertificate([HOST], { authority })
const folder = openFolder()
const { world, serve } = await openKillableWorld()
let shops: Shop[]
const processes: ServiceProcess[] = []
beforeAll(async () => {
  shops = await createShops(world, SHOPS)
  for (let nth = 0; nth < PROCESSES; nth += 1) {
    processes.push(await serve({ STOP_DELAY_SECONDS: '3' }))
  }
  await Promise.all(processes.map((one) => one.start()))
}, LONGEST_MS)

type Ports = { https: number; http: number }
/** Starts a program in front of servers, given as host and port. Returns the function that ends it. */
type Start = (servers: readonly string[], ports: Ports) => Promise<() => Promise<void>>

const START: Record<string, Start> = {
  nginx(servers, ports) {
    const oneServer = '  server 127.0.0.1:4080 max_fails=1 fail_timeout=1s;'
    const allServers = servers.map((one) => oneServer.replace('127.0.0.1:4080', one))
    const sample = editSample('nginx.conf', [
      [oneServer, allServers.join('\n')],
      ['listen 443', `listen 127.0.0.1:${ports.https}`],
      ['listen 80;', `listen 127.0.0.1:${ports.http};`],
      ['listen [::]:443 ssl http2;', ''],
      ['listen [::]:80;', ''],
      ['/etc/ssl/certs/hooks.example.com.pem', writeIn(folder, 'nginx.pem', pair.cert)],
      ['/etc/ssl/private/hooks.example.com.key', writeIn(folder, 'nginx.key', pair.key)],
      ['/var/log/nginx', folder],
    ])
    const process = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}`
    const file = writeIn(folder, 'nginx.conf', `${process} http {\n${sample}\n}`)
    return startProgram('nginx', ['-c', file], { port: ports.https })
  },
  haproxy(servers, ports) {
    const oneServer = '  server one 127.0.0.1:4080'
    const allServers = servers.map((one, nth) => `  server process${nth} ${one}`)
    const sample = editSample('haproxy.cfg', [
      [oneServer, allServers.join('\n')],
      ['bind :443', `bind 127.0.0.1:${ports.https}`],
      ['bind :80', `bind 127.0.0.1:${ports.http}`],
      [
        '/etc/haproxy/hooks.example.com.pem',
        writeIn(folder, 'haproxy.pem', `${pair.cert}\n${pair.key}`),
      ],
      ['  log 127.0.0.1:514 local0', ''],
    ])
    const file = writeIn(folder, 'haproxy.cfg', sample)
    return startProgram('haproxy', ['-f', file], { port: ports.https })
  },
}

type Answer = { status: number; body: unknown; tookMs: number }

/** Posts JSON over HTTPS from one of the addresses of this machine. */
async function post(
  { agent, port, from }: { agent: Agent; port: number; from: number },
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const startedMs = performance.now()
  const target = { host: '127.0.0.1', port, path, localAddress: `127.0.1.${1 + from}` }
  const sent = { host: HOST, 'content-type': 'application/json', ...headers }
  const asked = request({ ...target, method: 'POST', servername: HOST, agent, headers: sent })
  asked.end(JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  // A balancer's own refusal is a page.
  const read = await json(answer).catch(() => null)
  return { status: answer.statusCode!, body: read, tookMs: performance.now() - startedMs }
}

describe.each(Object.keys(START))('Behind %s', (program) => {
  const agent = new Agent({ keepAlive: true, ca: authority.cert, maxSockets: 50 })
  let ports: Ports
  beforeAll(async () => {
    ports = { https: await freePort(), http: await freePort() }
    const servers = processes.map(({ url }) => new URL(url).host)
    // The hook ends what it has started.
    return START[program]!(servers, ports)
  })

  test('a hook over plain HTTP is refused, and any other path is redirected to HTTPS', async () => {
    const plain = (path: string) =>
      fetch(`http://127.0.0.1:${ports.http}${path}`, { method: 'POST', redirect: 'manual' })
    expect((await plain('/hooks/hook_x')).status).toBe(403)
    expect((await plain('/api/anything')).status).toBe(308)
  })

  test('a client has one address, whatever addresses it claims', async () => {
    const statuses: number[] = []
    // Each process counts alone.
    const all = PROCESSES * HOOK_LIMITS.requestsPerAddressPerMinute
    for (let nth = 0; nth <= all; nth += 1) {
      const claimed = { 'x-forwarded-for': `203.0.113.${nth}` }
      const path = `/hooks/${shops[nth % SHOPS]!.hookToken}`
      const answer = await post({ agent, port: ports.https, from: ADDRESSES }, path, {}, claimed)
      statuses.push(answer.status)
    }
    expect(statuses.at(0)).toBe(422)
    expect(statuses.at(-1)).toBe(429)
  })

  /** Posts orders until `isOver`. Returns the ids of the runs, the times in ms, and what failed. */
  async function order(isOver: () => boolean) {
    const result = { accepted: [] as string[], times: [] as number[], failed: [] as unknown[] }
    async function postOne(nth: number) {
      const { body, headers } = orderOf(ports.https * 100 + nth)
      const key = { 'idempotency-key': headers['idempotency-key'] }
      const path = `/hooks/${shops[nth % SHOPS]!.hookToken}`
      try {
        const answer = await post(
          { agent, port: ports.https, from: nth % ADDRESSES },
          path,
          body,
          key,
        )
        result.times.push(answer.tookMs)
        if (answer.status === 202) result.accepted.push((answer.body as HookResponse).id!)
        else result.failed.push(answer)
      } catch (error) {
        result.failed.push(error)
      }
    }
    const posts: Promise<void>[] = []
    const postNext = () => {
      posts.push(postOne(posts.length))
      return pause(1_000 / A_SECOND)
    }
    await repeatWhile('orders', () => !isOver(), postNext, { withinMs: LONGEST_MS })
    await Promise.all(posts)
    return result
  }

  test(
    'no hook fails while all processes are restarted one after the other',
    async () => {
      const endsAtMs = performance.now() + SECONDS * 1_000
      let isRestarted = false
      async function restart() {
        for (const one of processes) {
          await one.stop()
          await one.start()
          // The balancer looks for a process that is back twice a second.
          await pause(1_000)
        }
        isRestarted = true
      }
      const [{ accepted, times, failed }] = await Promise.all([
        order(() => isRestarted && performance.now() > endsAtMs),
        restart(),
      ])
      const at = (share: number) =>
        times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!.toFixed(0)
      console.log(
        `${program}: ${times.length} hooks at ${A_SECOND} a second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
      )
      expect(failed).toEqual([])
      const runs = await Promise.all(shops.map(({ companyId }) => runsOf(world, { companyId })))
      const ids = new Set(runs.flat().map(({ id }) => id))
      expect(accepted.filter((id) => !ids.has(id))).toEqual([])
    },
    LONGEST_MS,
  )
})
