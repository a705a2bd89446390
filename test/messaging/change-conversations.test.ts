/** Changes of a conversation besides its messages, and the events that follow. */
import { beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../src/infra/database/transaction.ts'
import { transitionConversations } from '../../src/modules/messaging/transition-conversations.ts'
import type { ChangedBy, ConversationChange } from '../../src/modules/messaging/plan-changes.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { entriesOf, handoversOf } from '../support/records/handovers.ts'
import { makeVisitor } from '../support/records/moved-conversations.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites, echoed, postChanges } from '../support/whatsapp-webhook.ts'

let phone: string
let id: string
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const sara = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
const omar = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
beforeEach(async () => {
  phone = newPhone()
  await writes()
  id = (await conversation()).id
})

const writes = () => customerWrites(world, shop, { from: phone, at: world.clock.now() })
/** The owner replies from the provider's own app. */
const echo = (at: Date) => postChanges(world, shop, echoed({ to: phone.slice(1), at }))
const conversation = () => conversationWith(world, shop, phone)
const handovers = () => handoversOf(world, id)
const entries = async () => (await entriesOf(world, id)).map(({ kind }) => kind)
/** Returns the types of the conversation's events besides messages, in the order in which they were raised. */
const raisedTypes = async () => {
  await whatsApp.settle()
  const types = await eventTypesOf(world, { conversationId: id }, 'conversation.')
  return types.map((type) => type.replace('conversation.', '')).filter((type) => type !== 'started')
}
const eventData = (type: string) =>
  shop
    .events(type)
    .map(({ data }) => data as Record<string, unknown> & { conversation: { id: string } })
    .filter((data) => data.conversation.id === id)

const by = (member: Member): ChangedBy => ({ kind: 'member', personId: member.personId })
const upset = { reason: 'customer_upset', reasonText: null } as const
const handOver: ConversationChange = { kind: 'hand_over', ...upset }
const resolve: ConversationChange = { kind: 'resolve', isBulk: false }
const takeOver = (member: Member): ConversationChange => ({
  kind: 'take_over',
  assigneeId: member.personId,
})
const assignTo = (member: Member | null): ConversationChange => ({
  kind: 'assign',
  assigneeId: member?.personId ?? null,
})

function change(who: ChangedBy, ...changes: ConversationChange[]) {
  const { db, ids } = world.service.context
  const of = { companyId: shop.companyId, conversationId: id, by: who }
  const asked = changes.map((one) => ({ ...of, change: one }))
  return transaction(db, (tx) =>
    transitionConversations(tx, { ids, now: world.clock.now() }, asked),
  )
}
const service: ChangedBy = { kind: 'service' }

describe('handing over', () => {
  test('gives it to staff, opens a handover and raises one event, without an assignee', async () => {
    const { turn } = await conversation()
    await change({ kind: 'assistant', replyId: null }, handOver)
    expect(await conversation()).toMatchObject({
      handledBy: 'staff',
      needsStaff: true,
      waitingSince: world.clock.now(),
      turn: turn + 1,
      assigneeId: null,
      takenOverUntil: null,
    })
    expect(await handovers()).toMatchObject([{ reason: 'customer_upset', closedAt: null }])
    expect(await raisedTypes()).toEqual(['handover'])
    expect(eventData('conversation.handover')).toMatchObject([
      {
        conversation: { channelId: shop.channelId, channelType: 'whatsapp' },
        contact: { phone, whatsAppId: phone.slice(1) },
        reason: 'customer_upset',
        reasonText: null,
      },
    ])
  })

  test('requested again while staff has it, opens no handover and leaves a line', async () => {
    await change(service, handOver)
    const [again] = await change(service, handOver)
    expect(again).toMatchObject({ isChanged: false })
    expect(await raisedTypes()).toEqual(['handover'])
    expect(await entries()).toEqual(['handed_over', 'handover_asked'])
  })

  test('by two causes in concurrent transactions: one row, one event', async () => {
    await Promise.all([
      change(service, handOver),
      change({ kind: 'assistant', replyId: null }, handOver),
    ])
    expect(await handovers()).toHaveLength(1)
    expect(await raisedTypes()).toEqual(['handover'])
  })

  test('names no contact in its event when a visitor is none, or only the name that they gave', async () => {
    const names = [null, 'Sara']
    for (const visitorName of names) {
      await makeVisitor(world, id, { visitorName })
      await change(service, handOver)
      await change(service, resolve)
    }
    await raisedTypes()
    const shown = { id: null, name: 'Sara', phone: null, whatsAppId: null }
    expect(eventData('conversation.handover').map(({ contact }) => contact)).toEqual([null, shown])
    expect(eventData('conversation.resolved').map(({ contact }) => contact)).toEqual([null, shown])
  })

  test('after the hours of the owner’s reply have ended is permanent', async () => {
    await echo(world.clock.now())
    await change(service, handOver)
    expect(await handovers()).toEqual([])
    world.clock.advance(24 * HOUR_MS)
    await change(service, handOver)
    expect(await handovers()).toHaveLength(1)
    expect(await conversation()).toMatchObject({ handledBy: 'staff', takenOverUntil: null })
  })

  test('keeps the time since which the customer waits, and cuts the text at 1,000 characters', async () => {
    await change(service, handOver, { kind: 'give_back' })
    await change(service, { kind: 'need_staff', since: new Date(0) })
    await change(service, { ...handOver, reasonText: 'غ'.repeat(3_000) })
    expect(await conversation()).toMatchObject({ waitingSince: new Date(0) })
    await raisedTypes()
    expect(eventData('conversation.handover').at(-1)).toMatchObject({
      reasonText: 'غ'.repeat(1_000),
    })
  })

  test('raises its event again after a resolve, which had closed it', async () => {
    await change(service, handOver)
    await change(by(sara), resolve)
    expect(await handovers()).toMatchObject([{ closedHow: 'resolved', closedBy: sara.personId }])
    await change(service, handOver)
    await writes()
    await change(service, handOver)
    expect(await raisedTypes()).toEqual(['handover', 'resolved', 'handover'])
  })
})

describe('taking over, assigning, giving back', () => {
  test('by the button assigns the member who pressed it; by a reply it assigns no member', async () => {
    const [replied] = await change(by(omar), { kind: 'take_over', assigneeId: null })
    expect(replied).toMatchObject({ isChanged: true, endsRuns: true, handledBy: 'staff' })
    expect(await raisedTypes()).toEqual([])
    await change(by(sara), takeOver(sara))
    expect(await conversation()).toMatchObject({ assigneeId: sara.personId })
    expect(await raisedTypes()).toEqual(['assigned'])
  })

  test('to Sara, Sara, Omar and no one raises three events, the last with null; each starts a new turn', async () => {
    const turns: number[] = []
    for (const to of [sara, sara, omar, null]) {
      const [after] = await change(by(omar), assignTo(to))
      turns.push(after!.turn)
    }
    expect(turns.map((turn) => turn - turns[0]!)).toEqual([0, 0, 1, 2])
    expect(await raisedTypes()).toEqual(['assigned', 'assigned', 'assigned'])
    expect(eventData('conversation.assigned').map(({ assignee }) => assignee)).toEqual([
      { id: sara.personId, name: 'The agent', email: sara.email },
      { id: omar.personId, name: 'The agent', email: omar.email },
      null,
    ])
    expect(await conversation()).toMatchObject({ handledBy: 'staff', needsStaff: true })
  })

  test('taken over from another member of staff starts a new turn too', async () => {
    const [before] = await change(by(sara), takeOver(sara))
    const [after] = await change(by(omar), takeOver(omar))
    expect(after).toMatchObject({ assigneeId: omar.personId, turn: before!.turn + 1 })
  })

  test('unassigned, it needs staff again', async () => {
    await change(by(sara), { kind: 'give_back' }, takeOver(sara))
    expect(await conversation()).toMatchObject({ needsStaff: false })
    await change(by(omar), assignTo(null))
    expect(await conversation()).toMatchObject({ handledBy: 'staff', needsStaff: true })
  })

  test('a conversation that only needs staff can be given back too', async () => {
    await change(service, { kind: 'need_staff', since: world.clock.now() })
    expect(await conversation()).toMatchObject({ handledBy: 'assistant', needsStaff: true })
    const [after] = await change(by(omar), { kind: 'give_back' })
    expect(after).toMatchObject({ isChanged: true })
    expect(await conversation()).toMatchObject({ needsStaff: false, waitingSince: null })
  })

  test('given back, it closes the handover, raises an event about the assignee and waits for no member', async () => {
    await change(service, handOver)
    await change(by(sara), assignTo(sara))
    await change(by(omar), { kind: 'give_back' })
    expect(await conversation()).toMatchObject({
      handledBy: 'assistant',
      assigneeId: null,
      needsStaff: false,
      waitingSince: null,
    })
    expect(await handovers()).toMatchObject([{ closedHow: 'returned', closedBy: omar.personId }])
    expect(await raisedTypes()).toEqual(['handover', 'assigned', 'assigned'])
    const [again] = await change(by(omar), { kind: 'give_back' })
    expect(again).toMatchObject({ isChanged: false })
  })
})

describe('resolving', () => {
  test('gives it back, clears the assignee and raises only its own event', async () => {
    await change(by(sara), takeOver(sara))
    await change(by(sara), resolve)
    expect(await conversation()).toMatchObject({
      status: 'resolved',
      handledBy: 'assistant',
      assigneeId: null,
      resolvedBy: sara.personId,
    })
    expect(await raisedTypes()).toEqual(['assigned', 'resolved'])
    expect(eventData('conversation.resolved')).toMatchObject([{ contact: { phone } }])
  })

  test('leaves it without a need for staff, also when a missing answer is found later', async () => {
    const [, after] = await change(service, resolve, { kind: 'need_staff', since: new Date() })
    expect(after).toMatchObject({ isChanged: false })
    expect(await conversation()).toMatchObject({ needsStaff: false, waitingSince: null })
  })

  test('again changes nothing; in bulk all but the id is null', async () => {
    const [first, second] = await change(by(sara), { ...resolve, isBulk: true }, resolve)
    expect([first!.isChanged, second!.isChanged]).toEqual([true, false])
    expect(await raisedTypes()).toEqual(['resolved'])
    expect(eventData('conversation.resolved')).toEqual([
      { conversation: { id, channelId: null, channelType: null }, contact: null },
    ])
  })

  test('the owner’s reply from the provider’s app reopens it too, a late one does not', async () => {
    await change(by(sara), resolve)
    const late = new Date(world.clock.now().getTime() - 25 * HOUR_MS)
    await echo(late)
    expect(await conversation()).toMatchObject({ status: 'resolved', handledBy: 'assistant' })
    await echo(world.clock.now())
    expect(await conversation()).toMatchObject({ status: 'open', handledBy: 'staff' })
  })
})

test('many changes in one transaction raise their events in the order handover, assigned, resolved', async () => {
  const [first] = await change(by(sara), resolve)
  await writes()
  await change(by(sara), assignTo(sara), resolve)
  expect(first).toMatchObject({ isChanged: true })
  await writes()
  await change(service, handOver, assignTo(omar), resolve)
  const order = 'resolved assigned resolved handover assigned resolved'
  expect((await raisedTypes()).join(' ')).toBe(order)
  expect(await handovers()).toMatchObject([{ closedHow: 'resolved' }])
})

test('a message that goes to staff waits since the oldest unanswered message', async () => {
  expect(await conversation()).toMatchObject({ turn: 1, lastSender: 'customer' })
  await change(by(sara), { kind: 'give_back' })
  expect(await conversation()).toMatchObject({ waitingSince: null })
  await change(by(sara), { kind: 'take_over', assigneeId: null })
  const since = world.clock.now()
  await writes()
  world.clock.advance(HOUR_MS)
  await writes()
  const { waitingSince, turn } = await conversation()
  // Provider times are whole seconds.
  expect(Math.abs(waitingSince!.getTime() - since.getTime())).toBeLessThan(1_000)
  expect(turn).toBe(4)
})

test('another company’s conversation is not found', async () => {
  const { db, ids } = world.service.context
  const asked = { companyId: ids.uuid(), conversationId: id, by: service, change: handOver }
  const answer = await transaction(db, (tx) =>
    transitionConversations(tx, { ids, now: world.clock.now() }, [asked]),
  )
  expect(answer).toEqual([null])
  expect(await handovers()).toEqual([])
})
