/** The operator can hold sending after a failover that lost commits, as a restore does. */
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { acquireNodeLock } from '../../src/infra/database/node-locks.sql.ts'
import { postHook } from '../support/post-hook.ts'
import { endConnections } from '../support/end-connections.ts'
import { openWorld } from '../support/open-world.ts'
import { OPERATOR_KEYS, runOperator, settingsFor } from '../support/operator.ts'
import { runsOf } from '../support/records/runs.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld({ encryptionKeys: OPERATOR_KEYS })
const shop = await createShop(world)
const env = settingsFor(world.database.connection, tmpdir())
const { pool } = world.database.db

async function operator(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runOperator(env, words)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

test('it is refused while a process works on the database', async () => {
  const session = await pool.connect()
  try {
    await acquireNodeLock(session, '0badcafe')
    await expect(operator('hold-sending')).rejects.toThrow('1 processes work on this database')
    expect(await operator('resume')).toContain('Sending is not on hold')
  } finally {
    session.release(true)
  }
  await endConnections(pool, `query like '%pg_advisory_lock_shared%'`)
})

test('runs in progress end when the operator says so, and hooks are accepted again', async () => {
  await postHook(shop.hookUrl)
  expect(await operator('hold-sending')).toMatch(/^Hooks are paused and nothing is sent/)
  expect(await postHook(shop.hookUrl)).toMatchObject({ http: 503 })
  expect(await operator('resume', 'end-runs')).toContain('1 runs ended as failed')
  expect(await runsOf(world, shop)).toMatchObject([{ status: 'failed' }])
  await operator('resume-hooks')
  expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
})
