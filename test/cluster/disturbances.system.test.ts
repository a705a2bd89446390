/** A cluster that is disturbed loses no accepted order and does nothing twice, by the merchant's own books. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCluster, type Cluster, type Order } from '../support/cluster.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

/** Orders of each disturbance: `CLUSTER_ORDERS` asks for more. */
const ORDERS = Number(process.env.CLUSTER_ORDERS ?? 120)
const A_SECOND = Number(process.env.CLUSTER_RATE ?? 15)
/** A process that died leaves leases of a minute. */
const SETTLED_WITHIN_MS = 90_000
/** Orders that a failover lost come to no end. */
const LOST_AFTER_MS = 5_000
/** The number of orders, the latest before the disturbance was over, that the merchant repeats in the end. */
const REPEATED = 100
/** The part of the orders that is placed before the disturbance. */
const DISTURBED_AFTER_MS = (ORDERS / A_SECOND) * 1_000 * 0.3
const LONGEST_MS = (120_000 + (ORDERS / A_SECOND) * 2_000) * TIMEOUT_FACTOR

type Disturbance = (cluster: Cluster) => Promise<unknown>

/** Places orders while the cluster is disturbed. Returns them with the time at which the disturbance was over. */
async function orderWhile(cluster: Cluster, disturb: Disturbance) {
  const ordering = cluster.order(ORDERS, A_SECOND)
  await pause(DISTURBED_AFTER_MS)
  await disturb(cluster)
  const overAt = Date.now()
  return { orders: await ordering, overAt }
}

/** Returns how long after the disturbance the first order was accepted, and the last waiting template sent, in ms. */
function recovery(orders: readonly Order[], overAt: number, cluster: Cluster) {
  const sinceOver = (times: number[]) => times.filter((at) => at >= overAt).map((at) => at - overAt)
  const sent = cluster.templates()
  const waiting = orders.filter(({ acceptedAt }) => acceptedAt < overAt)
  return {
    firstMs: Math.min(...sinceOver(orders.map(({ acceptedAt }) => acceptedAt))),
    lastMs: Math.max(0, ...sinceOver(waiting.flatMap(({ phone }) => sent.get(phone) ?? []))),
  }
}

async function disturbed(
  name: string,
  cluster: Cluster,
  disturb: Disturbance,
  withinMs = SETTLED_WITHIN_MS,
) {
  const { orders, overAt } = await orderWhile(cluster, disturb)
  const books = await cluster.settle(orders, withinMs)
  const before = orders.filter(({ acceptedAt }) => acceptedAt < overAt)
  const forgotten = await cluster.forgotten(before.slice(-REPEATED))
  const took = recovery(orders, overAt, cluster)
  const repeated = orders.filter(({ answers }) => answers > 1).length
  console.log(
    `${name}: ${orders.length} orders, ${repeated} repeated; first 202 ${took.firstMs} ms and last waiting template ${took.lastMs} ms after it`,
  )
  return { ...books, forgotten, ...took }
}

const NOTHING = { lost: [], doubled: [], forgotten: [] }
/** The longest time from a new primary to the first accepted order, and to the last template that waited for it. */
const RECOVERED = { firstMs: 1_000 * TIMEOUT_FACTOR, lastMs: 5_000 * TIMEOUT_FACTOR }

/** Opens a cluster for one disturbance alone. */
async function onOwnCluster(
  isSynchronous: boolean,
  name: string,
  disturb: Disturbance,
  withinMs?: number,
) {
  const cluster = await openCluster({ isSynchronous })
  try {
    return await disturbed(name, cluster, disturb, withinMs)
  } finally {
    await cluster.close()
  }
}

/** Disturbances after which the same server is the primary. */
const PASSING: Record<string, Disturbance> = {
  async 'a process is killed and started again'({ processes }) {
    await processes[0]!.kill()
    await processes[0]!.start()
  },
  async 'all processes are restarted one after the other'({ processes }) {
    for (const one of processes) {
      await one.stop()
      await one.start()
    }
  },
  async 'the primary stands still for 4 s'({ postgres }) {
    postgres.primary.pause()
    await pause(4_000)
    postgres.primary.resume()
  },
  async 'the synchronous standby stands still for 4 s'({ postgres }) {
    postgres.standby.pause()
    await pause(4_000)
    postgres.standby.resume()
  },
  async 'the network to the database swallows every packet for 6 s'({ postgres, proxy }) {
    proxy.hush({ isForAll: true })
    await pause(6_000)
    proxy.open()
    proxy.leadTo(postgres.primary.connection)
  },
  async 'the network to the database refuses for 2 s'({ proxy }) {
    proxy.shut()
    await pause(2_000)
    proxy.open()
  },
  async 'the clock of a process is 300 s ahead'({ processes }) {
    await processes[1]!.stop()
    await processes[1]!.start({ CLOCK_AHEAD_MS: '300000' })
  },
}

/** Disturbances after which the standby is the primary. */
const FAILOVERS: Record<string, Disturbance> = {
  async 'the primary is killed and the standby promoted'({ postgres, proxy }) {
    await postgres.primary.kill()
    await postgres.promote()
    proxy.leadTo(postgres.standby.connection)
  },
  async 'a planned switchover: the primary stops, the standby is promoted'({ postgres, proxy }) {
    proxy.shut()
    await postgres.primary.stop()
    await postgres.promote()
    proxy.leadTo(postgres.standby.connection)
    proxy.open()
  },
}

describe('With a synchronous standby nothing is lost and nothing is done twice', () => {
  describe('while', () => {
    let cluster: Cluster
    beforeAll(async () => {
      cluster = await openCluster({ isSynchronous: true })
    }, LONGEST_MS)
    afterAll(() => cluster.close(), LONGEST_MS)

    test.each(Object.entries(PASSING))(
      '%s',
      async (name, disturb) => {
        expect(await disturbed(name, cluster, disturb)).toMatchObject(NOTHING)
      },
      LONGEST_MS,
    )
  })

  test.each(Object.entries(FAILOVERS))(
    'when %s',
    async (name, disturb) => {
      const { firstMs, lastMs, ...books } = await onOwnCluster(true, name, disturb)
      expect(books).toEqual(NOTHING)
      expect(firstMs).toBeLessThan(RECOVERED.firstMs)
      expect(lastMs).toBeLessThan(RECOVERED.lastMs)
    },
    LONGEST_MS,
  )
})

test(
  'With an asynchronous standby that lags, a failover forgets orders, and the cluster accepts new ones',
  async () => {
    const { forgotten, firstMs } = await onOwnCluster(
      false,
      'a lagging standby',
      async (cluster) => {
        await cluster.postgres.cutStandby()
        await pause(2_000)
        await FAILOVERS['the primary is killed and the standby promoted']!(cluster)
      },
      LOST_AFTER_MS,
    )
    expect(forgotten.length).toBeGreaterThan(0)
    expect(firstMs).toBeLessThan(RECOVERED.firstMs)
  },
  LONGEST_MS,
)
