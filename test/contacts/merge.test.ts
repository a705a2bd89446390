/** Members merge two contacts, which nothing else does. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView, TimelineEntry } from '../../src/contract/dashboard/contact.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import { DAY_MS, HOUR_MS } from '../../src/core/limits/units.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { bookableShop } from '../support/bookable.ts'
import { signedIn, itemsOf, auditOf } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let one: ContactView
let other: ContactView
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`
beforeEach(async () => {
  world.clock.advance(HOUR_MS)
  one = await make({ phone: newPhone(), tags: ['a'], language: 'ar' })
  other = await make({ phone: newPhone(), name: 'Sara', email: 's@x.example', tags: ['A', 'b'] })
})

const make = async (input: object) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
const merge = (intoId: string, fromId: string) =>
  owner.ask<ContactView>('POST', `${at}/contacts/${intoId}/merge`, { fromId })
const writeFrom = async (phone: string, text = 'hello') => {
  await customerWrites(world, shop, { from: phone, text })
  await whatsApp.settle()
}
const show = (id: string) => owner.ask<ContactView>('GET', `${at}/contacts/${id}`)
const raised = (contactId: string) => eventTypesOf(world, { contactId })
const order = (phone: string) =>
  postHook(shop.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })

describe('Merging', () => {
  test('keeps the values of the surviving contact, fills its gaps, unites the tags and raises one event', async () => {
    const { id, phone, language } = one
    const filled = { id, phone, language, name: 'Sara', email: 's@x.example', tags: ['a', 'b'] }
    expect(await merge(one.id, other.id)).toMatchObject({ status: 200, body: filled })
    expect(await raised(one.id)).toEqual(['contact.created', 'contact.updated'])
    expect(await raised(other.id)).toEqual(['contact.created'])
    const audit = await auditOf(owner, shop)
    const expected = { action: 'contact.merged', subjectId: one.id, detail: { fromId: other.id } }
    expect(audit[0]).toMatchObject(expected)
  })

  systemTest(
    'moves leads along, and of two open leads keeps the qualified or newer one',
    async () => {
      const leads = `/companies/${shop.companyId}/leads`
      const ask = async (contactId: string) =>
        (await owner.ask<LeadView>('POST', leads, { contactId })).body
      const seen = async ({ id }: LeadView) =>
        (await owner.ask<LeadView>('GET', `${leads}/${id}`)).body
      const older = await ask(one.id)
      world.clock.advance(1)
      const newer = await ask(other.id)
      await merge(one.id, other.id)
      const lost = { status: 'lost', lostHow: 'merge', lostReason: null, contact: { id: one.id } }
      expect(await seen(older)).toMatchObject(lost)
      expect(await seen(newer)).toMatchObject({ status: 'open', contact: { id: one.id } })
      expect((await ask(other.id)).id).toBe(newer.id)

      await owner.ask('POST', `${leads}/${newer.id}/qualify`)
      world.clock.advance(1)
      const third = await make({ name: 'Third' })
      const newest = await ask(third.id)
      await merge(third.id, one.id)
      expect(await seen(newer)).toMatchObject({ status: 'qualified', contact: { id: third.id } })
      expect((await seen(newest)).lostHow).toBe('merge')
      expect((await raised(one.id)).filter((type) => type === 'lead.qualified')).toHaveLength(1)
    },
  )

  test('fills also a field whose key is a property of every JavaScript object', async () => {
    const field = { key: 'constructor', label: 'Who built it', kind: 'text' }
    await owner.ask('POST', `${at}/contact-fields`, field)
    const built = await make({ name: 'Built', fields: { constructor: 'Ali' } })
    expect((await merge(one.id, built.id)).body.fields).toEqual({ constructor: 'Ali' })
  })

  test('makes the id of the merged contact refer to the surviving contact for good', async () => {
    const third = await make({ name: 'Third' })
    await merge(one.id, other.id)
    await merge(third.id, one.id)
    expect((await show(other.id)).body.id).toBe(third.id)
    const path = `${at}/contacts/${other.id}`
    const edited = await owner.ask<ContactView>('PATCH', path, { name: 'Named' })
    expect(edited.body).toMatchObject({ id: third.id, name: 'Named' })
  })

  systemTest(
    'finds leads and appointments of the surviving contact by the merged id too',
    async () => {
      const made = await owner.ask<LeadView>('POST', `${at}/leads`, { contactId: other.id })
      await merge(one.id, other.id)
      for (const id of [one.id, other.id]) {
        const leads = await itemsOf<LeadView>(owner, `${at}/leads?contactId=${id}`)
        expect(leads.map((lead) => lead.id)).toEqual([made.body.id])
        const timeline = await itemsOf<TimelineEntry>(owner, `${at}/contacts/${id}/timeline`)
        expect(timeline.filter(({ kind }) => kind === 'lead_made')).toMatchObject([
          { id: made.body.id, status: 'open', source: 'member' },
        ])
      }
      const bookable = await bookableShop(world, shop.companyId)
      const serviceId = await bookable.service([{ id: await bookable.resource() }])
      const startsAt = new Date(world.clock.now().getTime() + DAY_MS)
      startsAt.setUTCHours(7, 0, 0, 0)
      const added = await owner.ask<{ id: string }>('POST', `${at}/appointments`, {
        key: 'merged-and-booked',
        serviceId,
        contactId: other.id,
        startsAt: startsAt.toISOString(),
      })
      expect(added.status).toBe(201)
      const from = world.clock.now().toISOString()
      const ofOther = `${at}/appointments?from=${from}&contactId=${other.id}`
      const list = await itemsOf<{ id: string }>(owner, ofOther)
      expect(list.map(({ id }) => id)).toEqual([added.body.id])
    },
  )

  test('lets a request that names the merged contact succeed for the surviving one', async () => {
    await merge(one.id, other.id)
    const body = ['1', '2'].map((name) => ({ name, text: 'A-1' }))
    const said = await owner.ask('POST', `${at}/conversations`, {
      contactId: other.id,
      channelId: shop.channelId,
      key: 'k',
      template: { name: 'order_ready', body },
    })
    expect(said).toMatchObject({ status: 201, body: { conversation: { contact: { id: one.id } } } })
    const asked = { contactId: other.id, variables: { order: 'A-1' } }
    const flow = `${at}/flows/${shop.flowId}`
    const { body: run } = await owner.ask<{ id: string }>('POST', `${flow}/test-runs`, asked)
    for (const { id } of [one, other]) {
      const runs = await itemsOf<{ id: string }>(owner, `${at}/runs?contactId=${id}`)
      expect(runs.map((found) => found.id)).toEqual([run.id])
    }
  })

  test('opts the surviving contact out if the other was, with one event, and hooks are refused', async () => {
    await owner.ask('POST', `${at}/contacts/${other.id}/opt-out`)
    await merge(one.id, other.id)
    expect((await raised(one.id)).slice(1)).toEqual(['contact.opted_out'])
    expect((await order(one.phone!)).status).toBe('opted_out')
    expect((await order(other.phone!)).status).toBe('opted_out')
    const path = `${at}/contacts/${one.id}/opt-outs`
    const history = await itemsOf<{ how: string }>(owner, path)
    expect(history.map(({ how }) => how)).toEqual(['merge', 'member'])
  })

  systemTest('counts the templates of both towards the limit of one customer', async () => {
    // The template contains the name.
    await owner.ask('PATCH', `${at}/contacts/${one.id}`, { name: 'Sara A.' })
    for (const phone of [one.phone!, other.phone!, other.phone!]) {
      expect((await order(phone)).status).toBe('accepted')
      await whatsApp.settle()
    }
    await merge(one.id, other.id)
    expect((await order(one.phone!)).status).toBe('customer_limit_reached')
  })

  systemTest('ends no run: a waiting run goes on with the surviving contact', async () => {
    const runId = await shop.runFor(other.phone!)
    await merge(one.id, other.id)
    await writeFrom(other.phone!, 'Yes')
    const run = await owner.ask<object>('GET', `${at}/runs/${runId}`)
    expect(run.body).toMatchObject({ status: 'completed', contact: { id: one.id } })
  })

  test("ends the merged contact's runs if the surviving contact was opted out", async () => {
    const runId = await shop.runFor(other.phone!)
    await owner.ask('POST', `${at}/contacts/${one.id}/opt-out`)
    await merge(one.id, other.id)
    await whatsApp.settle()
    const run = await owner.ask<{ status: string }>('GET', `${at}/runs/${runId}`)
    expect(run.body).toMatchObject({ status: 'completed', endReason: 'customer_exited' })
  })

  test('is refused if both have more tags together than one contact may have, and loses none', async () => {
    const tags = (first: string) => Array.from({ length: 26 }, (_, nth) => `${first}${nth}`)
    const [some, more] = [
      await make({ name: 'A', tags: tags('a') }),
      await make({ name: 'B', tags: tags('b') }),
    ]
    const refused = await merge(some.id, more.id)
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'fromId', code: 'too_many_tags', params: { max: 50 } }] },
    })
    for (const { id } of [some, more]) {
      const { body } = await show(id)
      expect([body.id, body.tags.length]).toEqual([id, 26])
    }
  })

  test('is refused with the same contact, with another company’s contact, and for Agents', async () => {
    expect((await merge(one.id, one.id)).status).toBe(422)
    expect((await merge(one.id, one.id.toUpperCase())).status).toBe(422)
    const stranger = await whatsApp.openShop()
    const its = await signedIn(world, { accountId: stranger.accountId })
    const path = `/companies/${stranger.companyId}/contacts`
    const theirs = (await its.ask<ContactView>('POST', path, { name: 'Theirs' })).body
    expect((await merge(one.id, theirs.id)).status).toBe(404)
    expect((await show(one.id)).body).toMatchObject({ name: null })
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    const refused = await agent.ask('POST', `${at}/contacts/${one.id}/merge`, { fromId: other.id })
    expect(refused.status).toBe(403)
  })
})
