/** The trace of a reply, and members' feedback on it. Spec: Assistant › Trace; Assistant › Feedback. */
import { beforeEach, describe, expect, test } from 'vitest'
import type {
  AnsweringView,
  ReplyDetail,
  ReplyView,
} from '../../src/contract/dashboard/assistant-reply.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { DAY_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { type Member } from '../support/dashboard.ts'
import { inboxOf, type Inbox, type Talk } from '../support/inbox.ts'
import { leaveReply, leaveSteps } from '../support/replies.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWhatsApp } from '../support/open-world.ts'

let shop: ConnectedShop
let inbox: Inbox
let agent: Member
let talk: Talk
let at: string
const { world, whatsApp } = await openWhatsApp()

beforeEach(async () => {
  shop = await whatsApp.openShop()
  inbox = inboxOf({ world, whatsApp }, shop)
  agent = await inbox.member()
  talk = await inbox.talk(newPhone(), 'Do you deliver to Jeddah?')
  at = `/companies/${shop.companyId}/assistant/replies`
})

const leave = (input: Partial<Parameters<typeof leaveReply>[1]> = {}) =>
  leaveReply(world, { companyId: shop.companyId, conversationId: talk.id, ...input })
const list = async (query = '') => (await agent.ask<Page<ReplyView>>('GET', `${at}${query}`)).body
const show = (id: string, by = agent) => by.ask<ReplyDetail>('GET', `${at}/${id}`)

describe('Replies', () => {
  test("are listed newest first, page by page, with the customer's question and the outcome", async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) {
      ids.unshift(await leave())
      world.clock.advance(SECOND_MS)
    }
    const first = await list('?limit=2')
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first.items[0]).toMatchObject({
      conversationId: talk.id,
      channelType: 'whatsapp',
      question: 'Do you deliver to Jeddah?',
      state: 'sent',
      why: { code: 'reply_sent', text: 'The reply was sent.' },
      tokensIn: 4_808,
      tokensOut: 135,
    })
    const second = await list(`?limit=2&cursor=${first.nextCursor}`)
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(second.nextCursor).toBeNull()
    const made = Buffer.from('["2026-11-21T09:00:00Z","no id"]').toString('base64url')
    expect((await agent.ask('GET', `${at}?cursor=${made}`)).status).toBe(422)
  })

  systemTest("are filtered by outcome and by members' feedback", async () => {
    const sent = await leave()
    const handed = await leave({ state: 'handed_over', why: fact('reply_handed_over') })
    const found = async (query: string) => (await list(query)).items.map(({ id }) => id)
    expect(await found('?outcome=sent')).toEqual([sent])
    expect(await found('?outcome=handed_over')).toEqual([handed])
    expect(await found('?outcome=working')).toEqual([])
    await agent.ask('PUT', `${at}/${sent}/feedback`, { isGood: false, note: 'Wrong price' })
    expect(await found('?feedback=bad')).toEqual([sent])
    expect(await found('?feedback=good')).toEqual([])
  })
})

describe('Trace', () => {
  test('shows input, requests, results and corrections of a reply, and why it ended', async () => {
    const id = await leave()
    await leaveSteps(world, { companyId: shop.companyId, replyId: id, found: 'Delivery' })
    const { body } = await show(id)
    expect(body.heard).toMatchObject([{ type: 'text', text: 'Do you deliver to Jeddah?' }])
    expect(body.isKept).toBe(true)
    expect(body.parts.map(({ text }) => text)).toEqual(['Rules of the house. Delivery'])
    expect(body.steps).toMatchObject([
      {
        kind: 'model',
        prompt: { parts: [body.parts[0]!.id], changing: 'Now: Delivery' },
        calls: [{ name: 'search_knowledge' }],
        tried: [{ model: 'first-model', failure: 'server_error' }],
        durationMs: 900,
        tokensIn: 2_310,
      },
      {
        kind: 'tool',
        name: 'search_knowledge',
        isDone: true,
        durationMs: 38,
        chunks: [{ number: 1, title: 'Delivery', score: 0.83 }],
      },
      { kind: 'guard', name: 'language', failure: 'not_in_arabic' },
    ])
  })

  test('says after 31 days that the steps were deleted, and since when', async () => {
    const id = await leave()
    const endedAt = world.clock.now()
    world.clock.advance(31 * DAY_MS)
    agent = await inbox.member()
    expect((await show(id)).body).toMatchObject({
      isKept: false,
      keptUntil: new Date(endedAt.getTime() + 30 * DAY_MS).toISOString(),
      steps: [],
    })
  })
})

describe('Feedback', () => {
  test('keeps the latest vote of each member', async () => {
    const id = await leave()
    const give = (isGood: boolean, note: string, by: Member) =>
      by.ask<ReplyDetail>('PUT', `${at}/${id}/feedback`, { isGood, note })
    await give(true, '', agent)
    const owner = await inbox.member('owner')
    await give(false, 'Too long', owner)
    const { body } = await give(false, 'We do not deliver there', agent)
    expect(body).toMatchObject({ good: 0, bad: 2 })
    expect(body.feedback.map(({ note }) => note).toSorted()).toEqual([
      'Too long',
      'We do not deliver there',
    ])
  })
})

describe('The answering state of a conversation', () => {
  test('shows that the assistant is off, and the outcome of its last reply', async () => {
    const path = `/companies/${shop.companyId}/conversations/${talk.id}/answering`
    const answering = async () => (await agent.ask<AnsweringView>('GET', path)).body
    expect(await answering()).toEqual({ state: 'off', reply: null })
    const id = await leave({ state: 'cancelled', why: fact('reply_staff_has_it') })
    expect(await answering()).toMatchObject({ reply: { id, why: { code: 'reply_staff_has_it' } } })
    const none = await agent.ask('GET', `/companies/${shop.companyId}/conversations/x/answering`)
    expect(none.status).toBe(404)
  })
})
