/** A claim commits without waiting for the disk or a standby, and no other transaction does. */
import type { Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { claim } from '../../src/infra/database/queues/claim.sql.ts'
import type { DB } from '../../src/infra/database/tables.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { claimDeliveries } from '../../src/modules/deliveries/claim-deliveries.sql.ts'
import { RUN_QUEUE } from '../../src/modules/flows/runs/run-queue.ts'
import { openWorld } from '../support/open-world.ts'
import { waitsForDisk } from '../support/waits-for-disk.ts'

const { service } = await openWorld()
const { db, ids, clock } = service.context

const waitsAfter = (first: (tx: Transaction<DB>) => Promise<unknown>) =>
  transaction(db, async (tx) => {
    await first(tx)
    return waitsForDisk(tx)
  })

test('a claim of runs or deliveries waits for neither, and what follows on its connection does', async () => {
  const request = { claimId: ids.uuid(), now: clock.now(), limit: 1 }
  expect(await waitsAfter((tx) => claim(tx, RUN_QUEUE, request))).toBe(false)
  const queues = [{ queue: 'first', free: 1, after: ids.uuid() }] as const
  expect(
    await waitsAfter((tx) => claimDeliveries(tx, { ...request, queues: [...queues], missing: [] })),
  ).toBe(false)
  expect(await waitsAfter(() => Promise.resolve())).toBe(true)
})
