/** Proposal, agreement, call: what the customer agrees to is called once, and nothing else is. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectDatabase } from '../../src/database/connect.ts'
import type { ActionTold } from '../../src/connections/call-action.ts'
import { confirmProposal } from '../../src/connections/confirm-proposal.ts'
import { ACTION_LIMITS } from '../../src/limits/calls.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { COULD_NOT_CHECK } from '../../src/rules/calls/action-answer.ts'
import { connectApi, json } from '../support/shop-api.ts'
import { createActionWorld, ORDER, type ActionInput, type ActionWorld } from './action-world.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())
beforeEach(async () => {
  await w.clear()
  w.api.reply(json(200, { order: { status: 'cancelled' } }))
})

const CANCEL: ActionInput = {
  needsConfirmation: true,
  parameters: [ORDER],
  request: { method: 'POST', path: '/cancel', body: '{"order":"{{args.order}}"}' },
  shown: [{ label: 'Status', path: 'order.status' }],
}
const ARGS = { order: '7' }
const DONE = { kind: 'called', text: 'Status: cancelled' }
const UNCHECKED = { kind: 'called', text: COULD_NOT_CHECK }

async function propose(change: ActionInput = {}, phone?: string) {
  const action = await w.make({ ...CANCEL, ...change })
  const talk = await w.customer(phone)
  const proposed = await talk.use(action.name, ARGS)
  expect(proposed.kind).toBe('proposed')
  return { action, talk, proposed }
}
const after = (ms: number) => w.world.clock.advance(ms)
const sent = () => w.api.requests.map(({ body }) => body)
const proposalOf = async (told: ActionTold) =>
  w.deps.db.kysely
    .selectFrom('actionProposal')
    .select(['state', 'arguments', 'afterMessageId'])
    .where('id', '=', told.kind === 'proposed' ? told.proposalId : '')
    .executeTakeFirstOrThrow()

describe('Confirmation before calling is on by default', () => {
  test('the assistant states what it will do and calls only after the customer agrees', async () => {
    const action = await w.make({ ...CANCEL, needsConfirmation: undefined! })
    expect(action.needsConfirmation).toBe(true)
    const { talk, proposed } = await propose()
    expect(proposed.text).toContain('order: "7"')
    expect(sent()).toEqual([])
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.confirm(proposed, ARGS)).toEqual(DONE)
    expect(sent()).toEqual(['{"order":"7"}'])
    expect((await proposalOf(proposed)).state).toBe('done')
  })

  test('whatever the assistant says, nothing is called before the customer has written', async () => {
    const { talk, proposed } = await propose()
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    after(SECOND_MS)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    const other = await w.customer()
    await other.write('yes')
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('a message that the customer wrote before the proposal agrees to nothing, however late it comes', async () => {
    const writtenAt = w.deps.clock.now()
    after(5 * SECOND_MS)
    const { talk, proposed } = await propose()
    after(SECOND_MS)
    await talk.write('yes', writtenAt)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.confirm(proposed, ARGS)).toEqual(DONE)
  })

  test('nor does one of the same second that the assistant had read', async () => {
    const action = await w.make(CANCEL)
    const talk = await w.customer()
    await talk.write('yes')
    const proposed = await talk.use(action.name, ARGS)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    after(1)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('what the business has written agrees to nothing', async () => {
    const { talk, proposed } = await propose()
    after(SECOND_MS)
    for (const sender of ['assistant', 'staff', 'flow', 'owner_app']) {
      await w.deps.db.kysely
        .insertInto('message')
        .values({
          id: w.deps.ids.uuid(),
          companyId: w.shop.companyId,
          conversationId: talk.conversationId,
          channelId: w.shop.channelId,
          direction: 'out',
          sender,
          type: 'text',
          text: 'yes',
          status: 'sent',
          occurredAt: w.deps.clock.now(),
          createdAt: w.deps.clock.now(),
        })
        .execute()
    }
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('with confirmation off it is called when the customer asks', async () => {
    const { name } = await w.make({ ...CANCEL, needsConfirmation: false })
    const talk = await w.customer()
    expect(await talk.use(name, ARGS)).toEqual(DONE)
  })

  test('what can never be sent is not proposed', async () => {
    const { name } = await w.make({ ...CANCEL })
    const talk = await w.customer()
    expect((await talk.use(name, {})).kind).toBe('refused')
    expect((await talk.use(name, { order: 'x'.repeat(501) })).kind).toBe('refused')
    const path = await w.make({
      needsConfirmation: true,
      parameters: [{ ...ORDER, isRequired: false }],
    })
    expect(await talk.use(path.name, {})).toEqual({ kind: 'refused', text: COULD_NOT_CHECK })
  })
})

describe('States › AI action proposal', () => {
  test.each([
    [ACTION_LIMITS.confirmationMs, 1],
    [ACTION_LIMITS.confirmationMs + SECOND_MS, 0],
  ])('an agreement %i ms after the proposal makes %i calls', async (ms, calls) => {
    const { talk, proposed } = await propose()
    after(ms)
    await talk.write('yes')
    const told = await talk.confirm(proposed, ARGS)
    expect(sent()).toHaveLength(calls)
    if (calls === 0) expect(told.text).toContain('Propose it again')
  })

  test('after 15 minutes the proposal must be made again, and then it is called once', async () => {
    const { talk, proposed, action } = await propose()
    after(16 * MINUTE_MS)
    const again = await talk.use(action.name, ARGS)
    after(MINUTE_MS)
    await talk.write('yes')
    expect(await talk.confirm(again, ARGS)).toEqual(DONE)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toHaveLength(1)
  })

  test('an agreement is no store: it is good for 15 minutes itself', async () => {
    const { talk, proposed } = await propose()
    after(MINUTE_MS)
    await talk.write('yes')
    after(ACTION_LIMITS.confirmationMs + 1)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('what was proposed twice is one proposal: one agreement makes one call', async () => {
    const { talk, proposed, action } = await propose()
    after(SECOND_MS)
    const again = await talk.use(action.name, ARGS)
    after(SECOND_MS)
    await talk.write('yes')
    const told = [await talk.confirm(proposed, ARGS), await talk.confirm(again, ARGS)]
    expect(told.map(({ kind }) => kind)).toEqual(['refused', 'called'])
    expect(sent()).toHaveLength(1)
  })

  test('is called for exactly the arguments that were stated', async () => {
    const { talk, proposed } = await propose()
    after(SECOND_MS)
    await talk.write('yes')
    for (const args of [{ order: '8' }, {}, { ...ARGS, more: 1 }, 'order 7', null]) {
      const told = await talk.confirm(proposed, args)
      expect(told).toMatchObject({ kind: 'refused' })
      expect(told.text).toContain('Propose it again')
    }
    expect(sent()).toEqual([])
    expect(await talk.confirm(proposed, ARGS)).toEqual(DONE)
  })

  test('is called in its own conversation only', async () => {
    const { talk, proposed } = await propose()
    const other = await w.customer()
    after(SECOND_MS)
    await talk.write('yes')
    await other.write('yes')
    expect(await other.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    const unknown = { kind: 'proposed', text: '', proposalId: 'nonsense' } as const
    expect(await talk.confirm(unknown, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('is called once for two agreements, one after the other or at once on two nodes', async () => {
    const { talk, proposed } = await propose({}, '966502220001')
    after(SECOND_MS)
    await talk.write('yes')
    const db = connectDatabase(w.world.database.connection)
    try {
      const there = await w.customer('966502220001', { ...w.deps, db })
      const told = await w.deps.db.kysely.transaction().execute(async (tx) => {
        await tx.selectFrom('actionProposal').select('id').forUpdate().execute()
        const both = [talk, there].map((one) => one.confirm(proposed, ARGS))
        await w.untilTheyWait(2)
        return { both }
      })
      const texts = (await Promise.all(told.both)).map(({ text }) => text)
      expect(texts.filter((text) => text === DONE.text)).toHaveLength(1)
      await talk.write('yes')
      expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
      expect(sent()).toHaveLength(1)
    } finally {
      await db.close()
    }
  })

  test('is not called while the customer does not agree, and never later by itself', async () => {
    const { talk } = await propose()
    after(SECOND_MS)
    await talk.write('no')
    await w.world.service.processAll()
    expect(sent()).toEqual([])
  })

  test('is not called when staff took over meanwhile', async () => {
    const { talk, proposed } = await propose()
    after(SECOND_MS)
    await w.deps.db.kysely
      .updateTable('conversation')
      .set({ handledBy: 'staff' })
      .where('id', '=', talk.conversationId)
      .execute()
    await talk.write('yes')
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('could not check when the connection was switched off meanwhile', async () => {
    const id = w.deps.ids.uuid()
    await connectApi(w.world, { id, companyId: w.shop.companyId, baseUrl: w.api.baseUrl })
    const { talk, proposed } = await propose({ request: { ...CANCEL.request, connectionId: id } })
    after(SECOND_MS)
    await talk.write('yes')
    await w.deps.db.kysely
      .updateTable('apiConnection')
      .set({ isOn: false })
      .where('id', '=', id)
      .execute()
    expect(await talk.confirm(proposed, ARGS)).toEqual(UNCHECKED)
    expect(sent()).toEqual([])
  })

  test.each([
    [
      'its request',
      { request: { method: 'POST', path: '/refund', body: '{"a":"{{args.order}}"}' } },
    ],
    ['whether it is on', { isOn: false }],
    ['its fields', { shown: [] }],
  ] as const)('must be made again when the action has changed: %s', async (_, change) => {
    const { talk, proposed, action } = await propose()
    after(SECOND_MS)
    await talk.write('yes')
    const full =
      'request' in change ? { request: { ...action.request, ...change.request } } : change
    const member = await w.member()
    expect((await member.ask('PATCH', `${w.actions}/${action.id}`, full)).status).toBe(200)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect((await member.ask('DELETE', `${w.actions}/${action.id}`)).status).toBe(204)
    expect(await talk.confirm(proposed, ARGS)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('must be made again when the customer’s value has changed', async () => {
    const body = '{"order":"{{args.order}}","who":"{{identity}}"}'
    const action = await w.make({
      ...CANCEL,
      identity: 'email',
      request: { ...CANCEL.request, body },
    })
    const other = await w.customer()
    const setEmail = (email: string) =>
      w.deps.db.kysely
        .updateTable('contact')
        .set({ email })
        .where('id', '=', other.contactId)
        .execute()
    await setEmail('a@example.com')
    const stated = await other.use(action.name, ARGS)
    after(SECOND_MS)
    await other.write('yes')
    await setEmail('b@example.com')
    expect(await other.confirm(stated, ARGS)).toMatchObject({ kind: 'refused' })
    await setEmail('a@example.com')
    expect(await other.confirm(stated, ARGS)).toEqual(DONE)
    expect(sent()).toEqual(['{"order":"7","who":"a@example.com"}'])
  })

  test('that finds no call left in the reply stays open for a later one', async () => {
    const { talk, proposed } = await propose()
    const { name } = await w.make()
    for (let call = 0; call < 3; call += 1) await talk.use(name, ARGS, 'full')
    after(SECOND_MS)
    await talk.write('yes')
    w.api.requests.length = 0
    expect(await talk.confirm(proposed, ARGS, 'full')).toMatchObject({ kind: 'refused' })
    expect((await proposalOf(proposed)).state).toBe('proposed')
    expect(await talk.confirm(proposed, ARGS)).toEqual(DONE)
  })
})

describe('A process that dies', () => {
  test('between proposal and agreement loses nothing', async () => {
    const { talk, proposed } = await propose({}, '966503330001')
    after(SECOND_MS)
    await talk.write('yes')
    const db = connectDatabase(w.world.database.connection)
    try {
      // Another process has only the store.
      const elsewhere = await w.customer('966503330001', { ...w.deps, db })
      expect(await elsewhere.confirm(proposed, ARGS)).toEqual(DONE)
    } finally {
      await db.close()
    }
  })

  test('between claim and answer: it could not be checked, and is never called again', async () => {
    const { talk, proposed } = await propose()
    after(SECOND_MS)
    await talk.write('yes')
    let breakOff = () => {}
    w.api.reply((_, response) => {
      breakOff = () => void response.destroy()
    })
    // The call of a process that never comes back for its answer.
    const lost = talk.confirm(proposed, ARGS)
    await w.api.hasReceived(1)
    expect((await proposalOf(proposed)).state).toBe('started')
    expect(await talk.confirm(proposed, ARGS)).toEqual(UNCHECKED)
    after(MINUTE_MS)
    await talk.write('yes!')
    expect(await talk.confirm(proposed, ARGS)).toEqual(UNCHECKED)
    expect(sent()).toHaveLength(1)
    breakOff()
    expect(await lost).toEqual(UNCHECKED)
    expect((await proposalOf(proposed)).state).toBe('failed')
    expect(await talk.confirm(proposed, ARGS)).toEqual(UNCHECKED)
    expect(sent()).toHaveLength(1)
  })

  test('a fault of our own after the claim: the same', async () => {
    const { talk, proposed } = await propose()
    after(SECOND_MS)
    await talk.write('yes')
    const outbound = {
      send: () => {
        throw new Error('a fault')
      },
    }
    const told = await confirmProposal(
      { ...w.deps, outbound },
      { companyId: w.shop.companyId, conversationId: talk.conversationId, replyId: 'a fault' },
      { proposalId: proposed.kind === 'proposed' ? proposed.proposalId : '', args: ARGS },
    )
    expect(told).toEqual(UNCHECKED)
    expect(await talk.confirm(proposed, ARGS)).toEqual(UNCHECKED)
    expect(sent()).toEqual([])
  })
})
