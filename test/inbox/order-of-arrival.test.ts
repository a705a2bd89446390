/**
 * Providers report whole seconds: lines with the same time are in the order of their arrival, on every page of
 * every list.
 */
import { expect, test } from 'vitest'
import type { TimelineEntry } from '../../src/contract/dashboard/contact.ts'
import type { TimelineItem } from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { walkPages, itemsOf } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { inboxOf, reply } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)

/** Returns the text or kind of each line of a page, the oldest first. */
const linesOf = (items: readonly TimelineItem[]) =>
  items.map((item) => (item.kind === 'message' ? item.text : item.entry)).toReversed()

systemTest('messages, notes and other entries of one time are read as they arrived', async () => {
  const owner = await inbox.member('owner')
  const talk = await inbox.talk(newPhone(), 'in 0')
  const expected = ['in 0']
  for (let place = 1; place < 5; place += 1) {
    await talk.writes(`in ${place}`)
    await reply(owner, talk, `out ${place}`)
    await owner.ask('POST', `${talk.path}/notes`, { text: `note ${place}` })
    expected.push(`in ${place}`, ...(place === 1 ? ['taken_over'] : []), `out ${place}`, 'note')
  }
  const lines = await talk.timeline()
  expect(new Set(lines.map(({ at }) => at)).size).toBe(1)
  expect(linesOf(lines)).toEqual(expected)

  const byPages = await walkPages<TimelineItem>(owner, `${talk.path}/timeline`, { limit: '3' })
  expect(linesOf(byPages)).toEqual(expected)
})

test('messages of one webhook and one second keep the order that the provider gave them', async () => {
  const phone = newPhone()
  const texts = Array.from({ length: 12 }, (_, place) => `line ${place}`)
  const at = world.clock.now()
  const lines = texts.map((text) => written({ from: phone.slice(1), text, at }))
  expect(await postWebhook(world, webhookOf(shop, lines))).toBe(200)
  await world.service.processAll()
  const { id } = await conversationWith(world, { channelId: shop.channelId }, phone)
  const owner = await inbox.member('owner')
  const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}`
  const items = await itemsOf<TimelineItem>(owner, `${path}/timeline?limit=50`)
  expect(linesOf(items)).toEqual(texts)
})

test('the history of a contact begins with the contact itself, whatever happened at its time', async () => {
  const owner = await inbox.member('owner')
  const talk = await inbox.talk(newPhone(), 'STOP')
  await talk.writes('START')
  const { contact } = await talk.seen()
  const path = `/companies/${shop.companyId}/contacts/${contact!.id}/timeline`
  const { body } = await owner.ask<Page<TimelineEntry>>('GET', `${path}?limit=2`)
  const rest = await owner.ask<Page<TimelineEntry>>('GET', `${path}?cursor=${body.nextCursor}`)
  const kinds = [...body.items, ...rest.body.items].map(({ kind }) => kind).toReversed()
  expect(kinds).toEqual(['created', 'conversation', 'opted_out', 'opted_in'])
})
