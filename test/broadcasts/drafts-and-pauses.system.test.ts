/** Drafts of broadcasts, the reasons that pause them, and the rules for MARKETING templates. */
import { beforeEach, describe, expect, test } from 'vitest'
import { readOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { unpublishFlow } from '../support/records/flows.ts'
import { setCoexistence, setConnected } from '../support/records/channels.ts'
import { putTemplates } from '../support/records/templates.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, pausedBy, type Broadcasts } from '../support/broadcasts.ts'
import { auditOf, refusalsOf, signedIn } from '../support/dashboard.ts'

let news: Broadcasts
let tag: string
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  // A new shop keeps what another test has sent or broken apart.
  news = await openBroadcasts(world, whatsApp)
  tag = 'vip'
})

const OFFER = {
  name: 'offer',
  body: [
    { name: '1', text: '{{contact.name}}' },
    { name: '2', text: '{{ opt_out_link }}' },
  ],
}
const SALE = { name: 'sale' }

/** Returns the entries of the audit, newest first. */
const audited = () => auditOf(news.owner, news.shop)

describe('Pausing', () => {
  test('takes back the sends that have not begun, and a resume sends to each recipient once', async () => {
    const id = await news.startTo(30, { perSecond: 20 })
    await news.enqueue()
    expect((await news.recipients(id, 'state=queued')).length).toBe(10)
    expect((await news.does(id, 'pause')).body).toMatchObject({ state: 'paused', reason: null })
    await news.pass(2)
    expect(news.sent()).toEqual([])
    expect((await news.recipients(id, 'state=pending')).length).toBe(30)
    await news.does(id, 'resume')
    await news.finish(id)
    expect(new Set(news.reached()).size).toBe(30)
    expect(news.sent()).toHaveLength(30)
    expect(await news.show(id)).toMatchObject({ state: 'done', total: 30 })
  })

  test('happens when the template is no longer approved, and a resume is refused until it is', async () => {
    const id = await news.beginTo(12)
    const notice = { name: 'notice', language: 'en' }
    const { businessAccountId } = news.shop
    const status = (word: string) =>
      whatsApp.simulator.changeTemplate({ businessAccountId, ...notice, status: word })
    status('PAUSED')
    // The status must reach the service before the next sends are due.
    await whatsApp.settle()
    expect(await news.finish(id)).toMatchObject(pausedBy('template_not_approved'))
    const sent = news.sent().length
    expect(sent).toBeLessThan(12)
    const refused = await news.does(id, 'resume')
    const expected = [422, ['template: template_not_approved']]
    expect([refused.status, refusalsOf(refused)]).toEqual(expected)
    status('APPROVED')
    await whatsApp.settle()
    await news.does(id, 'resume')
    expect((await news.finish(id)).state).toBe('done')
    expect(news.sent()).toHaveLength(12)
  })

  test('happens when the channel is disconnected, and when the provider demands payment', async () => {
    const id = await news.beginTo(12)
    const connect = (isConnected: boolean) => setConnected(world, news.shop, isConnected)
    await connect(false)
    expect(await news.finish(id)).toMatchObject(pausedBy('channel_disconnected'))
    await connect(true)
    await news.does(id, 'resume')
    await news.finish(id)
    expect(news.sent()).toHaveLength(12)
    await news.contact({ phone: '+966551131042', tags: ['poor'] })
    await news.contacts(12, 'poor')
    const poor = await news.start('poor', { perSecond: 2 })
    expect(await news.finish(poor)).toMatchObject(pausedBy('broadcast_refused'))
    expect(news.sent().length).toBeLessThan(20)
  })

  test('happens after 50 failures in a row, and not again for those after a resume', async () => {
    const nobody = Array.from({ length: 60 }, (_, nth) => `+9665${10 + nth}131030`)
    const id = await news.startTo(nobody, { perSecond: 50 })
    expect(await news.finish(id)).toMatchObject(pausedBy('broadcast_failing', { max: 50 }))
    await news.does(id, 'resume')
    expect((await news.finish(id)).state).toBe('done')
    expect((await news.recipients(id, 'state=failed')).length).toBe(60)
  })

  test('is not needed to change the rate: a resume while sending sets it or is refused with the reason', async () => {
    const id = await news.beginTo(40, { perSecond: 2 })
    const faster = { state: 'sending', perSecond: 20 }
    expect((await news.does(id, 'resume', { perSecond: 20 })).body).toMatchObject(faster)
    const before = news.sent().length
    await news.pass(1.5)
    expect(news.sent().length - before).toBeGreaterThanOrEqual(15)
    await setCoexistence(world, news.shop, true)
    const refused = await news.does(id, 'resume', { perSecond: 16 })
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { errors: [{ field: 'perSecond', code: 'broadcast_pace_too_high', params: { max: 15 } }] },
    ])
    expect(await news.show(id)).toMatchObject(faster)
    const expected = { action: 'broadcast.resumed', detail: { perSecond: 20 } }
    expect((await audited())[0]).toMatchObject(expected)
  })

  test('happens when the template gets another category, until a member resumes', async () => {
    const id = await news.beginTo(12, { template: SALE, perSecond: 4 })
    const { channelId } = news.shop
    const sale = { channelId, name: 'sale', language: 'en' }
    await putTemplates(world, sale, { category: 'UTILITY' })
    const changed = { template: 'sale', language: 'en', was: 'MARKETING', is: 'UTILITY' }
    expect(await news.finish(id)).toMatchObject(pausedBy('template_recategorised', changed))
    expect(news.sent().length).toBeLessThan(12)
    await news.does(id, 'resume')
    expect(await news.finish(id)).toMatchObject({ state: 'done' })
    expect(news.sent()).toHaveLength(12)
  })

  test('happens when the template becomes MARKETING without an opt-out', async () => {
    const id = await news.beginTo(12)
    const { channelId } = news.shop
    await putTemplates(world, { channelId, name: 'notice' }, { category: 'MARKETING' })
    expect(await news.finish(id)).toMatchObject(pausedBy('opt_out_needed'))
    expect(news.sent().length).toBeLessThan(12)
    expect(refusalsOf(await news.does(id, 'resume'))).toEqual(['template: opt_out_needed'])
  })

  test('happens when a send finds the channel off, and queued recipients wait instead of failing', async () => {
    const id = await news.startTo(30, { perSecond: 20 })
    await news.enqueue()
    expect((await news.recipients(id, 'state=queued')).length).toBe(10)
    const channel = `${news.at}/channels/${news.shop.channelId}`
    expect((await news.owner.ask('POST', `${channel}/disconnect`)).status).toBe(200)
    await whatsApp.settle()
    const paused = { ...pausedBy('channel_disconnected'), counts: { pending: 30 } }
    expect(await news.show(id)).toMatchObject(paused)
    expect(await news.recipients(id, 'state=failed')).toEqual([])
    expect((await news.recipients(id, 'state=pending')).length).toBe(30)
    expect((await news.owner.ask('POST', `${channel}/connect`)).status).toBe(200)
    expect(await news.does(id, 'resume')).toMatchObject({ status: 200 })
    expect(await news.finish(id)).toMatchObject({ state: 'done', total: 30 })
    expect(news.sent()).toHaveLength(30)
    expect(new Set(news.reached()).size).toBe(30)
  })

  test('happens when the channel is deleted, with that reason', async () => {
    const id = await news.beginTo(12)
    // The flow would keep the channel from being deleted.
    await unpublishFlow(world, news.shop)
    const channel = `${news.at}/channels/${news.shop.channelId}`
    expect((await news.owner.ask('DELETE', channel)).status).toBe(204)
    expect(await news.finish(id)).toMatchObject(pausedBy('not_sent_channel_gone'))
  })

  test('ends with a cancellation, after which the rest of the recipients get nothing', async () => {
    const id = await news.beginTo(12)
    const sent = news.sent().length
    expect((await news.does(id, 'cancel')).body).toMatchObject({ state: 'cancelled' })
    await news.pass(3)
    expect(news.sent()).toHaveLength(sent)
    expect((await news.recipients(id, 'state=pending')).length).toBe(12 - sent)
    expect((await news.does(id, 'resume')).status).toBe(409)
  })
})

describe('MARKETING', () => {
  test('needs the opt-out link or a stop button, and pressing the link opts the customer out', async () => {
    const { id: contactId, phone } = await news.contact({ tags: [tag] })
    const [first] = OFFER.body
    const body = [first, { name: '2', text: 'our shop' }]
    const bare = await news.draft(tag, { template: { ...OFFER, body } })
    const refused = await news.does(bare.id, 'start')
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['template: opt_out_needed']])
    const third = { name: '3', text: '{{opt_out_link}}' }
    const nowhere = await news.draft(tag, { template: { ...OFFER, body: [...body, third] } })
    expect(refusalsOf(await news.does(nowhere.id, 'start'))).toEqual(['template: opt_out_needed'])
    await news.finish(await news.start(tag, { template: SALE }))
    await news.finish(await news.start(tag, { template: OFFER }))
    const [, { text } = { text: '' }] = news.sent()
    const link = new RegExp(`^Hello Sara, see ${world.url}/o/([A-Za-z0-9_-]{61})$`).exec(text)
    expect(readOptOutToken(world.service.keyRing, link![1]!)).toMatchObject({ contactId })
    await news.finish(await news.start(tag, { template: SALE }))
    whatsApp.simulator.tapButton({ from: phone!, buttonIndex: 0 })
    await whatsApp.settle()
    const contact = await news.owner.ask('GET', `${news.at}/contacts/${contactId}`)
    expect(contact.body).toMatchObject({ optedOut: true })
  })

  test('is barred on a number where the customer stopped marketing at the provider, and nothing else is', async () => {
    const { id: contactId } = await news.contact({ phone: '+966552131050', tags: [tag] })
    const first = await news.start(tag, { template: SALE })
    await news.finish(first)
    await news.pass(1)
    expect(await news.recipients(first)).toMatchObject([{ state: 'failed', errorCode: '131050' }])
    const second = await news.start(tag, { template: SALE })
    await news.finish(second)
    expect(await news.recipients(second)).toMatchObject([{ skipReason: 'marketing_stopped' }])
    const contact = await news.owner.ask('GET', `${news.at}/contacts/${contactId}`)
    expect(contact.body).toMatchObject({ optedOut: false })
    const notice = await news.start(tag)
    await news.finish(notice)
    expect(await news.recipients(notice)).toMatchObject([{ errorCode: '131050', skipReason: null }])
  })
})

describe('Drafts', () => {
  test("are checked: errors by field, number of recipients, duration, and the first recipient's text", async () => {
    await news.contact({ name: 'Omar', tags: [tag] })
    await news.contact({ tags: [tag] })
    const { id } = await news.draft(tag, { perSecond: 2 })
    expect(await news.check(id)).toMatchObject({
      problems: [],
      contacts: 2,
      lengthMs: 1_000,
      sample: { text: 'Dear Omar, we move.' },
    })
    const template = {
      name: 'notice',
      body: [{ name: '1', text: '{{name}} {{contact.fields.size}}' }],
      urlSuffixes: [{ index: 0, text: '{{opt_out_link}}' }],
    }
    const audience = { kind: 'segment', segmentId: '01890000-0000-7000-8000-000000000000' }
    const path = `${news.at}/broadcasts/${id}`
    await news.owner.ask('PATCH', path, { template, audience })
    const { problems } = await news.check(id)
    expect(problems.map(({ field, code }) => [field, code])).toEqual([
      ['template.body[0].text', 'broadcast_placeholder_unknown'],
      ['template.body[0].text', 'broadcast_placeholder_unknown'],
      ['template.urlSuffixes[0].text', 'opt_out_link_in_ending'],
      ['audience', 'no_such_segment'],
    ])
    await news.owner.ask('PATCH', path, { template: { name: 'nothing' } })
    expect((await news.check(id)).problems.map(({ code }) => code)).toContain('template_missing')
    expect((await news.owner.ask('DELETE', path)).status).toBe(204)
    expect((await news.owner.ask('GET', path)).status).toBe(404)
  })

  test('send a test to one contact by the same rules, outside of all counts', async () => {
    const { id: contactId, phone } = await news.contact({ name: 'Omar' })
    const { id } = await news.draft(tag)
    expect((await news.does(id, 'test', { contactId })).status).toBe(202)
    await whatsApp.settle()
    expect(news.sent()).toEqual([{ to: phone, text: 'Dear Omar, we move.' }])
    expect(await news.show(id)).toMatchObject({ state: 'draft', total: 0, counts: {} })
    await news.owner.ask('POST', `${news.at}/contacts/${contactId}/opt-out`)
    const refused = await news.does(id, 'test', { contactId })
    expect(refused.body).toMatchObject({
      errors: [{ field: 'contactId', code: 'recipient_skipped', params: { reason: 'opted_out' } }],
    })
  })

  test('send a test once per key, also for concurrent requests', async () => {
    const { id: contactId, phone } = await news.contact({ name: 'Lina' })
    const { id } = await news.draft(tag)
    const asks = ['k1', 'k1', 'k1', 'k2'].map((key) => news.does(id, 'test', { contactId, key }))
    expect((await Promise.all(asks)).map(({ status }) => status)).toEqual([202, 202, 202, 202])
    await whatsApp.settle()
    expect((await news.does(id, 'test', { contactId, key: 'k1' })).status).toBe(202)
    await whatsApp.settle()
    expect(news.sent().filter(({ to }) => to === phone)).toHaveLength(2)
  })

  test('belong to Owners and Admins, cannot change once started, and every step is audited', async () => {
    await news.contact({ tags: [tag] })
    const agent = await signedIn(world, { accountId: news.shop.accountId, role: 'agent' })
    const { id } = await news.draft(tag)
    const path = `${news.at}/broadcasts/${id}`
    const statuses = []
    for (const [method, end] of [
      ['GET', ''],
      ['POST', '/start'],
      ['DELETE', ''],
    ] as const) {
      const json = method === 'POST' ? {} : undefined
      statuses.push((await agent.ask(method, `${path}${end}`, json)).status)
    }
    expect(statuses).toEqual([403, 403, 403])
    await news.does(id, 'start')
    const late = await news.owner.ask('PATCH', path, { name: 'Other' })
    expect([late.status, late.body.code]).toEqual([409, 'conflict'])
    expect((await news.owner.ask('DELETE', path)).status).toBe(409)
    await news.does(id, 'pause')
    await news.does(id, 'cancel')
    const actions = (await audited()).slice(0, 3).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['broadcast.cancelled', 'broadcast.started']))
    const past = await news.draft(tag)
    const sendAt = new Date(world.clock.now().getTime() - DAY_MS).toISOString()
    expect(refusalsOf(await news.does(past.id, 'start', { sendAt }))).toEqual([
      'sendAt: send_at_passed',
    ])
  })
})
