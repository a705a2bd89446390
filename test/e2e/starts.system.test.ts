/**
 * The service split into one process that serves HTTP and one that runs the workers, and started again after a kill.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { countListening } from '../support/records/locks.ts'
import { giveCluster } from '../support/made-cluster.ts'
import { deliveriesOf, putDeliveries } from '../support/records/deliveries.ts'
import { putRun, runOf, runsOf } from '../support/records/runs.ts'
import { readConfig } from '../../src/app/config.ts'
import { createService } from '../../src/app/create-service.ts'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'
import { postHook } from '../support/post-hook.ts'
import { createTestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'
import { startTestReceiver } from '../support/receiver.ts'
import { inTime } from '../support/wait.ts'

test('work that --only=http accepts wakes --only=daemon immediately', async () => {
  const folder = makeFolder('split')
  const database = await createTestDatabase()
  const receiver = await startTestReceiver()
  const config = (only: string) =>
    readConfig(
      {
        DATABASE_URL: connectionUrl(database.connection),
        DATABASE_POOL: '4',
        DATA_FOLDER: folder,
        PORT: '0',
        EGRESS_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'silent',
      },
      [`--only=${only}`],
      folder,
    )
  const http = await createService(config('http'))
  const daemon = await createService(config('daemon'))
  try {
    const port = await http.listen()
    const around = { service: http, receiver, url: `http://127.0.0.1:${port}` }
    const shop = await createShop(around)
    await daemon.startDaemon()
    // Once the daemon has found nothing to do, only the signal or its slow poll wakes it.
    await expect.poll(() => countListening(http.context.db)).toBeGreaterThan(0)
    const { id } = await postHook(shop.hookUrl)
    const steps = async () => (await runOf({ service: http }, id!)).steps
    await expect.poll(steps, { timeout: 2_000 }).toBeGreaterThan(0)
  } finally {
    await http.stop()
    await daemon.stop()
    await receiver.close()
    await database.drop()
  }
})

test('a process that only runs workers gives way to processes that serve requests', async () => {
  const database = await createTestDatabase()
  const program = path.join(import.meta.dirname, '../../src/main.ts')
  const child = spawn(process.execPath, [program, '--only=daemon'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      DATABASE_URL: connectionUrl(database.connection),
      DATA_FOLDER: makeFolder('workers'),
      DEMONSTRATION: 'off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const lower = Math.max(5, os.getPriority())
    await expect.poll(() => os.getPriority(child.pid), { timeout: 60_000 }).toBe(lower)
  } finally {
    child.kill('SIGTERM')
    await inTime('the process ends', ended, 60_000)
    await database.drop()
  }
})

test('a start that is alone on its data folder takes over the claims of a killed process', async () => {
  const folder = makeFolder('taken-on')
  const receiver = await startTestReceiver()
  const config = readConfig(
    {
      DATA_FOLDER: path.join(folder, 'data'),
      PORT: '0',
      DEMONSTRATION: 'off',
      LOG_LEVEL: 'silent',
    },
    [],
    folder,
  )
  try {
    await giveCluster(inject('cluster'), path.join(folder, 'data'))
    const killed = await createService(config)
    const url = `http://127.0.0.1:${await killed.listen()}`
    const shop = await createShop({ service: killed, receiver, url })
    expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
    const read = async (service: typeof killed) => {
      const runs = await runsOf({ service }, { companyId: shop.companyId })
      return { runs, deliveries: await deliveriesOf({ service }, shop) }
    }
    // A process that is killed at work leaves them like this: leased for some time.
    const { runs, deliveries } = await read(killed)
    const until = new Date(killed.context.clock.now().getTime() + 30_000)
    const claimed = { claimId: killed.context.ids.uuid(), leaseExpiresAt: until }
    for (const { id } of runs) await putRun({ service: killed }, id, claimed)
    const ids = deliveries.map(({ id }) => id)
    await putDeliveries({ service: killed }, ids, claimed)
    expect([runs.length > 0, ids.length > 0]).toEqual([true, true])
    await killed.stop()

    const next = await createService(config)
    const after = await read(next)
    await next.stop()
    const left = [...after.runs, ...after.deliveries].map(({ claimId }) => claimId)
    expect(left).toEqual([...runs, ...deliveries].map(() => null))
  } finally {
    await receiver.close()
  }
})
