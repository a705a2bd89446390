/** What a restored backup had under way, it may have done since: it is held, closed or ended. See decision 0035. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdSending, sendingHeldSince } from '../../src/daemon/hold-sending.ts'
import { readFact } from '../../src/facts/stored-fact.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { createActionWorld, type ActionWorld } from '../connections/action-world.ts'
import { draft, propose, stateOf } from '../connections/propose.ts'
import { askHook } from '../support/ask-hook.ts'
import { leaveReply } from '../support/replies.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())

test('What was offered can be agreed to no more: it may have been called since', async () => {
  const stated = await propose(w)
  const drafted = await draft(w, { toolName: 'other' })
  await holdSending(w.deps.db.kysely)
  expect((await stateOf(w, stated.drafted)).state).toBe('failed')
  expect((await stateOf(w, drafted.drafted)).state).toBe('failed')
  await stated.talk.write('yes')
  await stated.talk.press(stated.statement.buttons[0]!)
  expect(await stated.talk.answer()).toEqual({ kind: 'none' })
  expect(await stated.talk.confirm(stated.drafted)).toMatchObject({ kind: 'called', isDone: false })
  expect(w.api.requests).toEqual([])
})

test.each(['gathering', 'thinking', 'sending'] as const)(
  'A reply of the assistant that was %s is ended, and a person looks at its conversation',
  async (state) => {
    const { conversationId } = await w.customer()
    const { kysely } = w.deps.db
    const id = await leaveReply(w.world, { companyId: w.shop.companyId, conversationId })
    await kysely
      .updateTable('assistantReply')
      .set({ state, endedAt: null, endReason: null, wakeAt: w.deps.clock.now() })
      .where('id', '=', id)
      .execute()
    await kysely
      .updateTable('conversation')
      .set({ needsStaff: false, waitingSince: null })
      .where('id', '=', conversationId)
      .execute()
    await holdSending(kysely)
    const reply = await kysely
      .selectFrom('assistantReply')
      .select(['state', 'endReason', 'wakeAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect({ ...reply, endReason: readFact(reply.endReason!).code }).toEqual({
      state: 'cancelled',
      endReason: 'reply_restored',
      wakeAt: null,
    })
    const conversation = await kysely
      .selectFrom('conversation')
      .select(['needsStaff', 'waitingSince'])
      .where('id', '=', conversationId)
      .executeTakeFirstOrThrow()
    expect(conversation).toEqual({ needsStaff: true, waitingSince: expect.any(Date) })
  },
)

test('Sending is held since no earlier than the newest message that is still to be sent, and hooks are paused', async () => {
  const talk = await w.customer()
  const id = await talk.say('staff', 'On its way')
  // The machine of the backup had a clock that was ahead.
  const ahead = new Date(Date.now() + DAY_MS)
  await w.deps.db.kysely
    .updateTable('message')
    .set({ status: 'failed', dueAt: ahead, createdAt: ahead, outbound: '{}', attempt: 1 })
    .where('id', '=', id)
    .execute()
  await holdSending(w.deps.db.kysely)
  expect(await sendingHeldSince(w.deps.db.kysely)).toEqual(ahead)
  expect(await askHook(w.shop.hookUrl)).toMatchObject({ http: 503 })
})
