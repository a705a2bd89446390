/** A short flood against a service in a separate process. `npm run bench:flood` is the long one. */
import { expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import {
  askHooks,
  connectChannels,
  FLOODED_ACCOUNT,
  NODE,
  run,
  sendSigned,
  type Flooded,
  type Measured,
} from '../../bench/flood-world.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { connectionUrl, createWorld } from '../support/test-service.ts'
import { createShops } from '../support/shop.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const SECONDS = 5

test(
  'an unsigned flood of 4 MB bodies, half of them never finished, does not block signed requests',
  async () => {
    const encryptionKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`
    const world = await createWorld({ encryptionKeys, databasePool: '8' })
    const folder = makeFolder('flood')
    const running: ReturnType<typeof run>[] = []
    try {
      const shops = await createShops(world, 10)
      await connectChannels(world.service, shops[0]!.companyId, 1_000)
      const tokens = shops.map(({ hookToken }) => hookToken)
      const service = run('flood-service-process.ts', {
        DATABASE_URL: connectionUrl(world.database.connection),
        ENCRYPTION_KEYS: encryptionKeys,
        DATA_FOLDER: folder,
        DEMONSTRATION: 'off',
        TRUSTED_PROXIES: '127.0.0.0/8',
        LOG_LEVEL: 'error',
        PORT: '0',
        ...NODE,
      })
      running.push(service)
      const origin = `http://127.0.0.1:${(await service.line()).split(' ')[1]}`
      await askHooks(origin, tokens, { seconds: 1, connections: 4, prefix: 20 })
      await service.ask()
      const load = run('flood-load-process.ts', {
        ORIGIN: origin,
        ACCOUNT: FLOODED_ACCOUNT,
        SECONDS: String(SECONDS),
        BYTES: String(PROVIDER_LIMITS.webhookBytes),
        CONNECTIONS: '16',
        UNFINISHED: '100',
      })
      running.push(load)
      const [beside, signed] = await Promise.all([
        askHooks(origin, tokens, { seconds: SECONDS, connections: 4, prefix: 21 }),
        sendSigned(origin, shops[1]!, { seconds: SECONDS }),
      ])
      const { busiestMs, peakMb } = JSON.parse(await service.ask()) as Measured
      const { statuses } = JSON.parse(await load.line()) as Flooded
      expect(Object.keys(statuses).length).toBeGreaterThan(0)
      expect(statuses[200]).toBeUndefined()
      expect(beside.statuses[202] ?? 0).toBeGreaterThan(0)
      expect(Object.keys(beside.statuses).filter((status) => !/^(202|429)$/.test(status))).toEqual(
        [],
      )
      // The provider's own webhooks get in, from known and unknown addresses.
      expect([signed.known[200], signed.unknown[200]]).toEqual([SECONDS, SECONDS])
      expect(signed.slowestMs).toBeLessThan(10_000)
      // On a busy machine a turn of the event loop takes longer.
      expect(busiestMs).toBeLessThan(150)
      expect(peakMb).toBeLessThan(350)
    } finally {
      for (const one of running) await one.stop()
      await world.close()
    }
  },
  120_000 * TIMEOUT_FACTOR,
)
