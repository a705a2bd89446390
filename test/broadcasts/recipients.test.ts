/** Recipients who are merged or erased, and broadcasts of a restored backup. */
import { beforeEach, expect, test } from 'vitest'
import { itemsOf } from '../support/dashboard.ts'
import { pauseRestoredBroadcasts } from '../../src/modules/broadcasts/pause-restored.ts'
import { processDuePages } from '../../src/infra/database/queues/pages.ts'
import { TAG_JOBS } from '../../src/modules/contacts/step-tag-jobs.ts'
import { BROADCAST_WORK } from '../../src/core/limits/broadcasts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, pausedBy, type Broadcasts } from '../support/broadcasts.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RecipientView } from '../../src/contract/dashboard/broadcast.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

let news: Broadcasts
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  // A new shop keeps what another test has sent or broken apart.
  news = await openBroadcasts(world, whatsApp)
})

async function three(perSecond = 1) {
  const contacts = []
  for (const name of ['A', 'B', 'C']) contacts.push(await news.contact({ name, tags: ['vip'] }))
  const id = await news.start('vip', { perSecond })
  return { id, contacts: contacts as [ContactView, ContactView, ContactView] }
}
const merge = (intoId: string, fromId: string) =>
  news.owner.ask('POST', `${news.at}/contacts/${intoId}/merge`, { fromId })
const outcomes = async (id: string) =>
  (await news.recipients(id)).map(({ contactId, state, skipReason }) => [
    contactId,
    skipReason ?? state,
  ])

systemTest('after a merge of two recipients the one already sent to remains', async () => {
  const { id, contacts } = await three()
  const [a, b, c] = contacts
  await whatsApp.settle()
  expect(news.reached()).toEqual([a.phone])
  // The sent row goes to the surviving contact, whose own waiting row is skipped. The third
  // recipient stays.
  await merge(b.id, a.id)
  const expected = [
    [b.id, 'delivered'],
    [null, 'same_number'],
    [c.id, 'pending'],
  ]
  expect(await outcomes(id)).toEqual(expected)
  await news.finish(id)
  expect(news.reached()).toEqual([a.phone, c.phone])
  expect(await news.show(id)).toMatchObject({ state: 'done', total: 3, counts: { skipped: 1 } })
})

systemTest(
  'after a merge of two waiting recipients, the surviving contact gets the message once',
  async () => {
    const { id, contacts } = await three()
    const [a, b, c] = contacts
    await news.does(id, 'pause')
    await merge(b.id, c.id)
    await news.does(id, 'resume')
    await news.finish(id)
    expect(news.reached()).toEqual([a.phone, b.phone])
  },
)

systemTest(
  'a chosen contact that is merged before the start is replaced by the surviving contact',
  async () => {
    const [a, b, c] = [await news.contact(), await news.contact(), await news.contact()]
    const contactIds = [a.id, b.id]
    const { id } = await news.draft('vip', { audience: { kind: 'contacts', contactIds } })
    await merge(c.id, a.id)
    await news.does(id, 'start')
    expect(await news.finish(id)).toMatchObject({ state: 'done', total: 2 })
    const phones = news.reached()
    expect(phones.toSorted()).toEqual([b.phone, c.phone].toSorted())
  },
)

systemTest(
  'a contact with a merged one gets the message in one conversation, its own if it has one',
  async () => {
    const [has, hasNot] = [
      await news.contact({ tags: ['vip'] }),
      await news.contact({ tags: ['vip'] }),
    ]
    const others = [await news.contact(), await news.contact()] as const
    for (const { phone } of others) await news.writes(phone, 'hello')
    await news.writes(has.phone, 'hello')
    await merge(has.id, others[0].id)
    await merge(hasNot.id, others[1].id)
    await news.finish(await news.start('vip'))
    const phones = news.reached()
    expect(phones.toSorted()).toEqual([has.phone, others[1].phone].toSorted())
  },
)

systemTest(
  'a contact that absorbs a recipient while recipients are being listed is one recipient',
  async () => {
    const first = await news.contact({ tags: ['vip'] })
    await news.contacts(BROADCAST_WORK.page - 1, 'others')
    const last = await news.contact({ tags: ['vip'] })
    const id = await news.start('vip')
    // The broadcast starts, and lists one page of contacts.
    await news.enqueue(2)
    expect(await outcomes(id)).toEqual([[first.id, 'pending']])
    await merge(last.id, first.id)
    expect(await news.finish(id)).toMatchObject({ state: 'done', total: 1 })
    expect(news.reached()).toEqual([last.phone])
  },
)

systemTest('concurrent claims of several processes send to each recipient once', async () => {
  const phones = await news.contacts(60, 'vip')
  const id = await news.start('vip', { perSecond: 50 })
  await news.enqueue()
  for (let turn = 0; turn < 6; turn += 1) {
    world.clock.advance(500)
    await Promise.all(Array.from({ length: 4 }, () => news.enqueue(1)))
    await whatsApp.settle()
  }
  await news.finish(id)
  expect(news.reached().toSorted()).toEqual(phones.toSorted())
})

systemTest(
  'a tag that is renamed before recipients are listed still excludes the same contacts',
  async () => {
    await news.contact({ tags: ['vip', 'no ads'] })
    const { phone } = await news.contact({ tags: ['vip'] })
    const filter = { tags: ['vip'], withoutTags: ['No ads'] }
    const later = await news.draft('vip', { audience: { kind: 'filter', filter } })
    const now = await news.start('vip', { audience: { kind: 'filter', filter } })
    await news.enqueue(1)
    expect(await news.show(now)).toMatchObject({ state: 'preparing' })
    await news.owner.ask('POST', `${news.at}/tags/rename`, { tag: 'no ads', newTag: 'quiet' })
    await processDuePages(world.service.context, TAG_JOBS)
    expect(await news.show(later.id)).toMatchObject({
      audience: { kind: 'filter', filter: { tags: ['vip'], withoutTags: ['quiet'] } },
    })
    await news.does(later.id, 'start')
    for (const id of [now, later.id]) {
      expect(await news.finish(id)).toMatchObject({ state: 'done', total: 1 })
    }
    expect(news.reached()).toEqual([phone, phone])
  },
)

systemTest('a recipient who is erased before the send gets nothing', async () => {
  const { id, contacts } = await three()
  const [a, b, c] = contacts
  await whatsApp.settle()
  await news.owner.ask('POST', `${news.at}/contacts/${b.id}/erase`, { confirm: true })
  await news.finish(id)
  expect(news.reached()).toEqual([a.phone, c.phone])
  expect((await outcomes(id))[1]).toEqual([b.id, 'no_number'])
})

systemTest(
  'a restored backup pauses a broadcast, since its progress after the backup is unknown',
  async () => {
    const { id } = await three()
    await whatsApp.settle()
    world.clock.advance(5_000)
    expect(await pauseRestoredBroadcasts(world.service.context)).toBe(1)
    await whatsApp.settle()
    expect(await news.show(id)).toMatchObject(pausedBy('broadcast_restored'))
    expect(news.sent()).toHaveLength(1)
    await news.does(id, 'resume')
    expect(await news.finish(id)).toMatchObject({ state: 'done' })
    expect(news.sent()).toHaveLength(3)
  },
)

systemTest(
  'a restored broadcast that was still listing recipients lists the rest when resumed',
  async () => {
    const id = await news.startTo(5_003, { perSecond: 50 })
    await news.enqueue(2)
    expect(await news.show(id)).toMatchObject({ state: 'preparing', total: 5_000 })
    expect(await pauseRestoredBroadcasts(world.service.context)).toBe(1)
    await news.does(id, 'resume')
    await news.enqueue()
    expect(await news.show(id)).toMatchObject({ state: 'sending', total: 5_003 })
    await news.does(id, 'cancel')
  },
)

test('a restored backup pauses a scheduled broadcast only if its time has passed since', async () => {
  await news.contact({ tags: ['vip'] })
  const ids: string[] = []
  for (const minutes of [1, 10]) {
    const { id } = await news.draft('vip')
    const sendAt = new Date(world.clock.now().getTime() + minutes * MINUTE_MS).toISOString()
    await news.does(id, 'start', { sendAt })
    ids.push(id)
  }
  world.clock.advance(MINUTE_MS)
  expect(await pauseRestoredBroadcasts(world.service.context)).toBe(1)
  await whatsApp.settle()
  const states = await Promise.all(ids.map(async (id) => (await news.show(id)).state))
  expect(states).toEqual(['paused', 'scheduled'])
  expect(news.sent()).toEqual([])
  for (const id of ids) await news.does(id, 'cancel')
})

systemTest(
  'a recipient with a hidden number gets the message in their existing conversation',
  async () => {
    const phone = newPhone()
    whatsApp.simulator.addPerson({ number: phone })
    whatsApp.simulator.hideNumber({ from: phone, isHidden: true })
    await news.writes(phone, 'who am I?')
    const all = await itemsOf<ContactView>(news.owner, `${news.at}/contacts`)
    const [{ id: contactId, phone: shown }] = all as [ContactView]
    expect(shown).toBeNull()
    await news.owner.ask('PATCH', `${news.at}/contacts/${contactId}`, { addTags: ['vip'] })
    const id = await news.start('vip')
    expect(await news.finish(id)).toMatchObject({ state: 'done', total: 1 })
    expect(await outcomes(id)).not.toEqual([[contactId, 'no_number']])
    expect(news.sent()).toHaveLength(1)
  },
)

test("a contact who opted out of another company’s messages still gets this company's", async () => {
  const other = await openBroadcasts(world, whatsApp)
  const { phone } = await news.contact({ tags: ['vip'] })
  const twin = await other.contact({ phone })
  await other.owner.ask('POST', `${other.at}/contacts/${twin.id}/opt-out`)
  await news.finish(await news.start('vip'))
  expect(news.reached()).toEqual([phone])
})

test('a broadcast to chosen contacts reaches exactly those, and none of another company', async () => {
  const other = await openBroadcasts(world, whatsApp)
  const stranger = await other.contact()
  const [a, , b] = [await news.contact(), await news.contact(), await news.contact()]
  const contactIds = [b.id, stranger.id, a.id]
  const id = await news.start('vip', { audience: { kind: 'contacts', contactIds } })
  expect(await news.finish(id)).toMatchObject({ state: 'done', total: 2 })
  expect((await outcomes(id)).map(([contactId]) => contactId)).toEqual([a.id, b.id])
  expect([news.sent().length, other.sent().length]).toEqual([2, 0])
})

systemTest('recipients are listed once each in pages, in total and by state', async () => {
  const { id } = await three(50)
  await news.finish(id)
  await news.pass(1)
  for (const state of ['', '&state=delivered']) {
    const path = `${news.at}/broadcasts/${id}/recipients?limit=2${state}`
    const first = await news.owner.ask<Page<RecipientView>>('GET', path)
    const next = `${path}&cursor=${first.body.nextCursor}`
    const second = await news.owner.ask<Page<RecipientView>>('GET', next)
    const names = [first, second].flatMap(({ body }) => body.items.map(({ name }) => name))
    expect(names.toSorted()).toEqual(['A', 'B', 'C'])
    expect(second.body.nextCursor).toBeNull()
  }
})
