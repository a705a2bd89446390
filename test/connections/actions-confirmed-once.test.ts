/** What was agreed to is called once, whatever becomes of the processes that call. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { confirmProposal } from '../../src/connections/confirm-proposal.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { COULD_NOT_CHECK } from '../../src/rules/calls/action-answer.ts'
import { json } from '../support/shop-api.ts'
import { createActionWorld, idOf, ORDER, type ActionWorld } from './action-world.ts'
import { systemTest } from '../support/system-tests.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.clear()
  w.api.reply(json(200, { order: { status: 'cancelled' } }))
})

const ARGS = { order: '7' }
const DONE = { kind: 'called', text: 'Status: cancelled', isDone: true, hasEffect: true }
const UNCHECKED = { kind: 'called', text: COULD_NOT_CHECK, isDone: false, hasEffect: true }

async function agreed(phone?: string) {
  const { name } = await w.make({
    needsConfirmation: true,
    parameters: [ORDER],
    request: { method: 'POST', path: '/cancel', body: '{"order":"{{args.order}}"}' },
    shown: [{ label: 'Status', path: 'order.status' }],
  })
  const talk = await w.customer(phone)
  const drafted = await talk.use(name, ARGS)
  await talk.state(drafted)
  w.world.clock.advance(SECOND_MS)
  await talk.write('yes')
  return { talk, drafted }
}
const stateOf = async (id: string) => {
  const { rows } = await w.deps.db.pool.query('select state from action_proposal where id = $1', [
    id,
  ])
  return (rows[0] as { state: string }).state
}

test('Two nodes that take one agreement at once make one call', async () => {
  const db = connectDatabase(w.world.database.connection)
  try {
    const there = await w.customer('966502220001', { ...w.deps, db })
    const { talk, drafted } = await agreed('966502220001')
    const told = await w.deps.db.kysely.transaction().execute(async (tx) => {
      await tx.selectFrom('conversation').select('id').forUpdate().execute()
      const both = [talk, there].map((one) => one.confirm(drafted))
      await w.untilTheyWait(2)
      return { both }
    })
    const texts = (await Promise.all(told.both)).map(({ text }) => text)
    expect(texts.filter((text) => text === DONE.text)).toHaveLength(1)
    expect(w.api.requests).toHaveLength(1)
  } finally {
    await db.close()
  }
})

test('Two that propose in one conversation at once take turns: the last one is open', async () => {
  const { name } = await w.make({ needsConfirmation: true })
  const talk = await w.customer()
  const drafted = await w.deps.db.kysely.transaction().execute(async (tx) => {
    await tx.selectFrom('conversation').select('id').forUpdate().execute()
    const both = ['7', '8'].map((order) => talk.use(name, { order }))
    await w.untilTheyWait(2)
    return { both }
  })
  const ids = (await Promise.all(drafted.both)).map(idOf)
  const states = await Promise.all(ids.map(stateOf))
  expect(states.toSorted()).toEqual(['drafted', 'withdrawn'])
})

systemTest('A process that dies between the agreement and its call loses nothing', async () => {
  const db = connectDatabase(w.world.database.connection)
  try {
    // Another process has only the store.
    const elsewhere = await w.customer('966503330001', { ...w.deps, db })
    const { drafted } = await agreed('966503330001')
    expect(await elsewhere.confirm(drafted)).toEqual(DONE)
  } finally {
    await db.close()
  }
})

test('Cut off between claim and answer it could not be checked, and is never called again', async () => {
  const { talk, drafted } = await agreed()
  let breakOff = () => {}
  w.api.reply((_, response) => {
    breakOff = () => void response.destroy()
  })
  // The call of a process that never comes back for its answer.
  const lost = talk.confirm(drafted, 'cut off')
  await w.api.hasReceived(1)
  expect(await stateOf(idOf(drafted))).toBe('started')
  expect(await talk.confirm(drafted)).toEqual(UNCHECKED)
  // The same reply, taken up by another process, is told of it; a later one finds nothing open.
  expect(await talk.answer('cut off')).toMatchObject({ kind: 'agreed', told: UNCHECKED })
  w.world.clock.advance(MINUTE_MS)
  await talk.write('yes!')
  expect(await talk.answer()).toEqual({ kind: 'none' })
  expect(w.api.requests).toHaveLength(1)
  breakOff()
  expect(await lost).toEqual(UNCHECKED)
  expect(await stateOf(idOf(drafted))).toBe('failed')
  expect(await talk.confirm(drafted)).toEqual(UNCHECKED)
  expect(w.api.requests).toHaveLength(1)
})

test('A reply that was cut off after its call does not call again', async () => {
  const { talk } = await agreed()
  expect(await talk.answer('one')).toMatchObject({ told: DONE })
  expect(await talk.answer('one')).toMatchObject({ kind: 'agreed', told: UNCHECKED })
  expect(w.api.requests).toHaveLength(1)
})

test('A fault of our own after the claim: the same', async () => {
  const { talk, drafted } = await agreed()
  const outbound = {
    send: () => {
      throw new Error('a fault')
    },
  }
  const told = await confirmProposal(
    { ...w.deps, outbound },
    { companyId: w.shop.companyId, conversationId: talk.conversationId, replyId: 'a fault' },
    idOf(drafted),
  )
  expect(told).toEqual(UNCHECKED)
  expect(await talk.confirm(drafted)).toEqual(UNCHECKED)
  expect(w.api.requests).toEqual([])
})
