/** Proposals for tests: drafted by the assistant, and sent to the customer for confirmation. */
import { beforeEach, expect } from 'vitest'
import type { ActionResult } from '../../src/modules/connections/call-action.ts'
import type { ConfirmationQuestion } from '../../src/modules/connections/render-confirmation.ts'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import type { ActionView } from '../../src/contract/dashboard/action.ts'
import { proposalOf } from '../support/records/calls.ts'
import { json } from '../support/shop-api.ts'
import {
  idOf,
  openActionWorld,
  ORDER,
  type ActionInput,
  type ActionWorld,
  type Talk,
} from './action-world.ts'

export const CANCEL: ActionInput = {
  needsConfirmation: true,
  toolName: 'cancel_order',
  description: 'Cancels an order.',
  parameters: [ORDER],
  request: { method: 'POST', path: '/cancel', body: '{"order":"{{args.order}}"}' },
  shown: [{ label: 'Status', path: 'order.status' }],
}
export const ARGS = { order: '7' }
/** The result of the action once the shop's system has answered. */
export const DONE = {
  kind: 'called',
  text: 'Status: cancelled',
  isDone: true,
  hasEffect: true,
  does: ['cancels'],
  mayBeReported: '',
}

type Made = { action: ActionView; talk: Talk; drafted: ActionResult }

/** Opens a world whose API cancels orders, without an action at the start of each test. */
export async function openProposals(): Promise<ActionWorld> {
  const w = await openActionWorld()
  beforeEach(async () => {
    await w.clear()
    w.api.reply(json(200, { order: { status: 'cancelled' } }))
  })
  return w
}

/** Drafts a proposal, by default with a new customer. */
export async function draft(
  w: ActionWorld,
  change: ActionInput = {},
  customer = w.customer(),
): Promise<Made> {
  const action = await w.make({ ...CANCEL, ...change })
  const talk = await customer
  const drafted = await talk.use(action.name, ARGS)
  expect(drafted.kind).toBe('drafted')
  return { action, talk, drafted }
}

/** Drafts a proposal and sends its confirmation text. A second passes before the customer can answer. */
export async function propose(
  w: ActionWorld,
  change: ActionInput = {},
  customer = w.customer(),
): Promise<Made & { statement: ConfirmationQuestion }> {
  const made = await draft(w, change, customer)
  const statement = await made.talk.state(made.drafted)
  w.world.clock.advance(SECOND_MS)
  return { ...made, statement: statement! }
}

export const stateOf = async (w: ActionWorld, drafted: ActionResult) =>
  (await proposalOf(w.world, idOf(drafted)))!

export async function expectWithdrawn(w: ActionWorld, drafted: ActionResult, why: string) {
  expect(await stateOf(w, drafted)).toMatchObject({ state: 'withdrawn', withdrawnBecause: why })
}
