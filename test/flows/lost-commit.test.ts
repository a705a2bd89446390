/**
 * A turn whose commit reached the database while its confirmation was lost on the way back: the worker
 * asks again with the same outcome, and it counts once.
 */
import { expect, test } from 'vitest'
import type { ClaimedRun } from '../../src/modules/flows/runs/run-queue.ts'
import type { StepCallResult } from '../../src/modules/flows/runs/make-step-call.ts'
import { advanceRuns, type AdvanceResult } from '../../src/modules/flows/runs/advance-runs.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { beginSend } from '../../src/modules/messaging/mark-sending.sql.ts'
import { SEND_QUEUE } from '../../src/modules/messaging/claim-sends.sql.ts'
import { settleSend } from '../../src/modules/messaging/record-send-outcomes.sql.ts'
import { endLeases } from '../support/queues.ts'
import { runOf } from '../support/records/runs.ts'
import { templateStep } from '../support/shop.ts'
import { callStep } from '../support/shop-api.ts'
import { newPhone } from '../support/simulator.ts'
import { claimDue, turnDeps } from '../support/turns.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp()

/** Takes the only due run in hand and plays its worker, who also has its messages in hand. */
async function worker(steps: Record<string, unknown>) {
  const shop = await whatsApp.openShop({ steps, start: Object.keys(steps)[0]! })
  await shop.order(newPhone())
  const deps = { ...turnDeps(world), eagerClaimFor: () => world.service.context.ids.uuid() }
  const take = async (run: ClaimedRun, called: StepCallResult | null = null) =>
    (await advanceRuns(deps, [{ run, called }]))[0]!
  const claimOne = async () => (await claimDue(world, 1))[0]!.run
  const claimed = await claimOne()
  return {
    runId: claimed.id,
    turn: (called: StepCallResult | null) => take(claimed, called),
    /** The next turn, of a worker who finds the run due. */
    nextTurn: async () => take(await claimOne()),
    /** The turn of the process that settled what the run waited for. */
    toldTurn: (told: ClaimedRun | null) => take(told!),
  }
}

function outcomeOf(turn: AdvanceResult): StepCallResult {
  if (turn.kind !== 'call') throw new Error(`the turn was ${turn.kind}`)
  const { number, step } = turn
  const { method, path } = step.request
  const made = { httpStatus: 200, attempts: 1, durationMs: 5 }
  const call = { method, host: 'api.example.com', path, ...made, failure: null, kept: [] }
  return {
    outcome: { isSuccess: true, kept: {}, ...made },
    closed: { number, status: 'done', detail: null, call },
  }
}

function queuedBy(turn: AdvanceResult) {
  if (turn.kind !== 'idle') throw new Error(`the turn was ${turn.kind}`)
  expect(turn.queued).toHaveLength(1)
  return turn.queued[0]!
}

test('The outcome of a call is not taken for that of the call that follows', async () => {
  const id = world.service.context.ids.uuid()
  const { runId, turn } = await worker({
    first: callStep(id, { path: '/first' }, { next: 'second', onFailure: null }),
    second: callStep(id, { path: '/second', method: 'POST' }, { next: null, onFailure: null }),
  })
  const outcome = outcomeOf(await turn(null))
  expect(await turn(outcome)).toMatchObject({ kind: 'call', stepId: 'second', number: 2 })
  const again = await turn(outcome)
  expect(again).toMatchObject({ kind: 'call', stepId: 'second', number: 2, attemptsBefore: 0 })
  expect(await turn(outcomeOf(again))).toEqual({ kind: 'idle', queued: [] })
  expect(await runOf(world, runId)).toMatchObject({ status: 'completed', steps: 2 })
})

test('The answer to a send is not taken for that to the message that follows', async () => {
  const { runId, turn, toldTurn, nextTurn } = await worker({
    first: templateStep('first', 'second'),
    second: templateStep('second'),
  })
  const { db, ids } = world.service.context
  const now = world.clock.now()
  const first = queuedBy(await turn(null))
  expect(await beginSend(db, { ...first, now })).toMatchObject({ id: first.id, runId })
  const settled = {
    id: first.id,
    runId,
    result: { outcome: 'accepted', providerMessageId: 'wamid.first' } as const,
    againAt: null,
    runClaimId: ids.uuid(),
    now,
  }
  const second = queuedBy(await toldTurn(await settleSend(db, settled)))
  // The confirmation was lost: the same outcome is written again, and the run looks.
  expect(await toldTurn(await settleSend(db, settled))).toEqual({ kind: 'idle', queued: [] })
  const atWork = { status: 'running', waitKind: null, stepId: 'second' }
  expect(await runOf(world, runId)).toMatchObject(atWork)
  expect(await beginSend(db, { ...second, now })).toMatchObject({ runId })
  // Whether the second went out is for the provider to tell: it is not sent again blindly.
  expect(await beginSend(db, { ...second, now })).toBeNull()
  await endLeases(world, SEND_QUEUE, new Date(now.getTime() + DAY_MS))
  expect(await nextTurn()).toEqual({ kind: 'idle', queued: [] })
  const waiting = { status: 'waiting', waitKind: 'sent', stepId: 'second' }
  expect(await runOf(world, runId)).toMatchObject(waiting)
})
