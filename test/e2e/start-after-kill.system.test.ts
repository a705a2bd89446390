import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, inject } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createService } from '../../src/service.ts'
import { askHook } from '../support/ask-hook.ts'
import { startTestReceiver } from '../support/receiver.ts'
import { createShop } from '../support/shop.ts'
import { giveCluster } from '../support/made-cluster.ts'

test('with the data folder to itself, a start takes on what a killed process had claimed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-taken-on-'))
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
    expect(await askHook(shop.hookUrl)).toMatchObject({ http: 202 })
    // As a process leaves them that is killed at work: leased for a while yet.
    for (const table of ['flow_run', 'webhook_delivery']) {
      const claimed = await killed.context.db.pool.query(
        `update ${table} set claim_id = gen_random_uuid(), claimed_until = now() + interval '30 s'`,
      )
      expect(claimed.rowCount).toBeGreaterThan(0)
    }
    await killed.stop()

    const next = await createService(config)
    const { rows } = await next.context.db.pool.query(
      `select claim_id from flow_run union all select claim_id from webhook_delivery`,
    )
    await next.stop()
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.every((row: { claim_id: string | null }) => row.claim_id === null)).toBe(true)
  } finally {
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
