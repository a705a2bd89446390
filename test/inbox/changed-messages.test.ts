/** Changes that customers make to messages: staff sees them on the message. Spec: Inbox › Timeline. */
import { describe, expect, test } from 'vitest'
import type {
  MessageView,
  SentReply,
  TimelineItem,
} from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { MESSAGING_LIMITS } from '../../src/core/limits/messaging.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { eventsOf } from '../support/records/events.ts'
import { messagesOf } from '../support/records/messages.ts'
import { createShop } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import { echoed, postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, shop)

type Change = Parameters<typeof webhookOf>[1][number]

/** Returns a customer of this test, with their acts and with what staff sees of them. */
function newCustomer() {
  const phone = newPhone()
  const from = phone.slice(1)
  const tell = async (...changes: Change[]) => {
    expect(await postWebhook(world, webhookOf(shop, changes))).toBe(200)
    await world.service.processAll()
  }
  const does = (content: object) => tell(written({ from, content: { ...content } }))
  return {
    phone,
    tell,
    writes: (id: string, text: string) => tell(written({ from, id, text })),
    edits: (id: string, body: string) => {
      const edit = { original_message_id: id, message: { type: 'text', text: { body } } }
      return does({ type: 'edit', edit })
    },
    deletes: (id: string) => does({ type: 'revoke', revoke: { original_message_id: id } }),
    reacts: (id: string, emoji?: string) =>
      does({
        type: 'reaction',
        reaction: { message_id: id, ...(emoji !== undefined && { emoji }) },
      }),
    async seen() {
      const { id } = await conversationWith(world, { channelId: shop.channelId }, phone)
      const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}`
      const { body } = await owner.ask<Page<TimelineItem>>('GET', `${path}/timeline?limit=100`)
      const messages = body.items.filter((item): item is MessageView => item.kind === 'message')
      const { body: whole } = await owner.ask<{ lastMessage: { text: string | null } | null }>(
        'GET',
        path,
      )
      return { messages: messages.toReversed(), last: whole.lastMessage?.text ?? null, id }
    },
  }
}

let serial = 0
const newId = () => `wamid.changed${(serial += 1)}`

systemTest(
  'An edit shows the new words, also in the list, and keeps the earlier ones',
  async () => {
    const sara = newCustomer()
    const id = newId()
    await sara.writes(id, 'two please')
    await sara.edits(id, 'three please')
    await sara.edits(id, 'three please')
    await sara.edits(id, 'four please')
    const { messages, last } = await sara.seen()
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({
      text: 'four please',
      earlierTexts: [{ text: 'two please' }, { text: 'three please' }],
    })
    expect(last).toBe('four please')
  },
)

systemTest('Only the newest of very many edits are kept', async () => {
  const sara = newCustomer()
  const id = newId()
  await sara.writes(id, 'edit 0')
  const edits = Array.from({ length: MESSAGING_LIMITS.earlierTexts + 3 }, (_, n) => n + 1)
  for (const n of edits) await sara.edits(id, `edit ${n}`)
  const [message] = (await sara.seen()).messages
  const kept = message!.earlierTexts.map(({ text }) => text)
  expect(kept).toHaveLength(MESSAGING_LIMITS.earlierTexts)
  expect(kept.at(-1)).toBe(`edit ${edits.length - 1}`)
})

systemTest(
  'A deleted message is marked and can no longer be edited; lists do not show its text',
  async () => {
    const sara = newCustomer()
    const [kept, deleted] = [newId(), newId()]
    await sara.writes(kept, 'hello')
    await sara.writes(deleted, 'my card is 4111')
    await sara.deletes(deleted)
    await sara.edits(deleted, 'nothing')
    const { messages, last } = await sara.seen()
    expect(messages.map(({ text, deletedAt }) => [text, deletedAt !== null])).toEqual([
      ['hello', false],
      ['my card is 4111', true],
    ])
    expect(last).toBeNull()
  },
)

test('A message shows the last reaction to it, until the reaction is removed', async () => {
  const sara = newCustomer()
  const [theirs, ours] = [newId(), newId()]
  await sara.writes(theirs, 'hello')
  await sara.tell(echoed({ to: sara.phone.slice(1), id: ours, text: 'welcome' }))
  await sara.reacts(ours, '👍')
  await sara.reacts(ours, '❤️')
  await sara.reacts(theirs, '👍')
  await sara.reacts(theirs)
  const { messages } = await sara.seen()
  expect(Object.fromEntries(messages.map(({ text, reaction }) => [text, reaction]))).toEqual({
    hello: null,
    welcome: '❤️',
  })
})

test('Customers and owners change only their own messages, and changes of unknown ones are ignored', async () => {
  const sara = newCustomer()
  const [theirs, ours] = [newId(), newId()]
  await sara.writes(theirs, 'hello')
  await sara.tell(echoed({ to: sara.phone.slice(1), id: ours, text: 'welcome' }))
  await sara.edits(ours, 'free of charge')
  await sara.deletes(ours)
  await sara.deletes('wamid.unknown')
  const revoke = { type: 'revoke', revoke: { original_message_id: theirs } }
  const echo = echoed({ to: sara.phone.slice(1) })
  const [item] = echo.value['message_echoes'] as object[]
  await sara.tell({ ...echo, value: { ...echo.value, message_echoes: [{ ...item, ...revoke }] } })
  const { messages } = await sara.seen()
  expect(messages.map(({ text, deletedAt }) => [text, deletedAt])).toEqual([
    ['hello', null],
    ['welcome', null],
  ])
})

systemTest(
  'None of these changes raises an event, and erasing a contact deletes them all',
  async () => {
    const sara = newCustomer()
    const id = newId()
    await sara.writes(id, 'my name is Sara')
    const { id: conversationId } = await sara.seen()
    const before = (await eventsOf(world, { conversationId })).length
    await sara.edits(id, 'my name is not told')
    await sara.reacts(id, '👍')
    expect(await eventsOf(world, { conversationId })).toHaveLength(before)
    const { body } = await owner.ask<{ contact: { id: string } }>(
      'GET',
      `/companies/${shop.companyId}/conversations/${encodeURIComponent(conversationId)}`,
    )
    const erased = { confirm: true }
    const path = `/companies/${shop.companyId}/contacts/${body.contact.id}/erase`
    expect((await owner.ask('POST', path, erased)).status).toBe(200)
    const kept = await messagesOf(world, { conversationId })
    expect(kept).toMatchObject([{ text: null, earlierTexts: [], reaction: null }])
  },
)

describe('The list of conversations', () => {
  /** A member answers the customer, and cancels the answer before it is sent. */
  async function replyAndCancel(conversationId: string) {
    const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(conversationId)}`
    const reply = { key: newId(), text: 'one moment' }
    const { body } = await owner.ask<SentReply>('POST', `${path}/messages`, reply)
    expect((await owner.ask('DELETE', `${path}/messages/${body.message.id}`)).status).toBe(204)
  }

  test('shows an edit of the last message, though a later reply was cancelled', async () => {
    const sara = newCustomer()
    const id = newId()
    await sara.writes(id, 'two please')
    await replyAndCancel((await sara.seen()).id)
    await sara.edits(id, 'three please')
    expect((await sara.seen()).last).toBe('three please')
  })

  test('shows no deleted text again when a later reply is cancelled', async () => {
    const sara = newCustomer()
    const id = newId()
    await sara.writes(id, 'my card is 4111')
    await sara.deletes(id)
    await replyAndCancel((await sara.seen()).id)
    expect((await sara.seen()).last).toBeNull()
  })

  test('keeps the last message when an earlier one is edited or deleted', async () => {
    const sara = newCustomer()
    const [first, second] = [newId(), newId()]
    await sara.writes(first, 'one')
    await sara.writes(second, 'two')
    await sara.edits(first, 'three')
    expect((await sara.seen()).last).toBe('two')
    await sara.deletes(first)
    expect((await sara.seen()).last).toBe('two')
  })
})
