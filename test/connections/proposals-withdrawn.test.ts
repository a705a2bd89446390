/**
 * What a proposal stands on and what takes it away, and which message counts as an answer to what was stated.
 * Spec: Calls › Confirmation; reading C13; reading C15.
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
  test('told twice of one message, a proposal is stated once', async () => {
    const { drafted } = await draft(w)
    const at = w.deps.clock.now()
    const stated = { companyId: w.shop.companyId, proposalId: idOf(drafted), messageId: 'o_1' }
    const mark = (when: Date) =>
      transaction(w.deps.db, (tx) => markConfirmationSent(tx, { ...stated, at: when }))
    expect(await mark(at)).toBe(true)
    expect(await mark(new Date(at.getTime() + MINUTE_MS))).toBe(true)
    expect((await stateOf(w, drafted)).confirmationSentAt).toEqual(at)
  })

  test('staff who take over withdraw it, also when they have given it back since', async () => {
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

  test('whatever switched its action or connection off, it is seen when somebody answers', async () => {
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
    // Nor is anything proposed meanwhile that could not be called.
    expect(await other.talk.use(other.action.name, ARGS)).toMatchObject({ kind: 'refused' })
    await putConnection(w.world, connection, { isOn: true })
    expect(sent()).toEqual([])
  })

  test('STOP withdraws it, also when START was written since', async () => {
    const { talk, drafted, statement } = await propose(w)
    await talk.write('STOP')
    expect(await talk.answer()).toEqual({ kind: 'none' })
    await expectWithdrawn(w, drafted, 'opted_out')
    await talk.write('START')
    await talk.press(statement.buttons[0]!)
    expect(await talk.confirm(drafted)).toMatchObject({ kind: 'refused' })
    expect(sent()).toEqual([])
  })

  test('STOP withdraws what was drafted in its second: providers tell whole ones', async () => {
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

  test('a merge with a contact that had said STOP before withdraws it', async () => {
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

  systemTest('so does a change of its connection, and switching it off', async () => {
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
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', told: { kind: 'refused' } })
    await expectWithdrawn(w, drafted, 'customer_changed')
    expect(sent()).toEqual([])
  })

  test('that finds no call left in the reply stays open for a later one', async () => {
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

describe('An answer to what was stated', () => {
  /** Changes what is stored of a message with this text. */
  async function change(
    { conversationId }: Talk,
    state: { status?: string; isImported?: boolean },
    said: string,
  ) {
    const messages = await messagesOf(w.world, { conversationId })
    await putMessage(w.world, messages.find(({ text }) => text === said)!.id, state)
  }

  test('What was brought over from the history of a phone agrees to nothing', async () => {
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
  ])('Words may answer what else was said and is %s, unless unread: %s', async (status, kind) => {
    const { talk, drafted, statement } = await propose(w)
    const sale = `A sale, ${status}! Answer yes to hear more.`
    await talk.say('broadcast', sale)
    await change(talk, { status }, sale)
    after(SECOND_MS)
    await talk.write('yes')
    const agrees = kind === 'agreed'
    expect(await talk.answer()).toMatchObject(
      agrees ? { kind, told: DONE } : { kind, proposalId: idOf(drafted) },
    )
    if (agrees) return
    expect(w.api.requests).toEqual([])
    await talk.press(statement.buttons[0]!)
    expect(await talk.confirm(drafted)).toEqual(DONE)
  })

  test('What was said after the customer’s words takes nothing from them', async () => {
    const { talk } = await propose(w)
    await talk.write('yes')
    after(SECOND_MS)
    await talk.say('broadcast', 'A sale! Answer yes to hear more.')
    expect(await talk.answer()).toMatchObject({ kind: 'agreed', told: DONE })
  })
})
