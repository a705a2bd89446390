/** Whom a list of the inbox leaves out, and what a timeline and the waiting do not count. Spec: Inbox › Lists; Inbox › Who has a conversation. */
import { beforeEach, describe, expect, test } from 'vitest'
import type {
  ConversationCounts,
  ConversationDetail,
  ConversationView,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { addConversation, type ConversationRecord } from '../support/records/conversations.ts'
import { addHandover } from '../support/records/handovers.ts'
import { addMessage, type MessageRecord } from '../support/records/messages.ts'
import { optOut } from '../support/records/contacts.ts'
import { setChannelType } from '../support/records/channels.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { reply } from '../support/inbox.ts'
import { createShop, type Shop } from '../support/shop.ts'

let shop: Shop
let sara: Member
let at: string
const world = await openWorld()
beforeEach(async () => {
  const key = world.service.context.ids.token(6)
  shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
  sara = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  at = `/companies/${shop.companyId}/conversations`
})

const ago = (ms: number) => new Date(world.clock.now().getTime() - ms)
const ahead = (ms: number) => ago(-ms)
let serial = 0

/** Adds a conversation that began a day ago. Returns its id. */
const talk = (more: Partial<ConversationRecord> = {}) =>
  addConversation(world, shop, { createdAt: ago(DAY_MS), ...more })

async function message(conversationId: string, more: Partial<MessageRecord>): Promise<string> {
  serial += 1
  const said = { direction: 'in', id: `m_${serial}`, text: `m_${serial}`, ...more }
  return addMessage(world, { ...shop, conversationId }, said)
}

const page = async (query: string) =>
  (await sara.ask<Page<ConversationView>>('GET', `${at}?${query}`)).body
const list = async (query: string) => (await page(query)).items.map(({ id }) => id)
const show = async (id: string) => (await sara.ask<ConversationDetail>('GET', `${at}/${id}`)).body

describe('A list', () => {
  test('shows the last message that there is, and none that its author has taken back', async () => {
    const wrote = ago(HOUR_MS)
    const id = await talk({ lastCustomerAt: wrote })
    await message(id, { text: 'Do you deliver?', occurredAt: wrote })
    await message(id, { text: 'Years ago', occurredAt: ago(MINUTE_MS), isImported: true })
    const path = `${at}/${id}`
    const first = await reply(sara, { path }, 'To somebody else')
    const second = await reply(sara, { path }, 'So is this')
    const takeBack = (messageId: string) => sara.ask('DELETE', `${path}/messages/${messageId}`)
    const shown = async () => (await page('tab=staff')).items[0]!.lastMessage
    expect((await takeBack(first.body.message.id)).status).toBe(204)
    expect(await shown()).toMatchObject({ text: 'So is this', sender: 'staff' })
    expect((await takeBack(second.body.message.id)).status).toBe(204)
    const asked = { text: 'Do you deliver?', sender: 'customer', at: wrote.toISOString() }
    expect(await shown()).toEqual(asked)
  })

  test('by what closes first has what needs staff and can still be answered', async () => {
    const open = { needsStaff: true, serviceWindowEndsAt: ahead(HOUR_MS) }
    const later = await talk({ ...open, serviceWindowEndsAt: ahead(2 * HOUR_MS) })
    const first = await talk(open)
    await talk({ ...open, needsStaff: false })
    await talk({ ...open, serviceWindowEndsAt: world.clock.now() })
    await talk({ needsStaff: true })
    expect(await list('tab=open&sort=closing')).toEqual([first, later])
  })

  test('of what closes within some minutes has none that is closed', async () => {
    const closing = await talk({ serviceWindowEndsAt: ahead(MINUTE_MS) })
    await talk({ serviceWindowEndsAt: world.clock.now() })
    await talk({ serviceWindowEndsAt: ago(MINUTE_MS) })
    expect(await list('closingMinutes=10')).toEqual([closing])
  })

  test('by a reason goes by the handover that is open, not by one before', async () => {
    const handedOver = await talk()
    const where = { companyId: shop.companyId, conversationId: handedOver }
    const closed = { closedAt: ago(1), closedHow: 'returned' }
    await addHandover(world, where, { reason: 'customer_upset', openedAt: ago(HOUR_MS), ...closed })
    await addHandover(world, where, {})
    expect(await list('reason=customer_upset')).toEqual([])
    expect(await list('reason=missing_information')).toEqual([handedOver])
  })

  test('of staff has what the owner’s reply has taken over until its hours are over, then the assistant’s has it', async () => {
    const staffs = { handledBy: 'staff' }
    const persons = await talk({ ...staffs, createdAt: ago(HOUR_MS) })
    const still = await talk({ ...staffs, takenOverUntil: ahead(1) })
    const over = await talk({ ...staffs, takenOverUntil: world.clock.now() })
    expect(await list('tab=staff')).toEqual([persons, still])
    expect(await list('tab=assistant')).toEqual([over])
    const counts = await sara.ask<ConversationCounts>('GET', `${at}/counts`)
    expect(counts.body).toMatchObject({ staff: 2, assistant: 1, open: 3 })
    expect(await show(over)).toMatchObject({ handledBy: 'assistant', takenOverUntil: null })
  })

  test('of one’s own begins with who waits longest; what nobody waits in comes after all that wait, on every page', async () => {
    const own = { handledBy: 'staff', assigneeId: sara.personId }
    const [none, late, early, noneEither] = [
      await talk({ ...own, lastMessageAt: ago(1) }),
      await talk({ ...own, waitingSince: ago(MINUTE_MS), lastMessageAt: ago(2) }),
      await talk({ ...own, waitingSince: ago(HOUR_MS), lastMessageAt: ago(3) }),
      await talk(own),
    ]
    const whole = [early, late, none, noneEither]
    expect(await list('tab=mine')).toEqual(whole)
    const seen: string[] = []
    let next = ''
    for (const _ of whole) {
      const { items, nextCursor } = await page(`tab=mine&limit=1${next}`)
      seen.push(...items.map(({ id }) => id))
      next = `&cursor=${nextCursor}`
    }
    expect([seen, next]).toEqual([whole, '&cursor=null'])
  })
})

test('Of what was tried again a timeline shows the last try', async () => {
  const id = await talk()
  const sent = { direction: 'out', sender: 'flow', sendKey: 'run:1', lane: 3 }
  await message(id, { ...sent, attempt: 1, status: 'failed' })
  const last = await message(id, { ...sent, attempt: 2, status: 'sent' })
  const { body } = await sara.ask<Page<TimelineItem>>('GET', `${at}/${id}/timeline`)
  expect(body.items.map((item) => item.id)).toEqual([last])
})

describe('Once its author takes a reply back', () => {
  const takenBack = async (conversationId: string) => {
    const queued = { status: 'queued', outbound: '{}', lane: 1, attempt: 1, dueAt: ahead(DAY_MS) }
    const by = { sender: 'staff', authorId: sara.personId, sendKey: conversationId }
    const id = await message(conversationId, { direction: 'out', ...by, ...queued })
    const path = `${at}/${conversationId}/messages/${id}`
    expect((await sara.ask('DELETE', path)).status).toBe(204)
    return (await show(conversationId)).waitingSince
  }

  test('the customer waits since what a broadcast and what failed have not answered', async () => {
    const id = await talk({ handledBy: 'staff' })
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

  test('history that came with a number is waited with by nobody', async () => {
    const id = await talk({ handledBy: 'staff' })
    await message(id, { isImported: true, occurredAt: ago(HOUR_MS) })
    expect(await takenBack(id)).toBeNull()
  })

  test('nobody of staff is waited for where flows and the assistant have it by then', async () => {
    const id = await talk({ handledBy: 'assistant' })
    await message(id, { occurredAt: ago(HOUR_MS) })
    expect(await takenBack(id)).toBeNull()
  })
})

test('The composer says until when a customer who opted out and wrote again may be answered', async () => {
  const [wrote, closes] = [ago(HOUR_MS), ahead(23 * HOUR_MS)]
  const contact = await sara.ask<{ id: string }>('POST', `/companies/${shop.companyId}/contacts`, {
    name: 'Huda',
  })
  const id = await talk({
    channelType: 'telegram',
    contactId: contact.body.id,
    lastCustomerAt: wrote,
  })
  await setChannelType(world, shop, 'telegram')
  // On a channel without a window there is no end to it.
  expect((await show(id)).composer).toMatchObject({ mayText: true, until: null })
  await optOut(world, contact.body.id, ago(2 * HOUR_MS))
  expect((await show(id)).composer).toMatchObject({ mayText: true, until: closes.toISOString() })
})
