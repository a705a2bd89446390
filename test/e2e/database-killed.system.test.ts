/**
 * PostgreSQL is killed under load. Requests answer 503 with a clear status, the service recovers automatically, and
 * nothing that was accepted is lost.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, inject, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { ofEach } from '../support/records/records.ts'
import { runsOf } from '../support/records/runs.ts'
import { readConfig } from '../../src/app/config.ts'
import { createService } from '../../src/app/create-service.ts'
import { postHook, orderOf } from '../support/post-hook.ts'
import { startTestReceiver } from '../support/receiver.ts'
import { createShops } from '../support/shop.ts'
import { repeatDuring } from '../support/wait.ts'
import { giveCluster } from '../support/made-cluster.ts'
import { startStopwatch } from '../support/stopwatch.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const KILLS = 3
/** Enough shops to keep every hook URL within its requests of a minute. */
const SHOPS = 60
const folder = makeFolder('away', afterAll)
const logged: string[] = []

const receiver = await startTestReceiver()
const caFile = path.join(folder, 'ca.pem')
writeFileSync(caFile, receiver.certificate)
await giveCluster(inject('cluster'), path.join(folder, 'data'))
const service = await createService(
  readConfig(
    {
      DATA_FOLDER: path.join(folder, 'data'),
      PORT: '0',
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EXTRA_CA_FILE: caFile,
      TRUSTED_PROXIES: '127.0.0.0/8',
    },
    [],
    folder,
  ),
  { log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }) },
)
const port = await service.listen()
const around = { service, receiver, url: `http://127.0.0.1:${port}` }
const shops = await createShops(around, SHOPS)
await service.startDaemon()
afterAll(async () => {
  await service.stop()
  await receiver.close()
})

test(
  'requests answer 503, the service recovers automatically, and nothing accepted is lost',
  async () => {
    const accepted: string[] = []
    const statuses = new Map<string, number>()
    let orders = 0
    const order = async () => {
      const { body, headers } = orderOf((orders += 1))
      const tookMs = startStopwatch()
      const answer = await postHook(shops[orders % SHOPS]!.hookUrl, body, headers)
      expect(tookMs()).toBeLessThan(6_000)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.http === 202) accepted.push(answer.id!)
      else expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', id: null })
    }
    const within = { timeout: 60_000 * TIMEOUT_FACTOR }
    const acceptsMore = async () => {
      const enough = accepted.length + 20
      await expect.poll(() => accepted.length, within).toBeGreaterThan(enough)
    }
    const killOften = async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await acceptsMore()
        const pid = readFileSync(path.join(folder, 'data/postgres/postmaster.pid'), 'utf8')
        process.kill(Number(pid.split('\n')[0]), 'SIGKILL')
        const refused = () => statuses.get('service_unavailable') ?? 0
        await expect.poll(refused, within).toBeGreaterThan(kill)
      }
      await acceptsMore()
    }
    // Few workers post, so that the limits of the hooks do not interfere.
    const patience = { withinMs: 240_000, everyMs: 20, workers: 4 }
    await repeatDuring('orders', order, killOften, patience)

    const runs = await ofEach(shops, ({ companyId }) => runsOf({ service }, { companyId }))
    const known = new Set(runs.map((run) => run.id))
    expect(accepted.filter((id) => !known.has(id))).toEqual([])
    // Every event was written together with its cause and arrives: each accepted run began a conversation.
    const begun = () => new Set(receiver.events('conversation.started').map(({ id }) => id)).size
    await expect.poll(begun, within).toBe(runs.length)
    // A worker logs a fault once for each outage, or twice if it works in between; not at each repetition.
    const failed = logged.filter((line) => line.includes('worker failed'))
    const byWorker = Object.groupBy(
      failed,
      (line) => (JSON.parse(line) as { worker: string }).worker,
    )
    const counts = Object.values(byWorker).map((lines) => lines!.length)
    expect(Math.max(0, ...counts)).toBeLessThanOrEqual(2 * KILLS)
  },
  300_000 * TIMEOUT_FACTOR,
)
