/** A broadcast from its draft to its end: who is written to, who is not, and what is told of it. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { describeContact } from '../support/records/contacts.ts'
import { addAlias, learnAliasesFrom } from '../support/records/aliases.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { setCoexistence } from '../support/records/channels.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { signedIn } from '../support/dashboard.ts'
import { askPage } from '../support/pages.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

let news: Broadcasts
let tag: string
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  // A shop of its own: what another test has sent or broken is none of this one's.
  news = await openBroadcasts(world, whatsApp)
  tag = 'vip'
})

const raised = async (type: string) =>
  (await eventTypesOf(world, { companyId: news.shop.companyId }, type)).length
describe('Sending', () => {
  systemTest(
    'a segment of 10 gets 10 templates; nothing is received or started by it, and the first reply starts the conversation',
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
      // Those that are under way at once may overtake each other.
      expect(news.sent().toSorted((a, b) => (a.to < b.to ? -1 : 1))).toEqual(
        contacts.map(({ phone, name }) => ({ to: phone, text: `Dear ${name}, we move.` })),
      )
      world.clock.advance(10_000)
      await whatsApp.settle()
      expect((await news.show(id)).counts).toEqual({ delivered: 10 })
      expect([await raised('message.received'), await raised('conversation.started')]).toEqual([
        0, 0,
      ])
      expect(await raised('contact.updated')).toBe(0)
      const { phone } = contacts[3]!
      const { phoneNumberId } = news.shop
      whatsApp.simulator.sendText({ from: phone!, phoneNumberId, text: 'how much?' })
      await whatsApp.settle()
      expect([await raised('message.received'), await raised('conversation.started')]).toEqual([
        1, 1,
      ])
      const all = await news.recipients(id)
      expect(all.map(({ phone: to, state }) => ({ to, state }))).toEqual(
        contacts.map((contact) => ({ to: contact.phone, state: 'delivered' })),
      )
    },
  )

  systemTest('goes at its pace, and faster or slower once it is let go on so', async () => {
    await news.contacts(40, tag)
    const id = await news.start(tag, { perSecond: 10 })
    await whatsApp.settle()
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
    expect(new Set(news.sent().map(({ to }) => to)).size).toBe(40)
    expect(news.sent()).toHaveLength(40)
  })

  systemTest('broadcasts of one number share its pace', async () => {
    await news.contacts(40, tag)
    await news.start(tag, { perSecond: 10 })
    await news.start(tag, { perSecond: 10 })
    await whatsApp.settle()
    const before = news.sent().length
    await news.pass(2)
    expect(news.sent().length - before).toBeGreaterThanOrEqual(18)
    expect(news.sent().length - before).toBeLessThanOrEqual(24)
  })

  test('goes at 15 a second at most once the number is used in the provider’s app too', async () => {
    await news.contacts(100, tag)
    await news.start(tag, { perSecond: 50 })
    await setCoexistence(world, news.shop, true)
    await whatsApp.settle()
    const before = news.sent().length
    await news.pass(2)
    expect(news.sent().length - before).toBeGreaterThanOrEqual(28)
    expect(news.sent().length - before).toBeLessThanOrEqual(38)
  })

  test('nobody who has opted out, has no number, or is a second contact of a number is written to', async () => {
    const phone = newPhone()
    const one = await news.contact({ phone, tags: [tag] })
    const out = await news.contact({ tags: [tag] })
    await news.owner.ask('POST', `${news.at}/contacts/${out.id}/opt-out`)
    await news.contact({ phone: null, email: 'a@x.example', tags: [tag] })
    const twin = await news.contact({ tags: [tag] })
    await describeContact(world, twin.id, { phone })
    await news.contact({ name: null, tags: [tag] })
    const id = await news.start(tag)
    await news.finish(id)
    expect(news.sent().map(({ to }) => to)).toEqual([one.phone])
    const skipped = await news.recipients(id, 'state=skipped')
    expect(skipped.map(({ skipReason }) => skipReason)).toEqual([
      'opted_out',
      'no_number',
      'same_number',
      'value_missing',
    ])
    expect(skipped[3]!.detail).toMatchObject({
      code: 'placeholder_empty',
      params: { placeholder: 'contact.name' },
    })
    expect((await news.show(id)).counts).toMatchObject({ skipped: 4 })
  })

  test('a number of somebody who has opted out gets nothing, whichever contact has it now', async () => {
    const [twin, heir] = [await news.contact({ tags: [tag] }), await news.contact({ tags: [tag] })]
    const [out, before] = [await news.contact(), await news.contact()]
    for (const { id } of [out, before])
      await news.owner.ask('POST', `${news.at}/contacts/${id}/opt-out`)
    // One has the same number; of the other it was the number, and still leads to them.
    await describeContact(world, out.id, { phone: twin.phone })
    const alias = { kind: 'number', value: heir.phone!.slice(1), contactId: before.id }
    await addAlias(world, news.shop, alias)
    await learnAliasesFrom(world, before.id, 'person')
    const id = await news.start(tag)
    await news.handOver()
    expect(await news.recipients(id)).toMatchObject([
      { state: 'skipped', skipReason: 'opted_out' },
      { state: 'skipped', skipReason: 'opted_out' },
    ])
    await news.finish(id)
    expect(news.sent()).toEqual([])
  })

  test('a STOP before the send is begun skips the recipient, however late it comes', async () => {
    await news.contacts(4, tag)
    const id = await news.start(tag, { perSecond: 1 })
    await whatsApp.settle()
    const { phone: last } = (await news.recipients(id)).at(-1)!
    whatsApp.simulator.sendText({
      from: last!,
      phoneNumberId: news.shop.phoneNumberId,
      text: 'STOP',
    })
    await whatsApp.settle()
    await news.finish(id)
    expect(news.sent().map(({ to }) => to)).not.toContain(last)
    expect(await news.recipients(id, 'state=skipped')).toMatchObject([
      { phone: last, skipReason: 'opted_out' },
    ])
  })

  systemTest('one who opts out between the hand-over and the send is skipped too', async () => {
    const { id: contactId } = await news.contact({ tags: [tag] })
    const id = await news.start(tag)
    await news.handOver()
    expect(await news.recipients(id)).toMatchObject([{ state: 'queued' }])
    await news.owner.ask('POST', `${news.at}/contacts/${contactId}/opt-out`)
    await news.finish(id)
    expect(news.sent()).toEqual([])
    expect(await news.recipients(id)).toMatchObject([{ state: 'skipped', skipReason: 'opted_out' }])
    expect((await news.show(id)).counts).toEqual({ skipped: 1 })
  })

  systemTest(
    'a tag given after the start lets nobody in; one taken before the turn lets nobody out',
    async () => {
      const contacts = []
      for (let nth = 0; nth < 3; nth += 1) contacts.push(await news.contact({ tags: [tag] }))
      const late = await news.contact()
      const id = await news.start(tag, { perSecond: 1 })
      await whatsApp.settle()
      const path = `${news.at}/contacts`
      await news.owner.ask('PATCH', `${path}/${late.id}`, { addTags: [tag] })
      await news.owner.ask('PATCH', `${path}/${contacts[2]!.id}`, { removeTags: [tag] })
      expect((await news.finish(id)).total).toBe(3)
      expect(
        news
          .sent()
          .map(({ to }) => to)
          .toSorted(),
      ).toEqual(contacts.map(({ phone }) => phone))
    },
  )

  systemTest(
    '3 of 10 refused: 7 sent, 3 with the code, done; sent again as a new one to those alone',
    async () => {
      await news.contacts(7, tag)
      await news.contacts(['+966550131030', '+966551131030', '+966552131030'], tag)
      const id = await news.start(tag)
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

  test('a message whose answer is lost is unknown and never sent again', async () => {
    await news.contacts(['+966551000000'], tag)
    const id = await news.start(tag)
    const done = await news.finish(id)
    expect([done.state, news.sent().length]).toEqual(['done', 1])
    expect(done.counts).not.toHaveProperty('pending')
    expect((await news.does(id, 'send-failed-again')).status).toBe(409)
  })

  test('starts at its time and not before', async () => {
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

  test('does not answer a customer who waits for staff', async () => {
    const { phone } = await news.contact({ tags: [tag] })
    const { phoneNumberId } = news.shop
    whatsApp.simulator.sendText({ from: phone!, phoneNumberId, text: 'where is it?' })
    await whatsApp.settle()
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

  test('does not answer whose answer by a member is taken back after it', async () => {
    const { phone } = await news.contact({ tags: [tag] })
    const { phoneNumberId } = news.shop
    whatsApp.simulator.sendText({ from: phone!, phoneNumberId, text: 'where is it?' })
    await whatsApp.settle()
    const read = async () => {
      const { id, waitingSince } = await onlyConversation(world, {
        channelId: news.shop.channelId,
      })
      return { id, waitingSince }
    }
    const before = await read()
    await news.finish(await news.start(tag))
    const at = `${news.at}/conversations/${before.id}/messages`
    const said = { key: 'k', text: 'wrong customer' }
    const { body } = await news.owner.ask<SentReply>('POST', at, said)
    expect(await read()).toEqual({ ...before, waitingSince: null })
    await news.owner.ask('DELETE', `${at}/${body.message.id}`)
    expect(await read()).toEqual(before)
  })
})

systemTest(
  '91 days after the end the recipients are gone; the counts stay and the link works on',
  async () => {
    const { id: contactId } = await news.contact({ tags: [tag] })
    const body = ['{{contact.name}}', '{{opt_out_link}}'].map((text, nth) => ({
      name: `${nth + 1}`,
      text,
    }))
    const id = await news.start(tag, { template: { name: 'offer', body } })
    await news.finish(id)
    const link = news.sent()[0]!.text.split('see ')[1]!
    world.clock.advance(10_000)
    await whatsApp.settle()
    world.clock.advance(91 * DAY_MS)
    await whatsApp.settle()
    await world.service.sweep()
    // A session of then is over.
    news = { ...news, owner: await signedIn(world, { accountId: news.shop.accountId }) }
    const path = `${news.at}/broadcasts/${id}`
    expect((await news.owner.ask('GET', path)).body).toMatchObject({
      state: 'done',
      total: 1,
      counts: { delivered: 1 },
    })
    const left = await news.owner.ask<Page<object>>('GET', `${path}/recipients`)
    expect(left.body.items).toEqual([])
    expect((await askPage(link)).text).toContain('<form')
    expect((await askPage(link, { form: '' })).status).toBe(303)
    const contact = `${news.at}/contacts/${contactId}`
    expect((await news.owner.ask('GET', contact)).body).toMatchObject({ optedOut: true })
    const log = await news.owner.ask<{ items: object[] }>('GET', `${contact}/opt-outs`)
    expect(log.body.items).toMatchObject([{ optedOut: true, how: 'link' }])
  },
)
