/** The service split over two processes' worth: one serves HTTP, the other does the work. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createService } from '../../src/service.ts'
import { askHook } from '../support/ask-hook.ts'
import { createTestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/service.ts'
import { createShop } from '../support/shop.ts'
import { startTestReceiver } from '../support/receiver.ts'

test('what --only=http takes in, --only=daemon is told of at once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-split-'))
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
    daemon.startDaemon()
    // Once the daemon has found nothing to do, only the signal or its slow poll wakes it.
    await expect
      .poll(async () => {
        const { rows } = await database.db.pool.query(
          `select 1 from pg_stat_activity where query ilike 'listen%' and datname = current_database()`,
        )
        return rows.length
      })
      .toBeGreaterThan(0)
    const { id } = await askHook(shop.hookUrl)
    await expect
      .poll(
        async () => {
          const run = await database.db.kysely
            .selectFrom('flowRun')
            .select('steps')
            .where('id', '=', id)
            .executeTakeFirst()
          return run?.steps
        },
        { timeout: 2_000 },
      )
      .toBeGreaterThan(0)
  } finally {
    await http.stop()
    await daemon.stop()
    await receiver.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
