/** The export of an account waits for what processes do for it, and parks what that leaves. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitUntilIdle } from '../../scripts/operator/move/wait-until-idle.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { putRun, runOf } from '../support/records/runs.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()

test('the wait ends once a run in progress has settled, and its next turn is parked', async () => {
  const shop = await whatsApp.openShop()
  const runId = await shop.runFor(newPhone())
  const due = world.clock.now()
  const leaseExpiresAt = new Date(due.getTime() + 60_000)
  await putRun(world, runId, { claimId: randomUUID(), leaseExpiresAt, dueAt: due })
  let isOver = false
  const options = { graceMs: 0, print: () => {} }
  const waiting = waitUntilIdle(world.service.context.db, shop.accountId, options).then(() => {
    isOver = true
  })
  await pause(1_500)
  expect(isOver).toBe(false)
  expect(await runOf(world, runId)).toMatchObject({ dueAt: due })
  await putRun(world, runId, { claimId: null, leaseExpiresAt: null, dueAt: due })
  await waiting
  const { dueAt } = await runOf(world, runId)
  expect(dueAt!.getUTCFullYear()).toBe(due.getUTCFullYear() + 400)
})
