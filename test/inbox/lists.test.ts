/** The lists of the inbox, their counts and orders, and what is shown besides the messages. */
import { beforeAll, describe, expect, test } from 'vitest'
import type {
  CannedReplyView,
  ConversationCounts,
  ConversationView,
  EntryView,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { NoticeView } from '../../src/contract/dashboard/notice.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { auditLog } from '../support/records/audit.ts'
import { conversationOf, putConversation } from '../support/records/conversations.ts'
import { describeContact } from '../support/records/contacts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { refusalsOf, walkPages, type Member, itemsOf } from '../support/dashboard.ts'
import { act, inboxOf, reply, type Talk } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

/** Five conversations, a minute apart: handed over, handed over, Sara's, resolved, and one without an answer. */
const talks: Talk[] = []
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
const owner = await inbox.member('owner')
const sara = await inbox.member()
const omar = await inbox.member()
beforeAll(async () => {
  for (let place = 0; place < 5; place += 1) {
    talks.push(await inbox.talk(newPhone(), `message ${place}`))
    world.clock.advance(MINUTE_MS)
  }
  await talks[1]!.handOver('Angry')
  world.clock.advance(MINUTE_MS)
  await talks[0]!.handOver(null, 'missing_information')
  await act(sara, talks[2]!, 'take-over', { turn: (await talks[2]!.seen()).turn })
  await act(sara, talks[3]!, 'resolve')
})

const company = `/companies/${shop.companyId}`
const ALL = `${company}/conversations`
const page = async (query: string, member = sara) =>
  (await member.ask<Page<ConversationView>>('GET', `${ALL}?${query}`)).body
/** Returns the indexes of the conversations in a list, in its order. */
const places = async (query: string, member?: Member) => {
  const { items } = await page(query, member)
  return items.map(({ id }) => talks.findIndex((talk) => talk.id === id))
}

describe('a tab', () => {
  test.each([
    ['tab=unassigned', [0, 1, 4]],
    ['tab=unassigned&sort=newest', [4, 1, 0]],
    ['tab=unassigned&sort=closing', [0, 1, 4]],
    ['tab=open&sort=closing', [0, 1, 2, 4]],
    ['tab=mine', [2]],
    ['tab=staff', [2, 1, 0]],
    ['tab=assistant', [4]],
    ['tab=open', [4, 2, 1, 0]],
    ['', [4, 2, 1, 0]],
    ['tab=resolved', [3]],
    ['tab=open&reason=customer_upset', [1]],
    ['tab=open&channelId=00000000-0000-4000-8000-000000000000', []],
  ])('%s has %j', async (query, expected) => {
    expect(await places(query)).toEqual(expected)
  })

  test('belongs to the member who asks', async () => {
    expect(await places('tab=mine', omar)).toEqual([])
  })

  test.each(['tab=unassigned', 'tab=open', 'tab=staff', 'tab=unassigned&sort=closing'])(
    '%s comes page by page, each conversation once',
    async (query) => {
      const whole = await places(query)
      const asked = { ...Object.fromEntries(new URLSearchParams(query)), limit: '1' }
      const seen = await walkPages<ConversationView>(sara, ALL, asked)
      expect(seen.map(({ id }) => talks.findIndex((talk) => talk.id === id))).toEqual(whole)
    },
  )

  test('orders conversations of one instant by their ids', async () => {
    const lastMessageAt = world.clock.now()
    const ids = talks.slice(0, 3).map(({ id }) => id)
    const before = await Promise.all(ids.map((id) => conversationOf(world, id)))
    for (const id of ids) await putConversation(world, id, { lastMessageAt })
    const first = await page('tab=staff&limit=2')
    const rest = await page(`tab=staff&limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids.toSorted().toReversed())
    for (const { id, lastMessageAt: was } of before) {
      await putConversation(world, id, { lastMessageAt: was })
    }
  })

  test('orders conversations of one minute by their last messages, from page to page', async () => {
    const minute = Math.floor(world.clock.now().getTime() / MINUTE_MS) * MINUTE_MS
    const ids = talks.slice(0, 3).map(({ id }) => id)
    const before = await Promise.all(ids.map((id) => conversationOf(world, id)))
    for (const [nth, ms] of [40_000, 20_000, 59_999].entries()) {
      await putConversation(world, ids[nth]!, { lastMessageAt: new Date(minute + ms) })
    }
    const seen = await walkPages<ConversationView>(sara, ALL, { tab: 'staff', limit: '1' })
    expect(seen.map(({ id }) => ids.indexOf(id))).toEqual([2, 0, 1])
    for (const { id, lastMessageAt: was } of before) {
      await putConversation(world, id, { lastMessageAt: was })
    }
  })

  test('shows the waiting customer, the reason, and the last message', async () => {
    const { items } = await page('tab=unassigned')
    expect(items[1]).toMatchObject({
      id: talks[1]!.id,
      contact: { phone: talks[1]!.phone, isOptedOut: false },
      handledBy: 'staff',
      needsStaff: true,
      assignee: null,
      handover: { reason: 'customer_upset', reasonText: 'Angry' },
      lastMessage: { text: 'message 1', sender: 'customer' },
      isUnread: true,
    })
  })

  test('finds by the tag of the contact, in any case', async () => {
    const { contact } = await talks[4]!.seen()
    await describeContact(world, contact!.id, { tags: ['VIP'] })
    expect(await places('tag=vip')).toEqual([4])
    expect(await places('tag=other')).toEqual([])
  })

  test('finds by the number in any form, by the name, and by the id', async () => {
    const [talk] = talks
    const local = `0${talk!.phone.slice('+966'.length)}`
    const { contact, id } = await talk!.seen()
    for (const q of [talk!.phone, talk!.phone.slice(1), contact!.id, id, local]) {
      expect(await places(`q=${encodeURIComponent(q)}`)).toEqual([0])
    }
    expect(await places(`tab=resolved&q=${encodeURIComponent(talk!.phone)}`)).toEqual([])
    const short = await sara.ask('GET', `${ALL}?q=ab`)
    expect([short.status, refusalsOf(short)]).toEqual([422, ['q: search_too_short']])
  })

  const place = (by: string) =>
    `cursor=${Buffer.from(JSON.stringify([by, 'c_1'])).toString('base64url')}`
  test.each([
    'tab=none',
    'sort=none',
    'limit=0',
    'cursor=x',
    place('0000-01-01T00:00:00Z'),
    place('2026-01-01T00:00:00+23:00'),
    'reason=none',
    'channelId=1',
  ])('is refused with %s', async (query) => {
    expect((await sara.ask('GET', `${ALL}?${query}`)).status).toBe(422)
  })
})

test('the counts are those of the tabs', async () => {
  const counts = async (member: Member) =>
    (await member.ask<ConversationCounts>('GET', `${ALL}/counts`)).body
  const open = { mine: 1, unassigned: 3, staff: 3, assistant: 1, open: 4 }
  expect(await counts(sara)).toEqual({ ...open, resolved: 1, max: 1_000 })
  expect(await counts(omar)).toMatchObject({ mine: 0 })
})

systemTest(
  'a message of a customer is unread until a member looks, also one that arrives late',
  async () => {
    const talk = await inbox.talk(newPhone())
    const isUnread = async () => (await talk.seen()).isUnread
    expect(await isUnread()).toBe(true)
    world.clock.advance(1_000)
    expect((await act(omar, talk, 'seen')).status).toBe(204)
    expect(await isUnread()).toBe(false)
    world.clock.advance(1_000)
    const at = world.clock.now()
    world.clock.advance(1_000)
    await talk.writes()
    expect(await isUnread()).toBe(true)
    await act(omar, talk, 'seen')
    // The message was on its way while a member looked.
    world.clock.advance(1_000)
    const late = written({ from: talk.phone.slice(1), text: 'late', at })
    await postWebhook(world, webhookOf(shop, [late]))
    expect(await isUnread()).toBe(true)
    await act(omar, talk, 'seen')
    expect(await isUnread()).toBe(false)
    await act(sara, talk, 'resolve')
  },
)

systemTest('the timeline has messages and lines, newest first, page by page', async () => {
  const talk = await inbox.talk(newPhone(), 'one')
  world.clock.advance(1_000)
  await reply(sara, talk, 'two')
  await whatsApp.settle()
  world.clock.advance(1_000)
  await owner.ask('POST', `${talk.path}/notes`, { text: 'three' })
  const items = await talk.timeline()
  const told = items.map((item) => (item.kind === 'entry' ? item.entry : item.text))
  expect(told[0]).toBe('note')
  expect(told.slice(1, 3).toSorted()).toEqual(['taken_over', 'two'])
  expect(told[3]).toBe('one')
  const seen = await walkPages<TimelineItem>(sara, `${talk.path}/timeline`, { limit: '1' })
  expect(seen.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
  await act(sara, talk, 'resolve')
})

describe('a note', () => {
  test('is sent to no customer and raises no event; the named members get a notice', async () => {
    const talk = talks[4]!
    await whatsApp.settle()
    const [sent, events] = [whatsApp.simulator.messages().length, shop.events().length]
    const { status, body: note } = await sara.ask<EntryView>('POST', `${talk.path}/notes`, {
      text: '@Omar, refund her',
      mentions: [omar.personId, sara.personId],
    })
    expect(status).toBe(201)
    expect(note).toMatchObject({ entry: 'note', text: '@Omar, refund her' })
    await whatsApp.settle()
    expect(whatsApp.simulator.messages()).toHaveLength(sent)
    expect(shop.events()).toHaveLength(events)
    const notices = async (member: Member) => await itemsOf<NoticeView>(member, '/notices')
    expect(await notices(omar)).toMatchObject([
      { kind: 'mentioned', conversationId: talk.id, endpointId: null },
    ])
    expect((await notices(omar))[0]!.words.en.text).toContain('refund her')
    expect(await notices(sara)).toEqual([])
    expect(await notices(owner)).toEqual([])
    const [{ id }] = (await notices(omar)) as [NoticeView]
    expect((await sara.ask('POST', `/notices/${id}/read`)).status).toBe(404)
    expect((await omar.ask('POST', `/notices/${id}/read`)).status).toBe(204)
  })

  test('is changed and deleted by its author, and the notices to named members follow', async () => {
    const talk = talks[4]!
    const note = { text: 'Her card is 4111', mentions: [omar.personId] }
    const { body } = await sara.ask<EntryView>('POST', `${talk.path}/notes`, note)
    const noticeTexts = async () => {
      const { items } = (await omar.ask<Page<NoticeView>>('GET', '/notices')).body
      return items.map(({ words }) => words.en.text).join()
    }
    expect(await noticeTexts()).toContain('Her card is 4111')
    const path = `${talk.path}/notes/${body.id}`
    expect((await omar.ask('PATCH', path, { text: 'b' })).status).toBe(403)
    expect((await omar.ask('DELETE', path)).status).toBe(403)
    const text = 'Her "card" is lost'
    const edited = await sara.ask<EntryView>('PATCH', path, { text })
    expect(edited.body).toMatchObject({ text, editedAt: world.clock.now().toISOString() })
    expect(await noticeTexts()).not.toContain('4111')
    expect(await noticeTexts()).toContain(text)
    expect((await sara.ask('DELETE', path)).status).toBe(204)
    expect((await sara.ask('DELETE', path)).status).toBe(404)
    expect(await noticeTexts()).not.toContain('card')
  })

  test('names people of the account only', async () => {
    const stranger = world.service.context.ids.uuid()
    const wrong = { text: 'a', mentions: [stranger] }
    const refused = await sara.ask('POST', `${talks[4]!.path}/notes`, wrong)
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['mentions: not_a_member']])
  })
})

describe('a ready reply', () => {
  const path = `${company}/canned-replies`

  test('is made, found filled in, changed and deleted', async () => {
    const made = await sara.ask<CannedReplyView>('POST', path, {
      shortcut: 'تحية',
      text: 'Hello {{contact.name}} ({{contact.phone}})',
      language: 'en',
    })
    expect(made).toMatchObject({ status: 201, body: { shortcut: 'تحية', filledText: null } })
    const list = (query = '') => omar.ask<{ items: CannedReplyView[] }>('GET', `${path}${query}`)
    const { contact } = await talks[0]!.seen()
    const [filled] = (await list(`?conversationId=${talks[0]!.id}`)).body.items
    expect(filled!.filledText).toBe(`Hello ${contact!.name ?? ''} (${contact!.phone})`)
    const one = `${path}/${made.body.id}`
    expect((await sara.ask('PATCH', one, { text: 'Hi' })).body).toMatchObject({
      text: 'Hi',
      shortcut: 'تحية',
    })
    expect((await sara.ask('DELETE', one)).status).toBe(204)
    expect((await sara.ask('DELETE', one)).status).toBe(404)
    expect((await list()).body.items).toEqual([])
  })

  test('is changed and deleted by the Agent who made it, and by Owners and Admins, and each of it is audited', async () => {
    const values = { shortcut: 'offer', text: 'An offer' }
    const made = await sara.ask<CannedReplyView>('POST', path, values)
    const one = `${path}/${made.body.id}`
    const mayChange = async (by: Member) => {
      const { items } = (await by.ask<{ items: CannedReplyView[] }>('GET', path)).body
      return items.find(({ id }) => id === made.body.id)!.mayChange
    }
    expect(await Promise.all([sara, omar, owner].map(mayChange))).toEqual([true, false, true])
    for (const [method, json] of [['PATCH', { text: 'None' }], ['DELETE']] as const) {
      const { body } = await omar.ask(method, one, json)
      expect([body.code, body.reason]).toEqual(['forbidden', 'canned_reply_of_another'])
    }
    await sara.ask('PATCH', one, { ...values, text: 'Another offer' })
    expect((await owner.ask('DELETE', one)).status).toBe(204)
    const log = await auditLog(world, { subjectId: made.body.id })
    expect(log.map(({ action, actorId, detail }) => [action, actorId, detail])).toEqual([
      ['canned_reply.created', sara.personId, { shortcut: 'offer' }],
      ['canned_reply.edited', sara.personId, { shortcut: 'offer', fields: ['text'] }],
      ['canned_reply.deleted', owner.personId, { shortcut: 'offer' }],
    ])
  })

  test('is not kept with a placeholder that nothing fills in', async () => {
    const made = await sara.ask<CannedReplyView>('POST', path, {
      shortcut: 'ok',
      text: '{"a": {}}',
    })
    expect(made.status).toBe(201)
    for (const text of [
      'Hi {{name}}',
      '{{vars.city}}',
      'مرحبًا {{اسم العميل}}',
      '{{contact.email}}',
    ]) {
      for (const refused of [
        await sara.ask('POST', path, { shortcut: 'unfilled', text }),
        await sara.ask('PATCH', `${path}/${made.body.id}`, { text }),
      ]) {
        expect([refused.status, refusalsOf(refused)]).toEqual([422, ['text: placeholder_unknown']])
      }
    }
    await sara.ask('DELETE', `${path}/${made.body.id}`)
  })

  test('has a shortcut that no other has, in any case', async () => {
    await sara.ask('POST', path, { shortcut: 'Hours', text: '9 to 5' })
    for (const shortcut of ['hours', 'HOURS']) {
      const taken = await sara.ask('POST', path, { shortcut, text: 'x' })
      expect([taken.status, refusalsOf(taken)]).toEqual([422, ['shortcut: shortcut_taken']])
    }
    for (const shortcut of ['', 'two words', 'a/b', 'x'.repeat(41)]) {
      expect((await sara.ask('POST', path, { shortcut, text: 'x' })).status).toBe(422)
    }
  })
})

describe('narrowed by time', () => {
  const found = async (query: string) => {
    const path = `${ALL}?tab=open&sort=waiting&${query}`
    const { status, body } = await sara.ask<Page<ConversationView>>('GET', path)
    return status === 200 ? body.items.map(({ id }) => id) : status
  }

  test('to those that wait for at least this many minutes', async () => {
    const late = await inbox.talk(newPhone())
    await late.handOver()
    const early = talks[1]!.id
    expect(await found('waitingMinutes=1')).toContain(early)
    expect(await found('waitingMinutes=1')).not.toContain(late.id)
    world.clock.advance(MINUTE_MS)
    expect(await found('waitingMinutes=1')).toContain(late.id)
    expect(await found('waitingMinutes=10080')).toEqual([])
  })

  test('to those whose window is open and closes within this many minutes', async () => {
    const { id } = await inbox.talk(newPhone())
    expect(await found('closingMinutes=1439')).not.toContain(id)
    expect(await found('closingMinutes=1440')).toContain(id)
    for (const wrong of ['closingMinutes=0', 'closingMinutes=10081', 'waitingMinutes=x']) {
      expect(await found(wrong)).toBe(422)
    }
  })
})
