/**
 * Draft, confirmation text, agreement, call: exactly the action that the customer read and agreed to is called, once.
 */
import { describe, expect, test } from 'vitest'
import { markConfirmationSent } from '../../src/modules/connections/mark-confirmation-sent.ts'
import { withdrawProposals } from '../../src/modules/connections/withdraw-proposals.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { ACTION_LIMITS } from '../../src/core/limits/calls.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { COULD_NOT_CHECK } from '../../src/rules/calls/action-answer.ts'
import { putConversation } from '../support/records/conversations.ts'
import { messagesOf, putMessage, setTranscript } from '../support/records/messages.ts'
import { addReplyToRun, addRun } from '../support/records/runs.ts'
import { idOf, ORDER, type Talk } from './action-world.ts'
import {
  ARGS,
  CANCEL,
  DONE,
  draft,
  expectWithdrawn,
  openProposals,
  propose,
  stateOf,
} from './propose.ts'

const w = await openProposals()

const after = (ms: number) => w.world.clock.advance(ms)
const sent = () => w.api.requests.map(({ body }) => body)
/** Moves the clock into a second, away from its end. */
const intoSecond = () => after(SECOND_MS + 300 - (w.deps.clock.now().getTime() % SECOND_MS))
/** Returns the id of the message in which the customer agreed. */
const idOfYes = async ({ conversationId }: Talk) =>
  (await messagesOf(w.world, { conversationId })).find(({ text }) => text === 'yes')!.id

describe('Confirmation before calling is on by default', () => {
  test('code renders the confirmation, and calls once the customer has agreed to it', async () => {
    const { needsConfirmation } = await w.make({ needsConfirmation: undefined! })
    expect(needsConfirmation).toBe(true)
    const { talk, drafted } = await propose(w)
    expect(sent()).toEqual([])
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({
      kind: 'agreed',
      proposalId: idOf(drafted),
      tool: 'action_cancel_order',
      result: DONE,
    })
    expect(sent()).toEqual(['{"order":"7"}'])
    expect((await stateOf(w, drafted)).state).toBe('done')
  })

  test('the model learns that nothing was done, and has no tool to confirm', async () => {
    const { talk, drafted } = await draft(w)
    expect(drafted.text).toContain('Nothing was done yet')
    expect(drafted.text).not.toContain(idOf(drafted))
    const offered = await talk.offered()
    expect(offered.map(({ name }) => name)).toEqual(['action_cancel_order'])
    expect(await talk.use('confirm_action', { proposal: idOf(drafted) })).toMatchObject({
      kind: 'refused',
    })
  })

  test('a press of the button with yes agrees, and one of the button with no withdraws', async () => {
    const first = await propose(w)
    await first.talk.press(first.statement.buttons[1]!)
    expect(await first.talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'refused' })
    expect(sent()).toEqual([])
    const again = await first.talk.use(first.action.name, ARGS)
    const statement = await first.talk.state(again)
    after(SECOND_MS)
    await first.talk.press(statement!.buttons[0]!)
    expect(await first.talk.answer()).toMatchObject({ kind: 'agreed', result: DONE })
    expect(sent()).toHaveLength(1)
  })

  test('with confirmation off, the action is called when the customer asks', async () => {
    const { name } = await w.make({ ...CANCEL, needsConfirmation: false })
    const talk = await w.customer()
    expect(await talk.use(name, ARGS)).toEqual(DONE)
  })

  test('values that cannot be sent, or are too long to be shown, are not proposed', async () => {
    const { name } = await w.make(CANCEL)
    const talk = await w.customer()
    expect((await talk.use(name, {})).kind).toBe('refused')
    expect((await talk.use(name, { order: 'x'.repeat(501) })).kind).toBe('refused')
    const path = await w.make({
      needsConfirmation: true,
      parameters: [{ ...ORDER, isRequired: false }],
    })
    const nothing = { kind: 'refused', text: COULD_NOT_CHECK }
    expect(await talk.use(path.name, {})).toEqual(nothing)
    await putConversation(w.world, talk.conversationId, { channelType: 'instagram' })
    expect((await talk.use(name, { order: 'x'.repeat(400) })).kind).toBe('drafted')
    const long = await talk.use(name, { order: 'ط'.repeat(500) })
    expect(long.text).toContain('too long')
  })
})

describe('An agreement', () => {
  test('is not an answer that says no', async () => {
    const { talk, drafted } = await propose(w)
    await talk.write('لا، لا تلغيه')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(await talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'refused' })
    await expectWithdrawn(w, drafted, 'refused')
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    expect(sent()).toEqual([])
  })

  test('is not a voice note, whatever its transcript says', async () => {
    const { talk, drafted } = await propose(w)
    await talk.send({ type: 'audio', audio: { id: 'voice', mime_type: 'audio/ogg', voice: true } })
    const { conversationId } = talk
    await setTranscript(w.world, { conversationId }, 'نعم')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again' })
    expect(sent()).toEqual([])
  })

  test('counts only after the provider has accepted the confirmation text', async () => {
    const { talk, drafted } = await draft(w)
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(await talk.answer()).toEqual({ kind: 'none' })
    // A text between draft and confirmation does not count later.
    await talk.state(drafted)
    after(SECOND_MS)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('written before the confirmation does not count, however late it arrives', async () => {
    const writtenAt = w.deps.clock.now()
    after(5 * SECOND_MS)
    const { talk, drafted } = await propose(w)
    await talk.write('yes', writtenAt)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
    await talk.write('yes')
    expect(await talk.confirm(drafted)).toEqual(DONE)
  })

  test('in the same second as the confirmation counts, because phones send whole seconds', async () => {
    const { talk, drafted } = await draft(w)
    intoSecond()
    await talk.state(drafted)
    after(400)
    await talk.write('yes')
    expect(await talk.confirm(drafted)).toEqual(DONE)
  })

  test('in that second but stored before the confirmation does not count', async () => {
    const { talk, drafted } = await draft(w)
    intoSecond()
    await talk.write('yes')
    after(400)
    await talk.state(drafted)
    after(100)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('is impossible if the confirmation could not be sent', async () => {
    const { talk, drafted } = await draft(w)
    const its = { companyId: w.shop.companyId, proposalId: idOf(drafted) }
    const at = w.deps.clock.now()
    await transaction(w.deps.db, (tx) => withdrawProposals(tx, its, 'not_stated', at))
    expect(await talk.state(drafted)).toBeNull()
    const late = { ...its, messageId: 'o_late', at }
    expect(await transaction(w.deps.db, (tx) => markConfirmationSent(tx, late))).toBe(false)
    await expectWithdrawn(w, drafted, 'not_stated')
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('comes from the customer alone: messages of the business do not count', async () => {
    const { talk, drafted } = await propose(w)
    for (const sender of ['assistant', 'staff', 'flow', 'owner_app']) await talk.say(sender, 'yes')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    const other = await w.customer()
    await other.write('yes')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('does not count next to a press of an unrelated button, whereas a refusal does', async () => {
    const { talk, drafted } = await propose(w)
    await talk.press({ label: 'Yes', payload: 'show-the-menu' })
    await talk.write('yes')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    await talk.say('broadcast', 'A sale!')
    after(SECOND_MS)
    await talk.write('لا، لا تلغيه')
    expect(await talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'refused' })
    expect(sent()).toEqual([])
  })

  test('in a text applies to the message it quotes: the confirmation, or another one', async () => {
    const { action, talk } = await draft(w)
    const asked = await talk.say('flow', 'Shall we tell you of sales?')
    after(SECOND_MS)
    const drafted = await talk.use(action.name, ARGS)
    await talk.state(drafted)
    after(SECOND_MS)
    await talk.quote(asked, 'yes')
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again', proposalId: idOf(drafted) })
    expect(sent()).toEqual([])
    await talk.state(drafted)
    after(SECOND_MS)
    const { confirmationMessageId } = await stateOf(w, drafted)
    await talk.quote(confirmationMessageId!, 'yes')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', result: DONE })
  })

  test('in a text does not count if a message queued before is sent after the confirmation', async () => {
    const { action, talk } = await draft(w)
    const broadcastId = await talk.say('broadcast', 'A sale! Answer yes to hear more.')
    intoSecond()
    await talk.state(await talk.use(action.name, ARGS))
    // The provider's time of the message is the second of the confirmation.
    const second = new Date(Math.floor(w.deps.clock.now().getTime() / SECOND_MS) * SECOND_MS)
    await putMessage(w.world, broadcastId, { sentAt: second })
    after(SECOND_MS)
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again' })
    expect(sent()).toEqual([])
  })

  test.each([
    ['a reply that a run has read', false],
    ['a message that a run took', true],
  ])('is not %s', async (_, isTrigger) => {
    const { talk, drafted } = await propose(w)
    await talk.write('yes')
    const messageId = await idOfYes(talk)
    const runId = await addRun(w.world, w.shop, {
      conversationId: talk.conversationId,
      triggerKind: 'keyword',
      status: 'completed',
      endedAt: w.deps.clock.now(),
      ...(isTrigger && { triggerMessageId: messageId }),
    })
    if (!isTrigger) await addReplyToRun(w.world, w.shop, { runId, messageId })
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test.each([
    [ACTION_LIMITS.confirmationMs, 1],
    [ACTION_LIMITS.confirmationMs + SECOND_MS, 0],
  ])('%i ms after the confirmation leads to %i calls', async (ms, calls) => {
    const { talk, drafted } = await draft(w)
    await talk.state(drafted)
    after(ms)
    await talk.write('yes')
    const answered = await talk.answer()
    expect(sent()).toHaveLength(calls)
    if (calls === 0) {
      expect(answered).toMatchObject({ kind: 'withdrawn', why: 'too_late' })
      await expectWithdrawn(w, drafted, 'too_late')
    }
  })

  test('expires after 15 minutes', async () => {
    const { talk, drafted } = await propose(w)
    await talk.write('yes')
    after(ACTION_LIMITS.confirmationMs + 1)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(await talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'too_late' })
    expect(sent()).toEqual([])
  })

  test('is asked for once more if unclear, and then the proposal is withdrawn', async () => {
    const { talk, drafted } = await propose(w)
    await talk.write('تمام بس غير العنوان')
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again', proposalId: idOf(drafted) })
    const again = await talk.state(drafted)
    expect(again!.text).toContain('order: 7')
    after(SECOND_MS)
    await talk.write('how long would that take?')
    expect(await talk.answer()).toMatchObject({ kind: 'withdrawn', why: 'unclear' })
    expect(sent()).toEqual([])
  })

  test('to a repeated confirmation counts from the repeat on', async () => {
    const { talk, drafted } = await propose(w)
    await talk.write('hm, what?')
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again' })
    after(14 * MINUTE_MS)
    await talk.state(drafted)
    after(14 * MINUTE_MS)
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', result: DONE })
  })

  test('is to the last confirmation: an earlier proposal is withdrawn', async () => {
    const { talk, drafted, action, statement } = await propose(w)
    const second = await talk.use(action.name, { order: '8' })
    await expectWithdrawn(w, drafted, 'replaced')
    await talk.state(second)
    after(SECOND_MS)
    await talk.press(statement.buttons[0]!)
    expect(await talk.answer()).toMatchObject({ kind: 'ask_again' })
    expect(sent()).toEqual([])
    await talk.write('yes')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed' })
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual(['{"order":"8"}'])
  })

  test('counts in its own conversation: a button of another one calls nothing', async () => {
    const { talk, drafted, statement } = await propose(w)
    const other = await w.customer()
    await other.press(statement.buttons[0]!)
    expect(await other.answer()).toEqual({ kind: 'none' })
    expect(await other.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    const mine = await other.use('action_cancel_order', { order: '9' })
    await other.state(mine)
    after(SECOND_MS)
    await other.press(statement.buttons[0]!)
    expect(await other.answer()).toMatchObject({ kind: 'ask_again' })
    const unknown = { kind: 'drafted', text: '', proposalId: 'nonsense' } as const
    expect(await talk.confirm(unknown)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('makes one call, however often it is given', async () => {
    const { talk, drafted, statement } = await propose(w)
    await talk.write('yes')
    await talk.press(statement.buttons[0]!)
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', result: DONE })
    after(SECOND_MS)
    await talk.write('yes')
    await talk.press(statement.buttons[0]!)
    expect(await talk.answer()).toEqual({ kind: 'none' })
    expect((await talk.confirm(drafted)).text).toContain('done already')
    expect(sent()).toHaveLength(1)
  })
})
