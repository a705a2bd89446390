/**
 * Two versions run together while nodes are replaced one after the other. A running node continues after a newer one
 * has migrated, and a node older than its database does not start.
 */
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/own-folder.ts'
import { liftAllowances } from '../support/records/allowances.ts'
import { migrate } from '../../src/infra/database/migrate.ts'
import { postHook, orderOf } from '../support/post-hook.ts'
import { createKillableService } from '../support/killable-service.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { createWorld } from '../support/test-service.ts'
import { createShop } from '../support/shop.ts'
import { repeatDuring } from '../support/wait.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

/**
 * A migration as a next version may have it: it only adds. Every table that statements read whole gets another
 * column.
 */
const ADDED = `
  alter table flow_run add column added_later text;
  alter table conversation add column added_later text;
  alter table contact add column added_later text not null default '';
  alter table webhook_delivery add column added_later integer;
  alter table flow add column added_later text;
  create table added_later (id uuid primary key);
  create index concurrently_not on event (occurred_at);`

test(
  'a node continues after a newer one has migrated, without loss; an older one does not start',
  async () => {
    const folder = makeFolder('upgrade')
    const world = await createWorld({ encryptionKeys: OPERATOR_KEYS })
    await liftAllowances(world)
    const shop = await createShop(world, { start: 'finish', steps: { finish: { kind: 'end' } } })
    const env = settingsFor(world.database.connection, path.join(folder, 'data'))
    const caFile = path.join(folder, 'ca.pem')
    writeFileSync(caFile, world.receiver.certificate)
    const older = createKillableService({
      ...env,
      PORT: '0',
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EXTRA_CA_FILE: caFile,
      TRUSTED_PROXIES: '127.0.0.0/8',
    })
    try {
      await older.start()
      const port = /ready (\d+)/.exec(older.logged())![1]
      const accepted = new Set<string>()
      let orders = 0
      let refused = 0
      // A shop repeats a request that was not accepted, with the same key.
      const ask = async (order: number) => {
        const { body, headers } = orderOf(order)
        const url = `http://127.0.0.1:${port}/hooks/${shop.hookToken}`
        for (let again = 0; again < 10; again += 1) {
          const answer = await postHook(url, body, headers)
          if (answer.id !== null) return accepted.add(answer.id)
          refused += 1
        }
        throw new Error(`order ${order} was never taken in`)
      }
      const accepts = async (more: number) => {
        await expect
          .poll(() => accepted.size, { timeout: 30_000 * TIMEOUT_FACTOR })
          .toBeGreaterThan(more)
      }
      const newer = path.join(folder, 'migrations')
      cpSync(path.join(import.meta.dirname, '../../migrations'), newer, { recursive: true })
      writeFileSync(path.join(newer, '9999_added_later.sql'), ADDED)
      const upgrade = async () => {
        await accepts(40)
        expect(await migrate(world.database.db.pool, newer)).toEqual(['9999_added_later.sql'])
        await accepts(accepted.size + 40)
      }
      const patience = { withinMs: 120_000, workers: 4 }
      await repeatDuring('orders', () => ask((orders += 1)), upgrade, patience)

      const completed = () => world.receiver.events('flow.completed')
      await expect.poll(() => completed().length, { timeout: 30_000 * TIMEOUT_FACTOR }).toBe(orders)
      const runs = completed().map(({ data }) => (data.run as { id: string }).id)
      expect(new Set(runs)).toEqual(accepted)
      // A table that is being changed may delay a request for too long: 503, and accepted when repeated.
      expect(refused).toBeLessThan(orders / 2)
      // The effect of a migration on prepared statements is corrected before a request sees it.
      expect(older.logged()).not.toContain('cached plan')

      await older.stop()
      await expect(older.start()).rejects.toThrow(
        /newer than this version of Wasla: it has 9999_added_later\.sql.*Start the newer version/,
      )
      const told = await runOperator(env, ['doctor'])
      expect(told.code).toBe(1)
      expect(told.stdout).toMatch(/^fault +migrations +The database is newer/m)
      expect(await runOperator(env, ['backup', path.join(folder, 'b')])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('newer than this version'),
      })
    } finally {
      await older.stop()
      await world.close()
    }
  },
  150_000 * TIMEOUT_FACTOR,
)
