/**
 * Work that a restored backup shows as in progress may have been done since: it is held, closed or ended. See
 * decision 0035.
 */
import { expect, test } from 'vitest'
import { pauseSending, sendingPausedSince } from '../../src/workers/pause-sending.ts'
import { parseFact } from '../../src/core/facts/stored-fact.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { openActionWorld } from '../connections/action-world.ts'
import { draft, propose, stateOf } from '../connections/propose.ts'
import { postHook } from '../support/post-hook.ts'
import { putReply, replyOf } from '../support/records/assistant.ts'
import { conversationOf, putConversation } from '../support/records/conversations.ts'
import { putMessage } from '../support/records/messages.ts'
import { leaveReply } from '../support/replies.ts'

const w = await openActionWorld()

test('An offered action can no longer be confirmed: it may have been called since', async () => {
  const stated = await propose(w)
  const drafted = await draft(w, { toolName: 'other' })
  await pauseSending(w.deps.db.kysely)
  expect((await stateOf(w, stated.drafted)).state).toBe('failed')
  expect((await stateOf(w, drafted.drafted)).state).toBe('failed')
  await stated.talk.write('yes')
  await stated.talk.press(stated.statement.buttons[0]!)
  expect(await stated.talk.answer()).toEqual({ kind: 'none' })
  expect(await stated.talk.confirm(stated.drafted)).toMatchObject({ kind: 'called', isDone: false })
  expect(w.api.requests).toEqual([])
})

const UNDER_WAY = ['gathering', 'thinking', 'sending'] as const
test.each(UNDER_WAY)('A reply that was %s is ended, and left to staff', async (state) => {
  const { conversationId } = await w.customer()
  const id = await leaveReply(w.world, { companyId: w.shop.companyId, conversationId })
  const dueAt = w.deps.clock.now()
  await putReply(w.world, id, { state, endedAt: null, endReason: null, dueAt })
  await putConversation(w.world, conversationId, { needsStaff: false, waitingSince: null })
  await pauseSending(w.deps.db.kysely)
  const reply = await replyOf(w.world, id)
  expect(reply).toMatchObject({ state: 'cancelled', dueAt: null })
  expect(parseFact(reply.endReason!).code).toBe('reply_restored')
  const waiting = { needsStaff: true, waitingSince: expect.any(Date) }
  expect(await conversationOf(w.world, conversationId)).toMatchObject(waiting)
})

test('Sending is held from the newest unsent message on, and hooks are paused', async () => {
  const talk = await w.customer()
  const id = await talk.say('staff', 'On its way')
  // The machine of the backup had a clock that was ahead.
  const ahead = new Date(Date.now() + DAY_MS)
  const failed = { status: 'failed', dueAt: ahead, createdAt: ahead }
  await putMessage(w.world, id, { ...failed, outbound: '{}', attempt: 1 })
  await pauseSending(w.deps.db.kysely)
  expect(await sendingPausedSince(w.deps.db.kysely)).toEqual(ahead)
  expect(await postHook(w.shop.hookUrl)).toMatchObject({ http: 503 })
})
