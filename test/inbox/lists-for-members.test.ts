/**
 * The inbox offers members what exists, in its order. An Agent sees it without the set-up of Owners and Admins.
 * It names the channels on which a contact can be written to first, and it leaves out what lists, timelines and
 * waiting do not count. Spec: Inbox › Additional reads of Agents; Inbox › Allowed messages; Inbox › Ready
 * replies; Inbox › Lists; Inbox › Handler and assignment.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView, WayToWrite } from '../../src/contract/dashboard/contact.ts'
import type {
  CannedReplyView,
  ChannelName,
  ConversationCounts,
  ConversationDetail,
  ConversationView,
  ListedPerson,
  SentReply,
  StartableFlow,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { INBOX_LIMITS } from '../../src/core/limits/inbox.ts'
import { type Member, refusalsOf, signedIn, walkPages, itemsOf } from '../support/dashboard.ts'
import { act, reply } from '../support/inbox.ts'
import { openWorld } from '../support/open-world.ts'
import { changeNumber } from '../support/records/identifiers.ts'
import {
  deleteChannel,
  restoreChannel,
  setChannelType,
  setConnected,
} from '../support/records/channels.ts'
import { optOut } from '../support/records/contacts.ts'
import { addConversation, type ConversationRecord } from '../support/records/conversations.ts'
import { addFlowTo, definitionOf, switchFlow } from '../support/records/flows.ts'
import { fillCannedReplies } from '../support/records/imports.ts'
import { holdLock } from '../support/records/locks.ts'
import { describePerson } from '../support/records/members.ts'
import { addMessage, type MessageRecord } from '../support/records/messages.ts'
import { putTemplates } from '../support/records/templates.ts'
import { createOwnShop, createShop, type Shop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { createWebsite } from '../support/visitors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { addHandover } from '../support/records/handovers.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, shop)
const agent = await signedIn(world, { ...shop, role: 'agent' })
const at = `/companies/${shop.companyId}`
const customer = await contact({ name: 'Sara' })
await addConversation(world, shop, { id: 'c_1', contactId: customer.id })
const talk = { path: `${at}/conversations/c_1` }

async function contact(more: object = {}): Promise<ContactView> {
  const made = { phone: newPhone(), ...more }
  return (await agent.ask<ContactView>('POST', `${at}/contacts`, made)).body
}
/** Returns the items of a list as a member sees them. */
async function items<Item>(path: string, who = agent): Promise<Item[]> {
  return (await who.ask<{ items: Item[] }>('GET', path)).body.items
}
const waysTo = ({ id }: { id: string }) => items<WayToWrite>(`${at}/contacts/${id}/ways-to-write`)
/** The template, filled in, to a contact on the shop's channel, in an own conversation. */
const written = ({ id: contactId }: { id: string }, key: string, { channelId } = shop) => {
  const body = ['1', '2'].map((name) => ({ name, text: 'Sara' }))
  return { contactId, channelId, key, template: { name: 'order_ready', body } }
}

describe('An Agent is offered', () => {
  test('channels by their names, without how they are connected and without deleted ones', async () => {
    const channels = () => items<ChannelName>(`${at}/conversations/channels`)
    const [channel] = await channels()
    expect(Object.keys(channel!).toSorted()).toEqual(['displayNumber', 'id', 'name', 'type'])
    expect(channel).toMatchObject({ id: shop.channelId, type: 'whatsapp' })
    expect((await agent.ask('GET', `${at}/channels`)).status).toBe(403)
    expect(await waysTo(customer)).toMatchObject([{ channel: { id: shop.channelId } }])
    await deleteChannel(world, shop)
    expect(await channels()).toEqual([])
    expect(await waysTo(customer)).toEqual([])
    const refused = await owner.ask('POST', `${at}/conversations`, written(customer, 'k'))
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['channelId: unknown_channel']])
    await restoreChannel(world, shop)
  })

  test('the approved templates of the channel of a conversation', async () => {
    const templates = () => items<{ name: string }>(`${talk.path}/templates`)
    expect((await templates()).map(({ name }) => name)).toEqual(['order_ready', 'order_ready'])
    const ofArabic = { channelId: shop.channelId, language: 'ar' }
    await putTemplates(world, ofArabic, { status: 'PAUSED' })
    expect(await templates()).toMatchObject([{ language: 'en', status: 'APPROVED' }])
    expect((await waysTo(customer))[0]!.templates).toMatchObject([{ language: 'en' }])
    await putTemplates(world, ofArabic, { status: 'APPROVED' })
  })

  systemTest('the running flows of its channel that are started by hand', async () => {
    const flows = () => items<StartableFlow>(`${talk.path}/flows`)
    expect(await flows()).toEqual([])
    const site = await createWebsite(world, 'web_widget', { shop, owner })
    const definition = await definitionOf(world, shop)
    await addFlowTo(world, { ...shop, ...site }, { name: 'Of the website', definition })
    const { flowId: id } = await addFlowTo(world, shop, { name: 'By hand', definition })
    expect(await flows()).toEqual([{ id, name: 'By hand' }])
    await switchFlow(world, { flowId: id }, false)
    expect(await flows()).toEqual([])
  })

  test('ready replies by their shortcuts, of which a company has a limited number', async () => {
    const path = `${at}/canned-replies`
    const make = (shortcut: string) => owner.ask('POST', path, { shortcut, text: 'Hello' })
    for (const shortcut of ['c', 'a', 'b']) await make(shortcut)
    const replies = await items<CannedReplyView>(path)
    expect(replies.map(({ shortcut }) => shortcut)).toEqual(['a', 'b', 'c'])
    await fillCannedReplies(world, shop, INBOX_LIMITS.cannedReplies)
    expect((await make('the-last')).status).toBe(201)
    expect(await make('one-more')).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  })

  test('people by their names, or by the e-mail addresses of those without one', async () => {
    for (const name of ['zaid', 'Amal', null]) {
      const email = name === null ? 'Karim@example.com' : `${name}@example.com`
      const { personId } = await signedIn(world, { ...shop, role: 'agent', email })
      await describePerson(world, personId, { name })
    }
    const people = await items<ListedPerson>(`${at}/people`)
    const names = people.map(({ name }) => name)
    expect(names).toEqual(['Amal', 'Karim@example.com', 'The agent', 'The owner', 'zaid'])
    expect(await walkPages(owner, `${at}/people`, { limit: '1' })).toEqual(people)
  })
})

systemTest('A line that is no note cannot be changed or deleted', async () => {
  await act(owner, talk, 'take-over', { turn: 0 })
  const timeline = await itemsOf<TimelineItem>(owner, `${talk.path}/timeline`)
  const line = timeline.find((item) => item.kind === 'entry' && item.entry === 'taken_over')!
  const path = `${talk.path}/notes/${line.id}`
  expect((await owner.ask('PATCH', path, { text: 'It was not me' })).status).toBe(404)
  expect((await owner.ask('DELETE', path)).status).toBe(404)
})

describe('A contact who has not written yet', () => {
  test('is written to with the approved templates of a channel that can be written on', async () => {
    const ways = await waysTo(await contact())
    expect(ways).toMatchObject([{ channel: { id: shop.channelId }, whyNot: null }])
    expect(ways[0]!.templates.map(({ name }) => name)).toEqual(['order_ready', 'order_ready'])
  })

  test('cannot be written to after an opt-out or without a number, with the reason', async () => {
    const stopped = await contact()
    await agent.ask('POST', `${at}/contacts/${stopped.id}/opt-out`)
    const whyNot = (code: string) => [{ whyNot: { code }, templates: [] }]
    expect(await waysTo(stopped)).toMatchObject(whyNot('start_opted_out'))
    const without = await contact({ phone: null, name: 'Maha' })
    expect(await waysTo(without)).toMatchObject(whyNot('contact_without_number'))
  })

  test('sees a disconnected channel with the reason, and none on which only customers begin', async () => {
    await setConnected(world, shop, false)
    expect(await waysTo(customer)).toMatchObject([{ whyNot: { code: 'channel_disconnected' } }])
    await setConnected(world, shop, true)
    await setChannelType(world, shop, 'whatsapp_qr')
    expect(await waysTo(customer)).toEqual([])
    await setChannelType(world, shop, 'whatsapp')
  })

  systemTest(
    'is written to at the new number when it changes while the message is being sent',
    async () => {
      const { id, phone } = await contact()
      const other = newPhone()
      await using change = await holdLock(world, { companyId: shop.companyId, phone: phone! })
      const asked = agent.ask<SentReply>('POST', `${at}/conversations`, written({ id }, 'k'))
      await change.blocks('the message to wait for the number')
      await changeNumber(change.inside, id, other)
      await change.release()
      const { status, body } = await asked
      expect([status, body.conversation.contact]).toMatchObject([201, { id, phone: other }])
    },
  )
})

let theirs: Shop
let sara: Member
let list: string
beforeEach(async () => {
  theirs = await createOwnShop(world)
  sara = await signedIn(world, { accountId: theirs.accountId, role: 'agent' })
  list = `/companies/${theirs.companyId}/conversations`
})

const ago = (ms: number) => new Date(world.clock.now().getTime() - ms)
const ahead = (ms: number) => ago(-ms)
let serial = 0

/** Adds a conversation that began a day ago. Returns its id. */
const begun = (more: Partial<ConversationRecord> = {}) =>
  addConversation(world, theirs, { createdAt: ago(DAY_MS), ...more })

async function message(conversationId: string, more: Partial<MessageRecord>): Promise<string> {
  serial += 1
  const said = { direction: 'in', id: `m_${serial}`, text: `m_${serial}`, ...more }
  return addMessage(world, { ...theirs, conversationId }, said)
}

const page = async (query: string) =>
  (await sara.ask<Page<ConversationView>>('GET', `${list}?${query}`)).body
const idsIn = async (query: string) => (await page(query)).items.map(({ id }) => id)
const show = async (id: string) => (await sara.ask<ConversationDetail>('GET', `${list}/${id}`)).body

describe('A list', () => {
  systemTest('shows the last message, and none that its author has cancelled', async () => {
    const wrote = ago(HOUR_MS)
    const id = await begun({ lastCustomerAt: wrote })
    await message(id, { text: 'Do you deliver?', occurredAt: wrote })
    await message(id, { text: 'Years ago', occurredAt: ago(MINUTE_MS), isImported: true })
    const path = `${list}/${id}`
    const first = await reply(sara, { path }, 'To somebody else')
    const second = await reply(sara, { path }, 'So is this')
    const takeBack = (messageId: string) => sara.ask('DELETE', `${path}/messages/${messageId}`)
    const shown = async () => (await page('tab=staff')).items[0]!.lastMessage
    expect((await takeBack(first.body.message.id)).status).toBe(204)
    expect(await shown()).toMatchObject({ text: 'So is this', sender: 'staff' })
    expect((await takeBack(second.body.message.id)).status).toBe(204)
    const asked = {
      text: 'Do you deliver?',
      sender: 'customer',
      author: null,
      at: wrote.toISOString(),
    }
    expect(await shown()).toEqual(asked)
  })

  systemTest(
    'by what closes first has the conversations that need staff and can still be answered',
    async () => {
      const open = { needsStaff: true, serviceWindowEndsAt: ahead(HOUR_MS) }
      const later = await begun({ ...open, serviceWindowEndsAt: ahead(2 * HOUR_MS) })
      const first = await begun(open)
      await begun({ ...open, needsStaff: false })
      await begun({ ...open, serviceWindowEndsAt: world.clock.now() })
      await begun({ needsStaff: true })
      expect(await idsIn('tab=open&sort=closing')).toEqual([first, later])
    },
  )

  test('leaves out closed conversations when it shows those that close within some minutes', async () => {
    const closing = await begun({ serviceWindowEndsAt: ahead(MINUTE_MS) })
    await begun({ serviceWindowEndsAt: world.clock.now() })
    await begun({ serviceWindowEndsAt: ago(MINUTE_MS) })
    expect(await idsIn('closingMinutes=10')).toEqual([closing])
  })

  test('by a reason uses the open handover, not an earlier one', async () => {
    const handedOver = await begun()
    const where = { companyId: theirs.companyId, conversationId: handedOver }
    const closed = { closedAt: ago(1), closedHow: 'returned' }
    await addHandover(world, where, { reason: 'customer_upset', openedAt: ago(HOUR_MS), ...closed })
    await addHandover(world, where, {})
    expect(await idsIn('reason=customer_upset')).toEqual([])
    expect(await idsIn('reason=missing_information')).toEqual([handedOver])
  })

  test('shows a take-over by the owner’s reply as staff’s until its hours end', async () => {
    const staffs = { handledBy: 'staff' }
    const persons = await begun({ ...staffs, createdAt: ago(HOUR_MS) })
    const still = await begun({ ...staffs, takenOverUntil: ahead(1) })
    const over = await begun({ ...staffs, takenOverUntil: world.clock.now() })
    expect(await idsIn('tab=staff')).toEqual([persons, still])
    expect(await idsIn('tab=assistant')).toEqual([over])
    const counts = await sara.ask<ConversationCounts>('GET', `${list}/counts`)
    expect(counts.body).toMatchObject({ staff: 2, assistant: 1, open: 3 })
    expect(await show(over)).toMatchObject({ handledBy: 'assistant', takenOverUntil: null })
  })

  test('puts the longest waiting first in a member’s own tab, and those without a waiting customer last', async () => {
    const own = { handledBy: 'staff', assigneeId: sara.personId }
    const [none, late, early, noneEither] = [
      await begun({ ...own, lastMessageAt: ago(1) }),
      await begun({ ...own, waitingSince: ago(MINUTE_MS), lastMessageAt: ago(2) }),
      await begun({ ...own, waitingSince: ago(HOUR_MS), lastMessageAt: ago(3) }),
      await begun(own),
    ]
    const whole = [early, late, none, noneEither]
    expect(await idsIn('tab=mine')).toEqual(whole)
    const seen = await walkPages<ConversationView>(sara, list, { tab: 'mine', limit: '1' })
    expect(seen.map(({ id }) => id)).toEqual(whole)
  })
})

test('A timeline shows only the last try of a message', async () => {
  const id = await begun()
  const sent = { direction: 'out', sender: 'flow', sendKey: 'run:1', priority: 3 }
  await message(id, { ...sent, attempt: 1, status: 'failed' })
  const last = await message(id, { ...sent, attempt: 2, status: 'sent' })
  const timeline = await itemsOf<TimelineItem>(sara, `${list}/${id}/timeline`)
  expect(timeline.map((item) => item.id)).toEqual([last])
})

describe('Once its author cancels a reply', () => {
  const takenBack = async (conversationId: string) => {
    const queued = {
      status: 'queued',
      outbound: '{}',
      priority: 1,
      attempt: 1,
      dueAt: ahead(DAY_MS),
    }
    const by = { sender: 'staff', authorId: sara.personId, sendKey: conversationId }
    const id = await message(conversationId, { direction: 'out', ...by, ...queued })
    const path = `${list}/${conversationId}/messages/${id}`
    expect((await sara.ask('DELETE', path)).status).toBe(204)
    return (await show(conversationId)).waitingSince
  }

  test('the customer waits since their first message after an answer; broadcasts and failed sends are none', async () => {
    const id = await begun({ handledBy: 'staff' })
    await message(id, { occurredAt: ago(3 * HOUR_MS) })
    const answer = { direction: 'out', sender: 'staff', status: 'read', sendKey: `a ${id}` }
    await message(id, { ...answer, occurredAt: ago(2.5 * HOUR_MS) })
    const asked = ago(2 * HOUR_MS)
    await message(id, { occurredAt: asked })
    const news = { ...answer, sender: 'broadcast', sendKey: `b ${id}` }
    await message(id, { ...news, occurredAt: ago(HOUR_MS) })
    const failed = { ...answer, status: 'failed', sendKey: `f ${id}` }
    await message(id, { ...failed, occurredAt: ago(HOUR_MS) })
    expect(await takenBack(id)).toBe(asked.toISOString())
  })

  test('imported history makes no customer wait', async () => {
    const id = await begun({ handledBy: 'staff' })
    await message(id, { isImported: true, occurredAt: ago(HOUR_MS) })
    expect(await takenBack(id)).toBeNull()
  })

  test('no customer waits for staff when flows or the assistant have the conversation by then', async () => {
    const id = await begun({ handledBy: 'assistant' })
    await message(id, { occurredAt: ago(HOUR_MS) })
    expect(await takenBack(id)).toBeNull()
  })
})

test('The composer says until when a customer may be answered who opted out and wrote again', async () => {
  const [wrote, closes] = [ago(HOUR_MS), ahead(23 * HOUR_MS)]
  const huda = await sara.ask<{ id: string }>('POST', `/companies/${theirs.companyId}/contacts`, {
    name: 'Huda',
  })
  const id = await begun({
    channelType: 'telegram',
    contactId: huda.body.id,
    lastCustomerAt: wrote,
  })
  await setChannelType(world, theirs, 'telegram')
  // A channel without a window has no end.
  expect((await show(id)).composer).toMatchObject({ mayText: true, until: null })
  await optOut(world, huda.body.id, ago(2 * HOUR_MS))
  expect((await show(id)).composer).toMatchObject({ mayText: true, until: closes.toISOString() })
})
