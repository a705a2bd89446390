/** Identity of customers, by the provider's ids and by what people type. Contacts › Who a customer is. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { IdentitiesView } from '../../src/contract/dashboard/identity.ts'
import type { ConversationDetail, TimelineItem } from '../../src/contract/dashboard/conversation.ts'
import { DAY_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { deriveBsuid } from '../../simulators/index.ts'
import { signedIn, itemsOf } from '../support/dashboard.ts'
import { reply } from '../support/inbox.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { identityChangesOf } from '../support/records/identifiers.ts'
import { messageOf, messagesOf } from '../support/records/messages.ts'
import { runOf } from '../support/records/runs.ts'
import { systemTest } from '../support/system-tests.ts'
import {
  customerWrites,
  newWamid,
  postChanges,
  secondsText,
  type Written,
} from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()
let shop: Awaited<ReturnType<typeof whatsApp.openShop>>
beforeEach(async () => {
  shop = await whatsApp.openShop()
})

const [N1, N2] = ['+966501110001', '+966501110002']
const [U1, U2] = ['SA.CUSTOMER1', 'SA.CUSTOMER2']

async function writes(...messages: Written[]): Promise<void> {
  for (const message of messages) {
    world.clock.advance(MINUTE_MS)
    await customerWrites(world, shop, { at: world.clock.now(), ...message })
    await whatsApp.settle()
  }
}
const order = (phone: string) =>
  postHook(shop.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone } })
const contacts = async () =>
  (await contactsOf(world, shop)).map(({ phone, whatsappId }) => [phone, whatsappId])
const typesOf = () => shop.events().map(({ type }) => type)

/** Reports from the provider that a customer has other ids. `number` is their current one, if it is shown. */
async function changes(
  type: 'user_changed_number' | 'user_changed_user_id',
  { from, previous, number, userId }: Record<string, string | undefined>,
) {
  world.clock.advance(MINUTE_MS)
  const system = {
    type,
    body: 'changed',
    ...(previous && { previous_user_id: previous }),
    ...(number && { wa_id: number.slice(1) }),
    ...(userId && { user_id: userId }),
  }
  const timestamp = secondsText(world.clock.now())
  const item = {
    ...(from && { from: from.slice(1) }),
    id: newWamid(),
    timestamp,
    type: 'system',
    system,
  }
  await postChanges(world, shop, { field: 'messages', value: { messages: [item] } })
  await whatsApp.settle()
}

describe('An id and a number that the provider shows as one customer', () => {
  test('are one contact with one conversation, in which the run gets the reply', async () => {
    const userId = deriveBsuid(N1.slice(1))
    await writes({ userId, text: 'hello' })
    const [first] = await conversationsOf(world, shop)
    world.clock.advance(MINUTE_MS)
    const asked = await order(N1)
    await whatsApp.settle()
    await writes({ from: N1, userId, text: 'Yes, today' })
    expect(await contacts()).toEqual([[N1, userId]])
    const talks = await conversationsOf(world, shop)
    expect(talks).toHaveLength(1)
    // The template is the newest message, so the first conversation was joined to the other, and
    // its id refers to that.
    const owner = await signedIn(world, { accountId: shop.accountId })
    const at = `/companies/${shop.companyId}/conversations/${first!.id}`
    expect(first!.id).not.toBe(talks[0]!.id)
    expect((await owner.ask<{ id: string }>('GET', at)).body.id).toBe(talks[0]!.id)
    const lines = await messagesOf(world, { companyId: shop.companyId })
    expect(new Set(lines.map(({ conversationId }) => conversationId))).toEqual(
      new Set([talks[0]!.id]),
    )
    expect(await runOf(world, asked.id!)).toMatchObject({
      status: 'completed',
      endReason: 'completed',
    })
    expect(
      new Set(
        shop.events('message.received').map(({ data }) => (data.contact as { id: string }).id),
      ).size,
    ).toBe(1)
  })

  test('are opted out by a STOP under either with one event, and get no second template', async () => {
    await writes({ userId: U1, text: 'STOP' })
    expect((await order(N1)).status).toBe('accepted')
    await whatsApp.settle()
    await writes({ from: N1, userId: U1, text: 'hello' })
    expect(await order(N1)).toMatchObject({ http: 409, status: 'opted_out' })
    expect(typesOf().filter((type) => type === 'contact.opted_out')).toHaveLength(1)
    await writes({ from: N1, userId: U1, text: 'START' })
    expect(await order(N1)).toMatchObject({ http: 202 })
  })

  test('are joined by a receipt, so the run gets a reply without a number', async () => {
    const asked = await order(N1)
    await whatsApp.settle()
    await writes({ userId: deriveBsuid(N1.slice(1)), text: 'Yes, today' })
    expect(await contactsOf(world, shop)).toHaveLength(1)
    expect(await runOf(world, asked.id!)).toMatchObject({ endReason: 'completed' })
  })
})

test('A pressed button of a message whose conversation was joined to another continues the run there', async () => {
  const asked = await order(N1)
  await whatsApp.settle()
  const quotes = whatsApp.simulator.messages().at(-1)!.wamid
  await writes({ userId: U1, text: 'hello' })
  const [live] = (await conversationsOf(world, shop)).filter(({ lastText }) => lastText === 'hello')
  const userId = deriveBsuid(N1.slice(1))
  await changes('user_changed_user_id', { previous: U1, userId })
  const talks = await conversationsOf(world, shop)
  expect(talks.map(({ id }) => id)).toEqual([live!.id])
  const button = { text: 'Yes, today', payload: 'Yes, today' }
  await writes({ userId, quotes, content: { type: 'button', button } })
  expect(await runOf(world, asked.id!)).toMatchObject({ endReason: 'completed' })
  const last = (await messagesOf(world, { companyId: shop.companyId })).at(-1)!
  expect(last).toMatchObject({ conversationId: live!.id, direction: 'in' })
})

describe('A customer who changes', () => {
  test('the id, reported with the previous id alone, is the same contact and still opted out', async () => {
    await writes({ from: N1, userId: U1, text: 'STOP' })
    await changes('user_changed_user_id', { previous: U1, userId: U2 })
    await writes({ userId: U2, text: 'hello' })
    expect(await contactsOf(world, shop)).toMatchObject([
      { phone: null, whatsappId: U2, optedOutAt: expect.any(Date) },
    ])
    expect(await order(N1)).toMatchObject({ http: 409, status: 'opted_out' })
  })

  test('the number to one of another customer takes it over, and the other goes on without it', async () => {
    await writes({ from: N1, userId: U1 }, { from: N2, userId: 'SA.OTHER' })
    await changes('user_changed_number', { from: N1, previous: U1, number: N2, userId: U2 })
    expect(await contacts()).toEqual([
      [N2, U2],
      [null, 'SA.OTHER'],
    ])
    await writes(
      { from: N2, userId: U2, text: 'I have it now' },
      { userId: 'SA.OTHER', text: 'and I not' },
    )
    const talks = await conversationsOf(world, shop)
    expect(talks).toHaveLength(2)
    expect(talks.map(({ lastText }) => lastText).toSorted()).toEqual(
      ['I have it now', 'and I not'].toSorted(),
    )
  })

  test('the number to that of another customer known only by it makes that customer unreachable', async () => {
    await writes({ from: N1, text: 'six' }, { from: N2, userId: U1 })
    const [six] = (await conversationsOf(world, shop)).filter(({ lastText }) => lastText === 'six')
    await changes('user_changed_number', { from: N2, previous: U1, number: N1, userId: U2 })
    const owner = await signedIn(world, { accountId: shop.accountId })
    const path = `/companies/${shop.companyId}/conversations/${six!.id}`
    const { body } = await reply(owner, { path }, 'It is ready')
    await whatsApp.settle()
    expect(await messageOf(world, body.message.id)).toMatchObject({
      status: 'failed',
      errorCode: 'customer_not_reachable',
    })
    const seen = await owner.ask<ConversationDetail>('GET', path)
    expect(seen.body).toMatchObject({ needsStaff: true })
    const sent = whatsApp.simulator.messages()
    expect(sent.filter((one) => one.phoneNumberId === shop.phoneNumberId)).toEqual([])
  })

  test('the number is reached at the new one by a hook with the old one', async () => {
    await writes({ from: N1, userId: U1 })
    await changes('user_changed_number', { from: N1, previous: U1, number: N2, userId: U2 })
    expect(await order(N1)).toMatchObject({ http: 202 })
    await whatsApp.settle()
    expect(whatsApp.simulator.messages().at(-1)).toMatchObject({ to: N2.slice(1) })
    expect(await contactsOf(world, shop)).toHaveLength(1)
  })

  test('the number leaves the old one to a new contact when another person writes from it', async () => {
    await writes({ from: N1, userId: U1, text: 'STOP' })
    await changes('user_changed_number', { from: N1, previous: U1, number: N2, userId: U2 })
    await writes({ from: N1, userId: 'SA.STRANGER', text: 'hello' })
    expect(await contactsOf(world, shop)).toMatchObject([
      { phone: N2, whatsappId: U2, optedOutAt: expect.any(Date) },
      // Until this person says START, the number stays opted out, because it may still be the same
      // customer.
      { phone: N1, whatsappId: 'SA.STRANGER', optedOutAt: expect.any(Date) },
    ])
  })
})

describe('Two forms of one line', () => {
  test.each([
    ['+553188888802', '+5531988888802'],
    ['+5215512345678', '+525512345678'],
    ['+541123456789', '+5491123456789'],
  ])('%s and %s are one contact', async (shown, dialled) => {
    await writes({ from: shown, text: 'STOP' })
    expect(await order(dialled)).toMatchObject({ http: 409, status: 'opted_out' })
    const owner = await signedIn(world, { accountId: shop.accountId })
    const at = `/companies/${shop.companyId}/contacts`
    const made = await owner.ask<ContactView>('POST', at, { name: 'Ana', phone: dialled })
    expect(made.status).toBe(409)
    expect(await contactsOf(world, shop)).toHaveLength(1)
  })
})

test('A conversation keeps the assignee of the one that was joined to it, with one event', async () => {
  const owner = await signedIn(world, { accountId: shop.accountId })
  await writes({ userId: U1, text: 'first' }, { from: N1, text: 'later' })
  const [first] = (await conversationsOf(world, shop)).filter(
    ({ lastText }) => lastText === 'first',
  )
  const at = `/companies/${shop.companyId}/conversations/${first!.id}`
  const to = { assigneeId: owner.personId, turn: first!.turn }
  expect((await owner.ask('POST', `${at}/assign`, to)).status).toBe(200)
  await whatsApp.settle()
  await writes({ from: N1, userId: U1, text: 'both' })
  const [talk, ...others] = await conversationsOf(world, shop)
  expect(others).toEqual([])
  expect(talk).toMatchObject({ assigneeId: owner.personId, handledBy: 'staff' })
  expect(talk!.id).not.toBe(first!.id)
  const told = shop.events('conversation.assigned').map(({ data }) => data)
  expect(told).toMatchObject([
    { conversation: { id: first!.id } },
    { conversation: { id: talk!.id }, assignee: { id: owner.personId } },
  ])
})

describe('The identities of a contact', () => {
  test('are listed with their source and time, and the contacts that were merged into it', async () => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const at = `/companies/${shop.companyId}/contacts`
    const huda = { name: 'Huda', phone: '+966501110003' }
    await writes({ from: N1, userId: U1 })
    const shownAt = world.clock.now().toISOString().slice(0, 16)
    const { body: made } = await owner.ask<ContactView>('POST', at, huda)
    const [contact] = await contactsOf(world, shop)
    await owner.ask('POST', `${at}/${contact!.id}/merge`, { fromId: made.id })
    await changes('user_changed_number', { from: N1, previous: U1, number: N2, userId: U2 })
    await writes({ from: N1, userId: 'SA.STRANGER' })
    const path = `${at}/${contact!.id}/identities`
    const { identities, merges } = (await owner.ask<IdentitiesView>('GET', path)).body
    const told = identities.map(({ cameFrom, identifiers }) => [
      cameFrom,
      ...identifiers.map(({ kind, value, proof, state }) => [kind, value, proof, state].join(' ')),
    ])
    expect(told).toEqual([
      [
        null,
        `number ${N2} shown current`,
        `user ${U2} shown current`,
        `user ${U1} shown former`,
        `number ${N1} shown left`,
      ],
      [made.id, `number ${huda.phone} member current`],
    ])
    const [account, written] = identities
    expect(account!.identifiers[3]!.since.slice(0, 16)).toBe(shownAt)
    expect(account!.identifiers[0]!.changedAt).toBe(null)
    expect(account!.conversations).toMatchObject([{ channelType: 'whatsapp', status: 'open' }])
    expect(written!.conversations).toEqual([])
    const by = { id: owner.personId, name: expect.anything() }
    expect(merges).toMatchObject([{ contactId: made.id, ...huda, by, canBeTakenOut: true }])
  })
})

describe('The timeline of a conversation', () => {
  const linesWith = async (text: string) => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const talks = await conversationsOf(world, shop)
    const { id } = talks.find(({ lastText }) => lastText === text)!
    const path = `/companies/${shop.companyId}/conversations/${id}/timeline`
    const items = await itemsOf<TimelineItem>(owner, path)
    return items.flatMap((item) => (item.kind === 'entry' ? [[item.entry, item.data]] : []))
  }

  test('shows that two contacts are one customer, and since when a number is another’s', async () => {
    await writes({ from: N1, name: 'Huda' }, { userId: U1, name: 'H' })
    await writes({ from: N1, userId: U1, name: 'H', text: 'both' })
    const same = ['same_customer', { customer: 'H' }]
    expect(await linesWith('both')).toEqual([same])
    await writes({ from: N1, userId: U2, text: 'mine now' })
    const since = `${world.clock.now().toISOString().slice(0, 19)}.000Z`
    expect(await linesWith('both')).toEqual([['number_gone', { number: N1, since }], same])
    expect(await linesWith('mine now')).toEqual([])
  })

  test('shows a changed number, and one that is no longer shown', async () => {
    await writes({ from: N1, userId: U1, text: 'hello' })
    await changes('user_changed_number', { from: N1, previous: U1, number: N2, userId: U2 })
    const changed = ['number_changed', { number: N1, newNumber: N2 }]
    expect(await linesWith('hello')).toEqual([changed])
    await changes('user_changed_user_id', { previous: U2, userId: 'SA.NEXT' })
    const hidden = ['number_changed', { number: N2, newNumber: null }]
    expect(await linesWith('hello')).toEqual([hidden, changed])
  })

  test('shows the tags that do not fit when two contacts are joined', async () => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const tags = (first: string) => Array.from({ length: 26 }, (_, nth) => `${first}${nth}`)
    await writes({ from: N1 }, { userId: U1 })
    for (const [nth, { id }] of (await contactsOf(world, shop)).entries()) {
      const path = `/companies/${shop.companyId}/contacts/${id}`
      await owner.ask('PATCH', path, { addTags: tags('ab'[nth]!) })
    }
    await writes({ from: N1, userId: U1, text: 'both' })
    expect(await linesWith('both')).toContainEqual(['tags_left_out', { tags: ['b24', 'b25'] }])
  })

  systemTest(
    'is not the identity history, which is kept for 400 days and erased with the customer',
    async () => {
      await writes({ from: N1, name: 'Huda' }, { userId: U1 }, { from: N1, userId: U1 })
      const [contact] = await contactsOf(world, shop)
      const history = async () =>
        (await identityChangesOf(world, contact!.id)).map(({ what, detail }) => [what, detail])
      expect(await history()).toEqual([
        ['merged', { by: 'message', from: expect.any(String) }],
        ['joined', { by: 'message', from: expect.any(String) }],
      ])
      world.clock.advance(399 * DAY_MS)
      await world.service.sweep()
      expect(await history()).toHaveLength(2)
      world.clock.advance(2 * DAY_MS)
      await world.service.sweep()
      expect(await history()).toEqual([])
      await writes({ from: N1, userId: U2 })
      expect((await history()).map(([what]) => what)).toEqual(['left'])
      const owner = await signedIn(world, { accountId: shop.accountId })
      const path = `/companies/${shop.companyId}/contacts/${contact!.id}/erase`
      expect((await owner.ask('POST', path, { confirm: true })).status).toBe(200)
      expect(await history()).toEqual([])
    },
  )
})
