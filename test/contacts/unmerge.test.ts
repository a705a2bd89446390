/** An unmerge divides a merged contact again. Contacts › Merging. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView, ListedContact } from '../../src/contract/dashboard/contact.ts'
import type { LeadView } from '../../src/contract/dashboard/lead.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { signedIn, itemsOf, auditOf } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import {
  addStoredColumn,
  contactOf,
  contactsOf,
  describeContact,
} from '../support/records/contacts.ts'
import { conversationsOf, conversationWith } from '../support/records/conversations.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { messagesOf } from '../support/records/messages.ts'
import { customerWrites, type Written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
let shop: Awaited<ReturnType<typeof whatsApp.openShop>>
let owner: Awaited<ReturnType<typeof signedIn>>
let at: string
beforeEach(async () => {
  shop = await whatsApp.openShop()
  owner = await signedIn(world, { accountId: shop.accountId })
  at = `/companies/${shop.companyId}`
})

const [N1, N2, N3] = ['+966501110001', '+966501110002', '+966501110003']

async function writes(...messages: Written[]): Promise<void> {
  for (const message of messages) {
    world.clock.advance(MINUTE_MS)
    await customerWrites(world, shop, { at: world.clock.now(), ...message })
    await whatsApp.settle()
  }
}
const make = async (input: object) => {
  world.clock.advance(MINUTE_MS)
  return (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body
}
const join = async (verb: 'merge' | 'unmerge', into: { id: string }, from: { id: string }) => {
  world.clock.advance(MINUTE_MS)
  const path = `${at}/contacts/${into.id}/${verb}`
  return owner.ask<ContactView>('POST', path, { fromId: from.id })
}
const show = async ({ id }: { id: string }) =>
  (await owner.ask<ContactView>('GET', `${at}/contacts/${id}`)).body
const found = async (q: string) => {
  const path = `${at}/contacts?q=${encodeURIComponent(q)}`
  return (await itemsOf<ListedContact>(owner, path)).map(({ id }) => id)
}
const order = (phone: string) =>
  postHook(shop.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })
const raised = ({ id }: { id: string }) => eventTypesOf(world, { contactId: id })
const textsOf = async (conversationId: string) =>
  (await messagesOf(world, { conversationId })).map(({ text }) => text).toSorted()

describe('An unmerge', () => {
  test('restores a contact that was merged by a version with another column', async () => {
    const one = await make({ phone: N1, name: 'Huda' })
    const other = await make({ phone: N2, name: 'H' })
    const before = await contactOf(world, other.id)
    await join('merge', one, other)
    await addStoredColumn(world, { fromId: other.id }, { nickname: 'Hu' })
    expect((await join('unmerge', one, other)).status).toBe(200)
    const { updatedAt: _, ...same } = before
    expect(await contactOf(world, other.id)).toMatchObject(same)
  })

  systemTest(
    "restores the merged contact's id and values, and removes from the other what came from it",
    async () => {
      await owner.ask('POST', `${at}/contact-fields`, { key: 'size', label: 'Size', kind: 'text' })
      const one = await make({ phone: N1, tags: ['Own', 'both'], name: 'Huda' })
      const values = { phone: N2, name: 'H', email: 'h@x.example', language: 'ar' }
      const other = await make({ ...values, tags: ['BOTH', 'hers', 'kept'], fields: { size: 'M' } })
      await join('merge', one, other)
      await owner.ask('PATCH', `${at}/contacts/${one.id}`, { email: 'new@x.example' })
      const { status, body } = await join('unmerge', one, other)
      expect({ status, id: body.id }).toEqual({ status: 200, id: other.id })
      expect(await show(other)).toMatchObject({
        ...values,
        tags: other.tags,
        fields: { size: 'M' },
      })
      expect(await show(one)).toEqual({
        ...one,
        tags: ['Own', 'both'],
        email: 'new@x.example',
        updatedAt: expect.any(String),
      })
      expect(await raised(other)).toEqual(['contact.created', 'contact.updated'])
      expect((await raised(one)).slice(-1)).toEqual(['contact.updated'])
      expect(await found(N2)).toEqual([other.id])
      const audit = await auditOf(owner, shop)
      const expected = {
        action: 'contact.unmerged',
        subjectId: one.id,
        detail: { fromId: other.id },
      }
      expect(audit[0]).toMatchObject(expected)
    },
  )

  test('keeps values that a second merged contact gave as well, until that is unmerged too', async () => {
    const one = await make({ phone: N1 })
    const second = await make({ phone: N2, name: 'Sara', tags: ['vip'] })
    const third = await make({ phone: N3, name: 'Sara', tags: ['VIP'] })
    await join('merge', one, second)
    await join('merge', one, third)
    await join('unmerge', one, second)
    expect(await show(one)).toMatchObject({ name: 'Sara', tags: ['vip'] })
    await join('unmerge', one, third)
    expect(await show(one)).toMatchObject({ name: null, tags: [], phone: N1 })
  })

  systemTest.each([
    ['member', 'enquiry'],
    ['enquiry', 'member'],
  ])(
    "keeps an e-mail that a second contact gave as well, with that one's source: %s, %s",
    async (first, then) => {
      const one = await make({ phone: N1 })
      const givers = await Promise.all(
        [first, then].map(async (emailFrom) => {
          const giver = await make({ name: emailFrom, email: 's@x.example' })
          await describeContact(world, giver.id, { emailFrom })
          return giver
        }),
      )
      for (const giver of givers) await join('merge', one, giver)
      const known = async () => {
        const { email, emailFrom } = await contactOf(world, one.id)
        return [email, emailFrom]
      }
      expect(await known()).toEqual(['s@x.example', first])
      await join('unmerge', one, givers[0]!)
      expect(await known()).toEqual(['s@x.example', then])
      expect((await contactOf(world, givers[0]!.id)).emailFrom).toBe(first)
      await join('unmerge', one, givers[1]!)
      expect(await known()).toEqual([null, null])
    },
  )

  systemTest('returns the conversation with its later messages, and its run', async () => {
    await writes({ from: N1, text: 'I am one' })
    const runId = await shop.runFor(N2)
    const [one, other] = await contactsOf(world, shop)
    await join('merge', one!, other!)
    await writes({ from: N2, text: 'since' })
    const { id } = await conversationWith(world, shop, N2)
    expect((await textsOf(id)).includes('since')).toBe(true)
    await join('unmerge', one!, other!)
    const runs = await itemsOf<{ id: string }>(owner, `${at}/runs?contactId=${other!.id}`)
    expect(runs.map((run) => run.id)).toEqual([runId])
    const talk = await conversationWith(world, shop, N2)
    expect([talk.id, talk.contactId]).toEqual([id, other!.id])
    await writes({ from: N2, text: 'after' }, { from: N1, text: 'me' })
    expect((await textsOf(id)).filter((text) => text === 'after' || text === 'me')).toEqual([
      'after',
    ])
  })

  test('opens the lead that the merge closed, and returns the other lead with its contact', async () => {
    const [one, other] = [await make({ name: 'One' }), await make({ name: 'Other' })]
    const lead = async ({ id }: ContactView) =>
      (await owner.ask<LeadView>('POST', `${at}/leads`, { contactId: id })).body
    const [older, newer] = [await lead(one), (world.clock.advance(1), await lead(other))]
    await join('merge', one, other)
    await join('unmerge', one, other)
    const seen = async ({ id }: LeadView) =>
      (await owner.ask<LeadView>('GET', `${at}/leads/${id}`)).body
    expect(await seen(older)).toMatchObject({
      status: 'open',
      lostHow: null,
      contact: { id: one.id },
    })
    expect(await seen(newer)).toMatchObject({ status: 'open', contact: { id: other.id } })
  })

  systemTest.each([
    ['the surviving contact was out', 'STOP', 'hello', [], [true, true]],
    ['the merged contact was out', 'hello', 'STOP', [], [true, true]],
    ['the surviving contact says START since', 'hello', 'STOP', [N1], [false, true]],
    ['the merged contact says START since', 'STOP', 'hello', [N2], [true, false]],
  ])('opts no contact in: %s', async (_case, first, second, starts, expected) => {
    await writes({ from: N1, text: first }, { from: N2, text: second })
    const [one, other] = await contactsOf(world, shop)
    await join('merge', one!, other!)
    await writes(...starts.map((from) => ({ from, text: 'START' })))
    await join('unmerge', one!, other!)
    expect([(await show(one!)).optedOut, (await show(other!)).optedOut]).toEqual(expected)
    const answers = [await order(N1), await order(N2)]
    expect(answers.map(({ status }) => status === 'opted_out')).toEqual(expected)
  })

  systemTest(
    'takes along the contacts merged into it, which can be unmerged separately too',
    async () => {
      await writes({ from: N1 }, { from: N2 }, { from: N3 })
      const [a, b, c] = await contactsOf(world, shop)
      await join('merge', b!, c!)
      await join('merge', a!, b!)
      await join('unmerge', a!, b!)
      expect(await Promise.all([N1, N2, N3].map(found))).toEqual([[a!.id], [b!.id], [b!.id]])
      expect((await show(c!)).id).toBe(b!.id)
      await join('merge', a!, b!)
      await join('unmerge', a!, c!)
      await join('unmerge', a!, b!)
      expect(await Promise.all([N1, N2, N3].map(found))).toEqual([[a!.id], [b!.id], [c!.id]])
    },
  )

  systemTest('keeps an account that a provider joined, and removes earlier messages', async () => {
    const userId = 'SA.CUSTOMER1'
    await writes({ from: N1, text: 'by number' }, { userId, text: 'by id' })
    const [one, other] = await contactsOf(world, shop)
    const { id: talkOfOther } = await conversationWith(world, shop, userId)
    await writes({ from: N1, userId, text: 'by both' })
    await join('unmerge', one!, other!)
    expect(await show(other!)).toMatchObject({ id: other!.id, phone: null, whatsAppId: null })
    expect(await show(one!)).toMatchObject({ phone: N1, whatsAppId: userId })
    await writes({ from: N1, userId, text: 'later' })
    expect(await contactsOf(world, shop)).toHaveLength(2)
    expect(await textsOf(talkOfOther)).toEqual(['by both', 'by number', 'later'])
    const all = await conversationsOf(world, shop)
    const [talk] = all.filter(({ contactId }) => contactId === other!.id)
    expect([talk!.lastText, await textsOf(talk!.id)]).toEqual(['by id', ['by id']])
    const reply = { key: 'k', text: 'Nobody is here' }
    const path = `${at}/conversations/${talk!.id}/messages`
    expect((await owner.ask('POST', path, reply)).status).toBeGreaterThanOrEqual(400)
  })

  test('is refused for a contact that was not merged into this one, and without a record of the merge', async () => {
    const [one, other] = [await make({ phone: N1 }), await make({ phone: N2 })]
    expect(await join('unmerge', one, other)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'fromId', code: 'not_merged_into_this' }] },
    })
    await join('merge', one, other)
    expect((await join('unmerge', other, other)).status).toBe(200)
    await join('merge', one, other)
    await owner.ask('POST', `${at}/contacts/${one.id}/erase`, { confirm: true })
    expect(await join('unmerge', one, other)).toMatchObject({
      status: 409,
      body: { reason: 'merged_contact_erased' },
    })
  })
})
