/**
 * A cluster as the guides describe it: two PostgreSQL servers behind one address, three processes of the service, a
 * provider and a receiver. The merchant repeats an order until it is accepted.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { startSimulators } from '../../simulators/index.ts'
import { readConfig } from '../../src/app/config.ts'
import { createService } from '../../src/app/create-service.ts'
import { orderOf, postHook } from './post-hook.ts'
import { createDatabaseProxy, type DatabaseProxy } from './database-proxy.ts'
import { freePort } from './free-port.ts'
import { startBalancer } from './balancer.ts'
import { createKillableService, type KillableService } from './killable-service.ts'
import { startTestReceiver } from './receiver.ts'
import { startReplicatedPostgres, type ReplicatedPostgres } from './replicated-postgres.ts'
import { ACCESS_TOKEN, APP_SECRET, createShop, ORDER_READY_STEPS, type Shop } from './shop.ts'
import { approved } from './simulator.ts'
import { connectionUrl } from './test-service.ts'
import { waitUntil } from './wait.ts'

const PROCESSES = 3
/** Enough shops to keep each hook URL within its requests of a minute. */
const SHOPS = 60
/** A merchant's own time-out. */
const ANSWERED_WITHIN_MS = 5_000

/** The merchant's record of one order. */
export type Order = {
  nth: number
  phone: string
  runId: string
  answers: number
  acceptedAt: number
}

export type Cluster = {
  postgres: ReplicatedPostgres
  /** The address of the database. */
  proxy: DatabaseProxy
  processes: KillableService[]
  /** Posts orders at a rate, and repeats each until it is accepted. */
  order(count: number, aSecond: number): Promise<Order[]>
  /** Waits until all orders have ended, or for at most this time. Returns the lost orders and the doubled ones. */
  settle(orders: readonly Order[], withinMs: number): Promise<{ lost: string[]; doubled: string[] }>
  /** Repeats orders that were accepted, and returns those that are answered as if they were new. */
  forgotten(orders: readonly Order[]): Promise<number[]>
  /** Returns the times at which templates arrived at the provider, by phone number. */
  templates(): Map<string, number[]>
  close(): Promise<void>
}

export async function openCluster({ isSynchronous }: { isSynchronous: boolean }): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-cluster-'))
  const postgres = await startReplicatedPostgres(inject('cluster'), { isSynchronous })
  const proxy = await createDatabaseProxy(postgres.primary.connection)
  const receiver = await startTestReceiver()
  const ports = await Promise.all(Array.from({ length: PROCESSES }, freePort))
  const balancer = await startBalancer(ports)
  const { whatsApp, close: closeSimulators } = await startSimulators(
    { clock: { now: () => new Date() } },
    { whatsApp: { stepMs: 0 } },
  )
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, receiver.certificate)
  const settings = {
    DATABASE_URL: connectionUrl(proxy.connection),
    DATABASE_POOL: '8',
    DEMONSTRATION: 'off',
    EGRESS_ALLOW: '127.0.0.0/8',
    EXTRA_CA_FILE: caFile,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    SIMULATOR_URL: whatsApp.baseUrl,
  }
  const processes = ports.map((port) =>
    createKillableService({
      ...settings,
      DATA_FOLDER: path.join(folder, String(port)),
      PORT: String(port),
    }),
  )
  const shops = await makeShops({ ...settings, DATA_FOLDER: folder, PORT: '0' }, folder, receiver)
  for (const { phoneNumberId, businessAccountId } of shops) {
    whatsApp.addNumber({
      phoneNumberId,
      businessAccountId,
      displayPhoneNumber: '15550783881',
      verifiedName: 'Shop',
      accessToken: ACCESS_TOKEN,
      appSecret: APP_SECRET,
      webhookUrl: `http://127.0.0.1:${balancer.port}/webhooks/whatsapp`,
      templates: ['ar', 'en'].map((language) => approved('order_ready', language)),
    })
  }
  await Promise.all(processes.map((one) => one.start()))

  let orders = 0
  const knownRuns = new Set<string>()

  /** Posts an order to one of the processes. Returns null when it does not answer. */
  async function post(nth: number, turn: number) {
    const { body, headers } = orderOf(nth)
    const url = `http://127.0.0.1:${ports[turn % PROCESSES]}/hooks/${shops[nth % SHOPS]!.hookToken}`
    return postHook(url, body, headers, ANSWERED_WITHIN_MS).catch(() => null)
  }

  async function orderOnce(): Promise<Order> {
    const nth = (orders += 1)
    const phone = orderOf(nth).body.customer.phone.slice(1)
    const order = { nth, phone, runId: '', answers: 0, acceptedAt: 0 }
    const isAccepted = async () => {
      const answer = await post(nth, nth + order.answers)
      order.answers += 1
      if (answer?.http !== 202 && answer?.http !== 200) return false
      order.runId = answer.id!
      order.acceptedAt = Date.now()
      knownRuns.add(order.runId)
      return true
    }
    await waitUntil('an order is accepted', isAccepted, { withinMs: 120_000, everyMs: 100 })
    return order
  }

  function templates() {
    const arrived = new Map<string, number[]>()
    for (const { to, at } of whatsApp.messages()) {
      const phone = to.replace('+', '')
      arrived.set(phone, [...(arrived.get(phone) ?? []), at.getTime()])
    }
    return arrived
  }

  /** The ids of the events by which each run's end was reported: one, however often it was delivered. */
  function endsByRun() {
    const ends = new Map<string, Set<string>>()
    for (const event of receiver.events()) {
      if (!event.type.startsWith('flow.')) continue
      const { run } = event.data as { run: { id: string } }
      ends.set(run.id, (ends.get(run.id) ?? new Set()).add(event.id))
    }
    return ends
  }

  return {
    postgres,
    proxy,
    processes,
    templates,
    async order(count, aSecond) {
      const placed: Promise<Order>[] = []
      for (let nth = 0; nth < count; nth += 1) {
        placed.push(orderOnce())
        await pause(1_000 / aSecond)
      }
      return Promise.all(placed)
    },
    async settle(placed, withinMs) {
      const isOver = () => {
        const [sent, ends] = [templates(), endsByRun()]
        return placed.every(({ phone, runId }) => sent.has(phone) && ends.has(runId))
      }
      // Orders that are missing after this time are lost.
      await waitUntil('the end of all orders', isOver, { withinMs, everyMs: 500 }).catch(() => {})
      const [sent, ends] = [templates(), endsByRun()]
      return {
        lost: placed
          .filter(({ phone, runId }) => !sent.has(phone) || !ends.has(runId))
          .map(({ phone }) => phone),
        doubled: [
          ...placed
            .filter(({ phone }) => (sent.get(phone) ?? []).length > 1)
            .map(({ phone }) => phone),
          ...[...ends].filter(([, ids]) => ids.size > 1).map(([runId]) => runId),
          // A run that no order knows was started by a repeat of one.
          ...[...ends.keys()].filter((runId) => !knownRuns.has(runId)),
        ],
      }
    },
    async forgotten(placed) {
      const answers = await Promise.all(placed.map(({ nth }) => post(nth, nth)))
      return placed
        .filter((order, index) => answers[index]?.id !== order.runId)
        .map(({ nth }) => nth)
    },
    async close() {
      await Promise.all(processes.map((one) => one.stop()))
      await closeSimulators()
      await balancer.close()
      await proxy.close()
      await postgres.close()
      await receiver.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function makeShops(
  env: Record<string, string>,
  folder: string,
  receiver: Awaited<ReturnType<typeof startTestReceiver>>,
): Promise<Shop[]> {
  const service = await createService(readConfig(env, [], folder))
  const { tell, finish } = ORDER_READY_STEPS
  const shops: Shop[] = []
  for (let nth = 0; nth < SHOPS; nth += 1) {
    const around = { service, receiver, url: '' }
    const steps = { tell: { ...tell, next: 'finish' }, finish }
    shops.push(
      await createShop(around, {
        phoneNumberId: `1000${nth}`,
        businessAccountId: `2000${nth}`,
        steps,
      }),
    )
  }
  await service.context.db.pool.query('update account set templates_per_day = 1000000')
  await service.stop()
  return shops
}
