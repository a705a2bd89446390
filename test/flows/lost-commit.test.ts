/**
 * A turn whose commit reached the database while its confirmation was lost on the way back: the worker
 * asks again with the same outcome, and it counts once.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimRuns, type ClaimedRun } from '../../src/flows/runs/claim-runs.sql.ts'
import { createVersionReader } from '../../src/flows/design/load-version.ts'
import type { Called } from '../../src/flows/runs/make-step-call.ts'
import { takeTurns, type Turn } from '../../src/flows/runs/take-turns.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { beginSend } from '../../src/messaging/begin-sends.sql.ts'
import { releaseExpiredSends } from '../../src/messaging/claim-sends.sql.ts'
import { settleSend } from '../../src/messaging/settle-sends.sql.ts'
import { createWorld, type World } from '../support/service.ts'
import { callStep } from '../support/shop-api.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const db = () => world.database.db.kysely

const tell = (text: string, next: string | null) => ({
  kind: 'send_template',
  template: 'order_ready',
  language: 'en',
  header: null,
  body: [
    { name: '1', text },
    { name: '2', text: '{{vars.order}}' },
  ],
  next,
})

/** Takes the only due run in hand and plays its worker. */
async function worker(steps: Record<string, unknown>) {
  const shop = await whatsApp.openShop({ steps, start: Object.keys(steps)[0]! })
  await shop.order(newPhone())
  const { clock, ids, db: ours } = world.service.context
  const claimId = ids.uuid()
  const {
    runs: [claimed],
  } = await claimRuns(ours.kysely, { claimId, now: clock.now(), limit: 1 })
  const claimFor = () => ids.uuid()
  const deps = {
    db: ours,
    clock,
    ids,
    readVersion: createVersionReader(),
    claimFor,
    publicUrl: () => 'http://localhost',
  }
  const takeOne = async (run: ClaimedRun, outcome: Called | null) => {
    const [turn] = await takeTurns(deps, [{ run, called: outcome }])
    return turn!
  }
  return {
    runId: claimed!.id,
    turn: (called: Called | null) => takeOne(claimed!, called),
    /** The next turn, of a worker who finds the run due. */
    async nextTurn() {
      const {
        runs: [due],
      } = await claimRuns(ours.kysely, {
        claimId: ids.uuid(),
        now: clock.now(),
        limit: 1,
      })
      return takeOne(due!, null)
    },
    /** The turn of the process that settled what the run waited for. */
    toldTurn: (told: ClaimedRun | null) => takeOne(told!, null),
  }
}

const stateOf = (runId: string) =>
  db()
    .selectFrom('flowRun')
    .select(['status', 'waitKind', 'stepId'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()

function outcomeOf(turn: Turn, attempts: number): Called {
  if (turn.kind !== 'call') throw new Error(`the turn was ${turn.kind}`)
  const { number, step } = turn
  const { method, path } = step.request
  const httpStatus = 200
  return {
    outcome: { isSuccess: true, httpStatus, kept: {}, attempts, durationMs: 5 },
    closed: {
      number,
      status: 'done',
      detail: null,
      call: {
        method,
        host: 'api.example.com',
        path,
        httpStatus,
        durationMs: 5,
        attempts,
        failure: null,
        kept: [],
      },
    },
  }
}

test('The outcome of a call is not taken for that of the call that follows', async () => {
  const id = world.service.context.ids.uuid()
  const { runId, turn } = await worker({
    first: callStep(id, { path: '/first' }, { next: 'second', onFailure: null }),
    second: callStep(id, { path: '/second', method: 'POST' }, { next: null, onFailure: null }),
  })
  const outcome = outcomeOf(await turn(null), 1)
  expect(await turn(outcome)).toMatchObject({ kind: 'call', stepId: 'second', number: 2 })
  const again = await turn(outcome)
  expect(again).toMatchObject({ kind: 'call', stepId: 'second', number: 2, attemptsBefore: 0 })
  expect(await turn(outcomeOf(again, 1))).toEqual({ kind: 'rest', queued: [] })
  const run = await db()
    .selectFrom('flowRun')
    .select(['status', 'steps'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(run).toEqual({ status: 'completed', steps: 2 })
})

test('The answer to a send is not taken for that to the message that follows', async () => {
  const { runId, turn, toldTurn, nextTurn } = await worker({
    first: tell('first', 'second'),
    second: tell('second', null),
  })
  const ours = world.service.context.db
  const now = world.clock.now()
  const first = await turn(null)
  if (first.kind !== 'rest') throw new Error(`the turn was ${first.kind}`)
  const [message] = first.queued
  expect(await beginSend(ours, { ...message!, now })).toMatchObject({ id: message!.id, runId })
  const result = { outcome: 'accepted', providerMessageId: 'wamid.first' } as const
  const settled = {
    id: message!.id,
    runId,
    result,
    againAt: null,
    runClaimId: world.service.context.ids.uuid(),
    now,
  }
  const second = await toldTurn(await settleSend(ours, settled))
  if (second.kind !== 'rest') throw new Error(`the turn was ${second.kind}`)
  expect(second.queued).toHaveLength(1)
  // The confirmation was lost: the same outcome is written again, and the run looks.
  expect(await toldTurn(await settleSend(ours, settled))).toEqual({ kind: 'rest', queued: [] })
  expect(await stateOf(runId)).toEqual({ status: 'running', waitKind: null, stepId: 'second' })
  expect(await beginSend(ours, { ...second.queued[0]!, now })).toMatchObject({ runId })
  // Whether the second went out is for the provider to tell: it is not sent again blindly.
  expect(await beginSend(ours, { ...second.queued[0]!, now })).toBeNull()
  await releaseExpiredSends(ours.kysely, now, new Date(now.getTime() + DAY_MS))
  expect(await nextTurn()).toEqual({ kind: 'rest', queued: [] })
  expect(await stateOf(runId)).toEqual({ status: 'waiting', waitKind: 'sent', stepId: 'second' })
})
