/**
 * The conditions of a proposal, the events that withdraw it, and the messages that count as an answer to its
 * confirmation text. Spec: Calls › Confirmation; reading C13; reading C15.
 */
import { describe, expect, test } from 'vitest'
import { markConfirmationSent } from '../../src/modules/connections/mark-confirmation-sent.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { putConnection, switchActions } from '../support/records/calls.ts'
import { describeContact } from '../support/records/contacts.ts'
import { putConversation } from '../support/records/conversations.ts'
import { messagesOf, putMessage } from '../support/records/messages.ts'
import { idOf, type Talk } from './action-world.ts'
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
import { systemTest } from '../support/system-tests.ts'

const w = await openProposals()

const after = (ms: number) => w.world.clock.advance(ms)
const sent = () => w.api.requests.map(({ body }) => body)

describe('States › Proposal of an AI action', () => {
  test('a confirmation that is reported sent twice keeps its first time', async () => {
    const { drafted } = await draft(w)
    const at = w.deps.clock.now()
    const stated = { companyId: w.shop.companyId, proposalId: idOf(drafted), messageId: 'o_1' }
    const mark = (when: Date) =>
      transaction(w.deps.db, (tx) => markConfirmationSent(tx, { ...stated, at: when }))
    expect(await mark(at)).toBe(true)
    expect(await mark(new Date(at.getTime() + MINUTE_MS))).toBe(true)
    expect((await stateOf(w, drafted)).confirmationSentAt).toEqual(at)
  })

  test('a takeover by staff withdraws it, even if the conversation has been returned since', async () => {
    const { talk, drafted } = await propose(w)
    const takenOverAt = w.deps.clock.now()
    await putConversation(w.world, talk.conversationId, { handledBy: 'staff', takenOverAt })
    await talk.write('yes')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    await expectWithdrawn(w, drafted, 'taken_over')

    const given = await propose(w, { toolName: 'given_back' })
    const { conversationId } = given.talk
    await putConversation(w.world, conversationId, { takenOverAt: w.deps.clock.now() })
    await given.talk.write('yes')
    expect(await given.talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, given.drafted, 'taken_over')
    expect(sent()).toEqual([])
  })

  test('an action or connection that was switched off withdraws it when the customer answers', async () => {
    const { action, talk, drafted } = await propose(w)
    const other = await propose(w, { toolName: 'other' })
    const connection = { connectionId: w.connectionId }
    await switchActions(w.world, { companyId: w.shop.companyId, id: action.id }, false)
    await talk.write('yes')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, drafted, 'action_changed')
    await putConnection(w.world, connection, { isOn: false })
    await other.talk.write('yes')
    expect(await other.talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, other.drafted, 'connection_changed')
    // No new proposal is made meanwhile either.
    expect(await other.talk.use(other.action.name, ARGS)).toMatchObject({ kind: 'refused' })
    await putConnection(w.world, connection, { isOn: true })
    expect(sent()).toEqual([])
  })

  test('STOP withdraws it, even if START was written since', async () => {
    const { talk, drafted, statement } = await propose(w)
    await talk.write('STOP')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, drafted, 'opted_out')
    await talk.write('START')
    await talk.press(statement.buttons[0]!)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('STOP withdraws a proposal drafted in the same second, because providers send whole seconds', async () => {
    after(SECOND_MS + 300 - (w.deps.clock.now().getTime() % SECOND_MS))
    const { talk, drafted } = await draft(w)
    const statement = await talk.state(drafted)
    after(200)
    await talk.write('STOP')
    after(SECOND_MS)
    await talk.press(statement!.buttons[0]!)
    expect(await talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, drafted, 'opted_out')
    expect(sent()).toEqual([])
  })

  test('a merge with a contact that had sent STOP before withdraws it', async () => {
    const saidAt = w.deps.clock.now()
    after(MINUTE_MS)
    const { talk, drafted } = await propose(w)
    const out = { optedOutAt: w.deps.clock.now(), optOutWordAt: saidAt, optOutWordHow: 'merge' }
    await describeContact(w.world, talk.contactId, out)
    await talk.write('yes')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, drafted, 'opted_out')
  })

  test.each([
    [
      'its request',
      { request: { method: 'POST', path: '/refund', body: '{"a":"{{args.order}}"}' } },
    ],
    ['what it says', { statement: { en: 'Order {{args.order}} goes.', ar: null } }],
    ['whether it is on', { isOn: false }],
    ['its fields', { shown: [] }],
  ] as const)('a change of the action withdraws it: %s', async (_, change) => {
    const { talk, drafted, action } = await propose(w)
    await talk.write('yes')
    const full =
      'request' in change ? { request: { ...action.request, ...change.request } } : change
    const member = await w.member()
    expect((await member.ask('PATCH', `${w.actions}/${action.id}`, full)).status).toBe(200)
    await expectWithdrawn(w, drafted, 'action_changed')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(await talk.answer()).toEqual({ kind: 'none' })
    expect((await member.ask('DELETE', `${w.actions}/${action.id}`)).status).toBe(204)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  systemTest('a change of its connection withdraws it, and so does switching it off', async () => {
    const connection = `/companies/${w.shop.companyId}/connections/${w.connectionId}`
    const member = await w.member()
    for (const [path, input, method] of [
      [`${connection}/switch-off`, undefined, 'POST'],
      [connection, { timeoutSeconds: 7 }, 'PATCH'],
    ] as const) {
      const { talk, drafted } = await propose(w, { toolName: `cancel_${method.toLowerCase()}` })
      await talk.write('yes')
      expect((await member.ask(method, path, input)).status).toBe(200)
      await expectWithdrawn(w, drafted, 'connection_changed')
      await member.ask('POST', `${connection}/switch-on`)
      expect(await talk.answer()).toEqual({ kind: 'none' })
    }
    expect(sent()).toEqual([])
  })

  test('must be made again when the customer’s value has changed', async () => {
    const body = '{"order":"{{args.order}}","who":"{{identity}}"}'
    const action = await w.make({
      ...CANCEL,
      identity: 'email',
      request: { ...CANCEL.request, body },
    })
    const talk = await w.customer()
    const setEmail = (email: string) =>
      describeContact(w.world, talk.contactId, { email, emailFrom: 'member' })
    await setEmail('a@example.com')
    const drafted = await talk.use(action.name, ARGS)
    await talk.state(drafted)
    after(SECOND_MS)
    await talk.write('yes')
    await setEmail('b@example.com')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', result: { kind: 'refused' } })
    await expectWithdrawn(w, drafted, 'customer_changed')
    expect(sent()).toEqual([])
  })

  test('without a call left in the reply stays open for a later one', async () => {
    const { talk, drafted } = await propose(w)
    const { name } = await w.make()
    for (let call = 0; call < 3; call += 1) await talk.use(name, ARGS, 'full')
    await talk.write('yes')
    w.api.requests.length = 0
    expect(await talk.confirm(drafted, 'full')).toMatchObject({ kind: 'refused' })
    expect((await stateOf(w, drafted)).state).toBe('proposed')
    expect(await talk.confirm(drafted)).toEqual(DONE)
  })
})

describe('An answer to the confirmation', () => {
  /** Changes the stored fields of a message with this text. */
  async function change(
    { conversationId }: Talk,
    state: { status?: string; isImported?: boolean },
    said: string,
  ) {
    const messages = await messagesOf(w.world, { conversationId })
    await putMessage(w.world, messages.find(({ text }) => text === said)!.id, state)
  }

  test('a message imported from the history of a phone agrees to nothing', async () => {
    const { talk, drafted } = await propose(w)
    await talk.write('yes')
    await change(talk, { isImported: true }, 'yes')
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(w.api.requests).toEqual([])
  })

  test.each([
    ['accepted', 'ask_again'],
    ['sending', 'ask_again'],
    ['unknown', 'ask_again'],
    ['failed', 'agreed'],
    ['cancelled', 'agreed'],
  ])('a text after another message that is %s has the result %s', async (status, kind) => {
    const { talk, drafted, statement } = await propose(w)
    const sale = `A sale, ${status}! Answer yes to hear more.`
    await talk.say('broadcast', sale)
    await change(talk, { status }, sale)
    after(SECOND_MS)
    await talk.write('yes')
    const agrees = kind === 'agreed'
    expect(await talk.answer()).toMatchObject(
      agrees ? { kind, result: DONE } : { kind, proposalId: idOf(drafted) },
    )
    if (agrees) return
    expect(w.api.requests).toEqual([])
    await talk.press(statement.buttons[0]!)
    expect(await talk.confirm(drafted)).toEqual(DONE)
  })

  test('a message sent after the customer’s text does not affect it', async () => {
    const { talk } = await propose(w)
    await talk.write('yes')
    after(SECOND_MS)
    await talk.say('broadcast', 'A sale! Answer yes to hear more.')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', result: DONE })
  })
})
