/**
 * A turn whose commit reached the database while its confirmation was lost on the way back: the worker
 * asks again with the same outcome, and it counts once.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimRuns } from '../../src/flows/claim-runs.sql.ts'
import { createVersionReader } from '../../src/flows/load-version.ts'
import { takeTurn, type Effect, type Turn } from '../../src/flows/take-turn.ts'
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
  const [claimed] = await claimRuns(ours.kysely, { claimId, now: clock.now(), limit: 1 })
  const deps = { db: ours, clock, ids, readVersion: createVersionReader() }
  return {
    runId: claimed!.id,
    turn: (effect: Effect | null) => takeTurn(deps, claimed!, effect),
  }
}

function called(turn: Turn, attempts: number): Effect {
  if (turn.kind !== 'call') throw new Error(`the turn was ${turn.kind}`)
  const { number, step } = turn
  const { method, path } = step.request
  const httpStatus = 200
  return {
    kind: 'called',
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
  const outcome = called(await turn(null), 1)
  expect(await turn(outcome)).toMatchObject({ kind: 'call', stepId: 'second', number: 2 })
  const again = await turn(outcome)
  expect(again).toMatchObject({ kind: 'call', stepId: 'second', number: 2, attemptsBefore: 0 })
  expect(await turn(called(again, 1))).toEqual({ kind: 'rest' })
  const run = await db()
    .selectFrom('flowRun')
    .select(['status', 'steps'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(run).toEqual({ status: 'completed', steps: 2 })
})

test('The answer to a send is not taken for that to the message that follows', async () => {
  const { runId, turn } = await worker({
    first: tell('first', 'second'),
    second: tell('second', null),
  })
  const first = await turn(null)
  if (first.kind !== 'send') throw new Error(`the turn was ${first.kind}`)
  const { to, messageId, number } = first
  const result = { outcome: 'accepted', providerMessageId: 'wamid.first' } as const
  const sent: Effect = { kind: 'sent', to, messageId, number, result }
  expect(await turn(sent)).toMatchObject({ kind: 'send' })
  // Whether the second went out is for the provider to tell: it is not sent again blindly.
  expect(await turn(sent)).toEqual({ kind: 'rest' })
  const run = await db()
    .selectFrom('flowRun')
    .select(['status', 'waitKind', 'stepId'])
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  expect(run).toEqual({ status: 'waiting', waitKind: 'sent', stepId: 'second' })
})
