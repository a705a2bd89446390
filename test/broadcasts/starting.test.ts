/**
 * The conditions of a start, its time, and the language of each message.
 * Spec: Broadcasts › Drafts; Broadcasts › Sending.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { refusalsOf } from '../support/dashboard.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import { BROADCAST_LIMITS } from '../../src/core/limits/broadcasts.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import {
  deleteChannel,
  setChannelType,
  setCoexistence,
  setConnected,
} from '../support/records/channels.ts'
import { putTemplates } from '../support/records/templates.ts'
import { broadcastOf, repeatBroadcast } from '../support/records/broadcasts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { openBroadcasts, pausedBy, type Broadcasts } from '../support/broadcasts.ts'
import { systemTest } from '../support/system-tests.ts'

let news: Broadcasts
const tag = 'vip'
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  news = await openBroadcasts(world, whatsApp)
})

const SALE = { name: 'sale' }
const after = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString()
const ofSale = (language: string) => {
  const { channelId } = news.shop
  return { channelId, name: 'sale', language }
}
/** Returns the errors of a refused start, by field. */
async function whyNot(id: string): Promise<[string, string][]> {
  const { status, body } = await news.does(id, 'start')
  expect(status).toBe(422)
  const { errors } = body as unknown as { errors: { field: string; code: string }[] }
  return errors.map(({ field, code }) => [field, code])
}

describe('A start', () => {
  test('may be scheduled within a year', async () => {
    const { id } = await news.draft(tag)
    const tooFar = after(BROADCAST_LIMITS.aheadMs + SECOND_MS)
    const late = await news.does(id, 'start', { sendAt: tooFar })
    expect(late.body).toMatchObject({
      errors: [{ field: 'sendAt', code: 'send_at_too_far', params: { days: 366 } }],
    })
    const sendAt = after(BROADCAST_LIMITS.aheadMs)
    expect((await news.does(id, 'start', { sendAt })).body).toMatchObject({ state: 'scheduled' })
  })

  test('is refused on a disconnected channel, one without templates, or at too high a rate for coexistence', async () => {
    const { id } = await news.draft(tag, { perSecond: 16 })
    await setConnected(world, news.shop, false)
    expect(await whyNot(id)).toEqual([['channelId', 'channel_disconnected']])
    await setConnected(world, news.shop, true)
    await setChannelType(world, news.shop, 'telegram')
    expect(await whyNot(id)).toEqual([['channelId', 'channel_sends_nothing']])
    await setChannelType(world, news.shop, 'whatsapp')
    await setCoexistence(world, news.shop, true)
    expect(await whyNot(id)).toEqual([['perSecond', 'broadcast_pace_too_high']])
    await news.owner.ask('PATCH', `${news.at}/broadcasts/${id}`, { perSecond: 15 })
    expect((await news.does(id, 'start')).status).toBe(200)
  })

  test('with a MARKETING template needs an opt-out in every language that may be sent', async () => {
    const components = JSON.stringify([{ type: 'BODY', text: 'تخفيضات' }])
    await putTemplates(world, ofSale('ar'), { components })
    const { id } = await news.draft(tag, { template: SALE })
    expect(await whyNot(id)).toEqual([['template', 'opt_out_needed']])
    const one = await news.draft(tag, { template: { ...SALE, language: 'en' } })
    expect((await news.does(one.id, 'start')).status).toBe(200)
  })

  test('in a chosen language is refused when that one is not approved', async () => {
    await putTemplates(world, ofSale('en'), { status: 'PAUSED' })
    const { id } = await news.draft(tag, { template: { ...SALE, language: 'en' } })
    expect(await whyNot(id)).toEqual([['template', 'template_not_approved']])
    const any = await news.draft(tag, { template: SALE })
    expect((await news.does(any.id, 'start')).status).toBe(200)
  })

  systemTest('refused for its template also refuses a test', async () => {
    const { id: contactId } = await news.contact()
    const values = ['{{contact.name}}', 'our shop']
    const body = values.map((text, nth) => ({ name: `${nth + 1}`, text }))
    const audience = { kind: 'segment', segmentId: world.service.context.ids.uuid() }
    const { id } = await news.draft(tag, { template: { name: 'offer', body }, audience })
    const refused = await news.does(id, 'test', { contactId })
    expect([refused.status, refusalsOf(refused)]).toEqual([422, ['template: opt_out_needed']])
    const template = { name: 'notice', body: [body[0]] }
    await news.owner.ask('PATCH', `${news.at}/broadcasts/${id}`, { template })
    // A test send goes to any contact, whatever the audience is.
    expect((await news.does(id, 'test', { contactId })).status).toBe(202)
    await whatsApp.settle()
    expect(news.sent()).toHaveLength(1)
  })
})

describe('Each contact', () => {
  systemTest(
    'gets their language if the template has it, else the first approved one',
    async () => {
      const languages = ['ar', 'en', null]
      const contacts = []
      for (const language of languages) contacts.push(await news.contact({ language, tags: [tag] }))
      await news.finish(await news.start(tag, { template: SALE }))
      const texts = new Map(news.sent().map(({ to, text }) => [to, text]))
      const got = contacts.map(({ phone }) => texts.get(phone!))
      expect(got).toEqual(['تخفيضات', 'Sale!', 'تخفيضات'])
    },
  )

  test('gets the chosen language, whatever their own is', async () => {
    await news.contact({ language: 'ar', tags: [tag] })
    await news.finish(await news.start(tag, { template: { ...SALE, language: 'en' } }))
    expect(news.sent().map(({ text }) => text)).toEqual(['Sale!'])
  })
})

test('A check counts the recipients, and those left out by reason, as the sending then does', async () => {
  const optedOut = await Promise.all([1, 2].map(() => news.contact({ tags: [tag] })))
  for (const { id } of optedOut) await news.owner.ask('POST', `${news.at}/contacts/${id}/opt-out`)
  for (const email of ['a@x.example', 'b@x.example', 'c@x.example']) {
    await news.contact({ name: 'Unknown', phone: null, email, tags: [tag] })
  }
  await news.contact({ name: null, tags: [tag] })
  await news.contact({ name: 'Omar', email: 'omar@x.example', tags: [tag] })
  const { phone } = await news.contact({ name: 'Lina', email: 'lina@x.example', tags: [tag] })
  await news.contact({ name: 'Not asked' })
  const body = [{ name: '1', text: '{{contact.name}} <{{contact.email}}>' }]
  const template = { name: 'notice', body }
  const { id } = await news.draft(tag, { template })
  const leftOut = [
    { reason: 'opted_out', count: 2 },
    { reason: 'no_number', count: 3 },
    { reason: 'value_missing', count: 1 },
  ]
  expect(await news.check(id)).toMatchObject({ contacts: 8, receivers: 2, leftOut, problems: [] })
  await news.does(id, 'start')
  const done = await news.finish(id)
  expect(news.reached()).toHaveLength(2)
  expect(news.reached()).toContain(phone)
  expect(done).toMatchObject({ total: 8, leftOut, counts: { skipped: 6 } })
  const skipped = await news.recipients(id, 'state=skipped')
  const detail = { code: 'placeholder_empty', params: { placeholder: 'contact.name' } }
  expect(skipped.filter((one) => one.detail)).toMatchObject([
    { skipReason: 'value_missing', detail },
  ])
})

test('A check shows the text of the first contact who would get the message', async () => {
  const out = await news.contact({ name: 'Out', tags: [tag] })
  await news.owner.ask('POST', `${news.at}/contacts/${out.id}/opt-out`)
  await news.contact({ name: 'Unknown', phone: null, email: 'a@x.example', tags: [tag] })
  const { id: contactId } = await news.contact({ name: 'Omar', tags: [tag] })
  const { id } = await news.draft(tag)
  const expected = { contacts: 3, sample: { contactId, text: 'Dear Omar, we move.' } }
  expect(await news.check(id)).toMatchObject(expected)
})

describe('A draft', () => {
  test('is created only on an existing channel of the company', async () => {
    const { channelId } = (await openBroadcasts(world, whatsApp)).shop
    const draft = await news.draft(tag)
    const { name, template, audience } = draft
    const make = (input: object) =>
      news.owner.ask('POST', `${news.at}/broadcasts`, { name, template, audience, ...input })
    const unknown = { errors: [{ field: 'channelId', code: 'unknown_channel' }] }
    expect((await make({ channelId })).body).toMatchObject(unknown)
    const path = `${news.at}/broadcasts/${draft.id}`
    expect((await news.owner.ask('PATCH', path, { channelId })).body).toMatchObject(unknown)
    await deleteChannel(world, draft)
    expect((await make({ channelId: draft.channelId })).body).toMatchObject(unknown)
  })

  test('is one of at most 100 unfinished broadcasts', async () => {
    const { id } = await news.draft(tag)
    const over = { state: 'done', endedAt: world.clock.now() }
    await repeatBroadcast(world, id, 100, over)
    const { name, template, audience, channelId } = await broadcastOf(world, id)
    const asked = {
      name,
      channelId,
      template: JSON.parse(template) as object,
      audience: JSON.parse(audience) as object,
    }
    const made = await news.owner.ask<BroadcastView>('POST', `${news.at}/broadcasts`, asked)
    expect(made.body).toMatchObject({ code: 'limit_reached', params: { max: 100 } })
    await news.owner.ask('DELETE', `${news.at}/broadcasts/${id}`)
    expect((await news.owner.ask('POST', `${news.at}/broadcasts`, asked)).status).toBe(201)
  })
})

systemTest('A broadcast that is cancelled before its time sends nothing', async () => {
  await news.contact({ tags: [tag] })
  const { id } = await news.draft(tag)
  await news.does(id, 'start', { sendAt: after(MINUTE_MS) })
  expect((await news.does(id, 'cancel')).body).toMatchObject({ state: 'cancelled', total: 0 })
  world.clock.advance(MINUTE_MS)
  await news.pass(2)
  expect(news.sent()).toEqual([])
})

describe('A broadcast whose segment is deleted', () => {
  async function ofSegment() {
    const segment = { name: 'All of them', filter: { tags: [tag] } }
    const made = await news.owner.ask<{ id: string }>('POST', `${news.at}/segments`, segment)
    const { id } = await news.draft(tag, {
      audience: { kind: 'segment', segmentId: made.body.id },
      perSecond: 1,
    })
    const remove = () => news.owner.ask('DELETE', `${news.at}/segments/${made.body.id}`)
    return { id, remove }
  }

  test('before it starts pauses at its time with the reason, and cannot resume', async () => {
    await news.contact({ tags: [tag] })
    const { id, remove } = await ofSegment()
    await news.does(id, 'start', { sendAt: after(MINUTE_MS) })
    expect((await remove()).status).toBe(204)
    world.clock.advance(MINUTE_MS)
    expect(await news.finish(id)).toMatchObject(pausedBy('no_such_segment'))
    expect(refusalsOf(await news.does(id, 'resume'))).toEqual(['audience: no_such_segment'])
    expect(news.sent()).toEqual([])
  })

  systemTest('after its recipients are listed resumes after a pause', async () => {
    await news.contacts(3, tag)
    const { id, remove } = await ofSegment()
    await news.does(id, 'start')
    await whatsApp.settle()
    await news.does(id, 'pause')
    await remove()
    expect((await news.does(id, 'resume')).status).toBe(200)
    expect(await news.finish(id)).toMatchObject({ state: 'done', total: 3 })
    expect(news.sent()).toHaveLength(3)
  })
})
