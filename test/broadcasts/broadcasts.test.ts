/** A broadcast from its draft to its end: its recipients, those left out, and its counts and events. */
import { beforeEach, describe, expect, test } from 'vitest'
import { liveBroadcast } from '../../src/modules/broadcasts/live-broadcast.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import { formatterFor } from '../../src/http/localize.ts'
import { createLiveChanges } from '../../src/modules/live-updates/change-stream.ts'
import { broadcastOf } from '../support/records/broadcasts.ts'
import { runsOf } from '../support/records/runs.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import { followLive, lookUntil } from '../support/live.ts'
import type { Shop } from '../support/shop.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { setCoexistence } from '../support/records/channels.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { signedIn, itemsOf } from '../support/dashboard.ts'
import { getPage } from '../support/pages.ts'
import { systemTest } from '../support/system-tests.ts'

let news: Broadcasts
let tag: string
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  // A new shop keeps what another test has sent or broken apart.
  news = await openBroadcasts(world, whatsApp)
  tag = 'vip'
})

const raised = async (type: string) =>
  (await eventTypesOf(world, { companyId: news.shop.companyId }, type)).length
const begun = async () => [await raised('message.received'), await raised('conversation.started')]

describe('Sending', () => {
  systemTest(
    'sends a template to 10 contacts of a segment, and the first reply starts a conversation',
    async () => {
      const contacts = []
      for (let nth = 0; nth < 10; nth += 1) {
        contacts.push(await news.contact({ name: `N${nth}`, tags: [tag] }))
      }
      await news.contact({ tags: ['other'] })
      const segment = { name: 'All of them', filter: { tags: [tag] } }
      const made = await news.owner.ask<{ id: string }>('POST', `${news.at}/segments`, segment)
      const id = await news.start(tag, { audience: { kind: 'segment', segmentId: made.body.id } })
      const done = await news.finish(id)
      expect(done).toMatchObject({ state: 'done', total: 10, reason: null })
      // Concurrent sends may overtake each other.
      expect(news.sent().toSorted((a, b) => (a.to < b.to ? -1 : 1))).toEqual(
        contacts.map(({ phone, name }) => ({ to: phone, text: `Dear ${name}, we move.` })),
      )
      world.clock.advance(10_000)
      await whatsApp.settle()
      expect((await news.show(id)).counts).toEqual({ delivered: 10 })
      expect(await begun()).toEqual([0, 0])
      expect(await raised('contact.updated')).toBe(0)
      await news.writes(contacts[3]!.phone, 'how much?')
      expect(await begun()).toEqual([1, 1])
      const all = await news.recipients(id)
      expect(all.map(({ phone: to, state }) => ({ to, state }))).toEqual(
        contacts.map((contact) => ({ to: contact.phone, state: 'delivered' })),
      )
    },
  )

  systemTest('keeps to its rate, and to a new rate after a resume', async () => {
    const id = await news.beginTo(40, { perSecond: 10 })
    await news.pass(1)
    const first = news.sent().length
    expect(first).toBeGreaterThanOrEqual(10)
    expect(first).toBeLessThanOrEqual(20)
    const view = await news.show(id)
    expect(new Date(view.endsAt!).getTime() - world.clock.now().getTime()).toBe((40 - first) * 100)
    await news.does(id, 'pause')
    await news.pass(2)
    expect(news.sent()).toHaveLength(first)
    await news.does(id, 'resume', { perSecond: 2 })
    await news.pass(3)
    expect(news.sent().length - first).toBeGreaterThanOrEqual(6)
    expect(news.sent().length - first).toBeLessThanOrEqual(8)
    await news.does(id, 'pause')
    await news.does(id, 'resume', { perSecond: 50 })
    expect((await news.finish(id)).counts).toMatchObject({})
    expect(new Set(news.reached()).size).toBe(40)
    expect(news.sent()).toHaveLength(40)
  })

  systemTest(
    "shares the number's rate between its broadcasts, and expects their ends later",
    async () => {
      await news.contacts(60, tag)
      const both = [
        await news.start(tag, { perSecond: 10 }),
        await news.start(tag, { perSecond: 10 }),
      ]
      await whatsApp.settle()
      const before = news.sent().length
      await news.pass(2)
      expect(news.sent().length - before).toBeGreaterThanOrEqual(18)
      expect(news.sent().length - before).toBeLessThanOrEqual(24)
      for (const id of both) {
        const leftMs = Date.parse((await news.show(id)).endsAt!) - world.clock.now().getTime()
        expect(leftMs).toBe((60 - (await broadcastOf(world, id)).enqueuedTo) * 200)
      }
    },
  )

  systemTest(
    'sends at most 15 a second once the number is used in the provider’s app too',
    async () => {
      await news.contacts(100, tag)
      await news.start(tag, { perSecond: 50 })
      await setCoexistence(world, news.shop, true)
      await whatsApp.settle()
      const before = news.sent().length
      await news.pass(2)
      expect(news.sent().length - before).toBeGreaterThanOrEqual(28)
      expect(news.sent().length - before).toBeLessThanOrEqual(38)
    },
  )

  systemTest('skips a recipient who wrote STOP before the send began, however late', async () => {
    const id = await news.beginTo(4, { perSecond: 1 })
    const { phone: last } = (await news.recipients(id)).at(-1)!
    await news.writes(last, 'STOP')
    await news.finish(id)
    expect(news.reached()).not.toContain(last)
    expect(await news.recipients(id, 'state=skipped')).toMatchObject([
      { phone: last, skipReason: 'opted_out' },
    ])
  })

  systemTest('skips a recipient who opts out after being queued and before the send', async () => {
    const { id: contactId } = await news.contact({ tags: [tag] })
    const id = await news.start(tag)
    await news.enqueue()
    expect(await news.recipients(id)).toMatchObject([{ state: 'queued' }])
    await news.owner.ask('POST', `${news.at}/contacts/${contactId}/opt-out`)
    await news.finish(id)
    expect(news.sent()).toEqual([])
    expect(await news.recipients(id)).toMatchObject([{ state: 'skipped', skipReason: 'opted_out' }])
    expect((await news.show(id)).counts).toEqual({ skipped: 1 })
  })

  systemTest('keeps its recipients when tags change after the start', async () => {
    const contacts = []
    for (let nth = 0; nth < 3; nth += 1) contacts.push(await news.contact({ tags: [tag] }))
    const late = await news.contact()
    const id = await news.start(tag, { perSecond: 1 })
    await whatsApp.settle()
    const path = `${news.at}/contacts`
    await news.owner.ask('PATCH', `${path}/${late.id}`, { addTags: [tag] })
    await news.owner.ask('PATCH', `${path}/${contacts[2]!.id}`, { removeTags: [tag] })
    expect((await news.finish(id)).total).toBe(3)
    expect(news.reached().toSorted()).toEqual(contacts.map(({ phone }) => phone))
  })

  systemTest(
    'reports 3 of 10 as failed with a code, and sends to them again as a broadcast to 3',
    async () => {
      await news.contacts(7, tag)
      const id = await news.startTo(['+966550131030', '+966551131030', '+966552131030'])
      expect((await news.finish(id)).state).toBe('done')
      expect(await news.recipients(id, 'state=failed')).toMatchObject(
        [0, 1, 2].map(() => ({ errorCode: '131030', detail: { code: 'provider_refused' } })),
      )
      expect(news.sent()).toHaveLength(7)
      const again = await news.does(id, 'send-failed-again')
      expect([again.status, again.body]).toMatchObject([201, { state: 'draft', name: 'News' }])
      expect((await news.check(again.body.id)).contacts).toBe(3)
      await news.does(again.body.id, 'start')
      expect(await news.finish(again.body.id)).toMatchObject({ total: 3, counts: { failed: 3 } })
      expect(await news.does(again.body.id, 'pause')).toMatchObject({ status: 409 })
    },
  )

  test('marks a message whose answer is lost as unknown, and never sends it again', async () => {
    const id = await news.startTo(['+966551000000'])
    const done = await news.finish(id)
    expect([done.state, news.sent().length]).toEqual(['done', 1])
    expect(done.counts).not.toHaveProperty('pending')
    expect((await news.does(id, 'send-failed-again')).status).toBe(409)
  })

  test('starts at its scheduled time and not before', async () => {
    await news.contact({ tags: [tag] })
    const { id } = await news.draft(tag)
    const sendAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const scheduled = await news.does(id, 'start', { sendAt })
    expect(scheduled.body).toMatchObject({ state: 'scheduled', sendAt, startedAt: null })
    await whatsApp.settle()
    expect(news.sent()).toEqual([])
    world.clock.advance(60_000)
    await news.finish(id)
    expect(news.sent()).toHaveLength(1)
  })

  systemTest('leaves a conversation that waits for staff waiting', async () => {
    const { phone } = await news.contact({ tags: [tag] })
    await news.writes(phone, 'where is it?')
    const read = async () => {
      const talk = await onlyConversation(world, { channelId: news.shop.channelId })
      const { waitingSince, needsStaff, handledBy, lastSender } = talk
      return { waitingSince, needsStaff, handledBy, lastSender }
    }
    const before = await read()
    expect(before.waitingSince).not.toBeNull()
    await news.finish(await news.start(tag))
    expect(await read()).toEqual({ ...before, lastSender: 'broadcast' })
  })
})

systemTest(
  'recipients are deleted 91 days after the end, the counts stay, and the opt-out link still works',
  async () => {
    const { id: contactId } = await news.contact({ tags: [tag] })
    const values = ['{{contact.name}}', '{{opt_out_link}}']
    const body = values.map((text, nth) => ({ name: `${nth + 1}`, text }))
    const id = await news.start(tag, { template: { name: 'offer', body } })
    await news.finish(id)
    const link = news.sent()[0]!.text.split('see ')[1]!
    world.clock.advance(10_000)
    await whatsApp.settle()
    world.clock.advance(91 * DAY_MS)
    await whatsApp.settle()
    await world.service.sweep()
    // The session of the beginning has expired by now.
    news = { ...news, owner: await signedIn(world, { accountId: news.shop.accountId }) }
    const path = `${news.at}/broadcasts/${id}`
    const shown = { state: 'done', total: 1, counts: { delivered: 1 } }
    expect((await news.owner.ask('GET', path)).body).toMatchObject(shown)
    const left = await itemsOf<object>(news.owner, `${path}/recipients`)
    expect(left).toEqual([])
    expect((await getPage(link)).text).toContain('<form')
    expect((await getPage(link, { form: '' })).status).toBe(303)
    const contact = `${news.at}/contacts/${contactId}`
    expect((await news.owner.ask('GET', contact)).body).toMatchObject({ optedOut: true })
    const log = await news.owner.ask<{ items: object[] }>('GET', `${contact}/opt-outs`)
    expect(log.body.items).toMatchObject([{ optedOut: true, how: 'link' }])
  },
)

systemTest(
  'Owners who watch a broadcast see it change; Agents and other companies do not',
  async () => {
    const { context } = world.service
    const other = await openBroadcasts(world, whatsApp)
    const live = createLiveChanges(context, {
      broadcast: liveBroadcast({ clock: context.clock, formatFact: formatterFor('en') }),
    })
    const watch = (shop: Shop, role?: Role) => followLive<BroadcastView>(live, shop, role)
    const owner = await watch(news.shop)
    const others = [await watch(news.shop, 'agent'), await watch(other.shop)]
    const id = await news.startTo(2)
    await lookUntil('the draft is told', live, () => owner.changed().length > 0)
    await news.finish(id)
    await lookUntil('the end is told', live, () =>
      owner.changed().some(({ state }) => state === 'done'),
    )
    for (const { stop } of [owner, ...others]) stop()
    expect(owner.changed().every((view) => view.id === id && view.name === 'News')).toBe(true)
    expect(owner.changed().at(-1)).toMatchObject({ state: 'done', total: 2 })
    expect(others.map(({ changed }) => changed())).toEqual([[], []])
  },
)

systemTest('a pressed button of the template starts the flow with that trigger', async () => {
  const { phone } = await news.contact({ tags: [tag] })
  const flows = `${news.at}/flows`
  const made = await news.owner.ask<FlowDetail>('POST', flows, { name: 'More' })
  const draft = {
    channelId: news.shop.channelId,
    trigger: { kind: 'template_button', template: 'sale', button: 'Tell me more' },
    start: 'hello',
    steps: { hello: { kind: 'send_message', text: 'Half the price until Friday', next: null } },
  }
  await news.owner.ask('PUT', `${flows}/${made.body.id}/draft`, draft)
  const published = await news.owner.ask('POST', `${flows}/${made.body.id}/publish`)
  expect(published.status).toBe(200)
  await news.finish(await news.start(tag, { template: { name: 'sale', language: 'en' } }))
  world.clock.advance(1_000)
  whatsApp.simulator.tapButton({ from: phone!, buttonIndex: 1 })
  await whatsApp.settle()
  const runs = await runsOf(world, { companyId: news.shop.companyId })
  expect(runs).toMatchObject([
    { flowId: made.body.id, triggerKind: 'template_button', status: 'completed' },
  ])
  expect(news.sent().at(-1)).toEqual({ to: phone, text: 'Half the price until Friday' })
})
