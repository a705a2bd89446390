/**
 * A list accepts `limit` and `cursor`: page by page it has each item once, in its order (API). The list of templates
 * shows the flows that use each, and how its messages went in the last week.
 */
import { expect, test } from 'vitest'
import { startSession } from '../../src/modules/accounts/start-session.ts'
import type { BroadcastView } from '../../src/contract/dashboard/broadcast.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import { addFlow } from '../support/add-flow.ts'
import { addDrafts } from '../support/records/flows.ts'
import { postHook } from '../support/post-hook.ts'
import { signedIn, walkPages, itemsOf } from '../support/dashboard.ts'
import { addEndpoint } from '../support/deliveries.ts'
import { addNotice } from '../support/records/notices.ts'
import { connectApi } from '../support/shop-api.ts'
import { uploadContacts } from '../support/upload-contacts.ts'
import { createWebsite } from '../support/visitors.ts'
import { openOwnedShop, ownedShop } from '../support/owned-shop.ts'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { ListedTemplate } from '../../src/contract/dashboard/template.ts'
import { TEMPLATE_LIMITS } from '../../src/core/limits/messaging.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { addConversation } from '../support/records/conversations.ts'
import { addMessage, repeatMessage } from '../support/records/messages.ts'
import { createOwnShop, ORDER_READY_STEPS } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const EACH = [1, 2, 3]

let contactId: string
const { world, shop, owner } = await openOwnedShop()
const at = `/companies/${shop.companyId}`
// The clock does not move, so lists that are ordered by time have several items of one instant.
for (const nth of EACH) await makeOne(nth)

async function makeOne(nth: number) {
  const { db, ids, clock } = world.service.context
  const { accountId, companyId } = shop
  const now = clock.now()
  const member = await signedIn(world, { accountId, role: 'agent' })
  await owner.ask('POST', '/invitations', { email: `${nth}@example.com`, role: 'agent' })
  await transaction(db, (tx) => {
    const client = { carrier: 'bearer', userAgent: null, device: null } as const
    return startSession(tx, { ids, now }, { personId: owner.personId, accountId, client })
  })
  await owner.ask('POST', '/companies', { name: `Project ${nth}` })
  const notice = { kind: 'mentioned', personId: owner.personId, details: { text: '' } }
  await addNotice(world, shop, notice)
  const made = { name: `Customer ${nth}`, tags: [`tag ${nth}`] }
  contactId = (await owner.ask<ContactView>('POST', `${at}/contacts`, made)).body.id
  const renaming = { tag: `tag ${nth}`, newTag: `renamed ${nth}` }
  await owner.ask('POST', `${at}/tags/rename`, renaming)
  await world.service.processAll()
  await owner.ask('POST', `${at}/contacts/${contactId}/opt-out`)
  await owner.ask('POST', `${at}/contacts/${contactId}/opt-in`, { reason: 'asked for it' })
  await owner.ask('POST', `${at}/contacts/${contactId}/opt-out`)
  await uploadContacts(world, owner, shop, 'name\nSara\n')
  await owner.ask('POST', `${at}/conversations/bulk-close`, { filter: {} })
  await owner.ask('POST', `${at}/leads`, { contactId, ownerId: member.personId })
  const connectionId = await connectApi(world, { companyId, baseUrl: 'https://shop.example/api' })
  await owner.ask('POST', `${at}/actions`, {
    toolName: `order_${nth}`,
    description: 'Looks an order up.',
    request: actionRequest(connectionId),
    parameters: [ORDER],
  })
  await addEndpoint(world, shop)
  // A flow with a separate hook URL, and a run of it.
  await postHook((await addFlow(world, shop)).hookUrl)
  await createWebsite(world, 'website', { shop, owner })
  await owner.ask<BroadcastView>('POST', `${at}/broadcasts`, {
    name: `News ${nth}`,
    channelId: shop.channelId,
    template: { name: 'order_ready' },
    audience: { kind: 'filter', filter: {} },
  })
}

type Order = 'oldest first' | 'newest first' | 'in another order'

systemTest.each<[string, Order]>([
  ['/audit', 'newest first'],
  ['/companies', 'oldest first'],
  ['/invitations', 'newest first'],
  ['/members', 'oldest first'],
  ['/notices', 'newest first'],
  ['/sessions', 'in another order'],
  ['{company}/actions', 'in another order'],
  ['{company}/broadcasts', 'newest first'],
  ['{company}/channels', 'oldest first'],
  ['{company}/close-jobs', 'newest first'],
  ['{company}/connections', 'oldest first'],
  ['{company}/conversations/channels', 'oldest first'],
  ['{company}/contact-imports', 'newest first'],
  ['{company}/contacts', 'in another order'],
  ['{company}/contacts/{contact}/opt-outs', 'newest first'],
  ['{company}/contacts/{contact}/timeline', 'in another order'],
  ['{company}/endpoints', 'oldest first'],
  ['{company}/flows', 'in another order'],
  ['{company}/hook-urls', 'oldest first'],
  ['{company}/leads', 'newest first'],
  ['{company}/people', 'in another order'],
  ['{company}/runs', 'newest first'],
  ['{company}/tags', 'in another order'],
  ['{company}/tags/jobs', 'newest first'],
])('%s: %s', async (path, order) => {
  const list = path.replace('{company}', at).replace('{contact}', contactId)
  const whole = (await owner.ask<Page<{ id: string }>>('GET', `${list}?limit=100`)).body
  expect([whole.items.length >= EACH.length, whole.nextCursor]).toEqual([true, null])
  expect(await walkPages(owner, list, { limit: '2' })).toEqual(whole.items)
  // Ids follow the order of time.
  const ids = whole.items.map(({ id }) => id)
  const oldestFirst = ids.toSorted()
  if (order === 'oldest first') expect(ids).toEqual(oldestFirst)
  if (order === 'newest first') expect(ids).toEqual(oldestFirst.toReversed())
})

test('a page has as many items as requested, and an invalid cursor is refused', async () => {
  const { body } = await owner.ask<Page<object>>('GET', '/companies?limit=2')
  expect(body.items).toHaveLength(2)
  expect(body.nextCursor).toMatch(/^[\w-]+$/)
  for (const query of ['limit=0', 'limit=101', 'limit=two', 'cursor=bm9uc2Vuc2U', 'cursor=%00']) {
    expect((await owner.ask('GET', `/companies?${query}`)).body.code).toBe('invalid')
  }
})

const { shop: own, owner: member } = await ownedShop(world)

const templates = async (query = '') =>
  await itemsOf<ListedTemplate>(member, `/companies/${own.companyId}/templates${query}`)
const flows = `/companies/${own.companyId}/flows`
const draft = (template: string, channelId = own.channelId) => ({
  channelId,
  trigger: { kind: 'manual' },
  start: 'tell',
  steps: { ...ORDER_READY_STEPS, tell: { ...ORDER_READY_STEPS.tell, template } },
})

const conversationId = await addConversation(world, own)
let serial = 0
/** Adds that number of messages of the template, with that age. */
async function addMessages(to: {
  status: string
  count: number
  language?: string
  ageMs?: number
}): Promise<void> {
  const { status, count, language = 'ar', ageMs = 0 } = to
  const id = await addMessage(
    world,
    { ...own, conversationId },
    {
      sender: 'flow',
      type: 'template',
      templateName: 'order_ready',
      templateLanguage: language,
      status,
      occurredAt: new Date(world.clock.now().getTime() - ageMs),
      providerMessageId: `wamid.${(serial += 1)}`,
    },
  )
  if (count > 1) await repeatMessage(world, id, count - 1)
}

test('A company lists its own templates, and no others', async () => {
  await createOwnShop(world)
  const all = await templates()
  expect(all.map(({ language }) => language).toSorted()).toEqual(['ar', 'en'])
  expect(new Set(all.map(({ channelId }) => channelId))).toEqual(new Set([own.channelId]))
})

test('A template names the flows that send it, in a published version or a draft', async () => {
  const named = await member.ask<FlowDetail>('POST', flows, {
    name: 'Half drawn',
    draft: draft('order_ready'),
  })
  const published = { id: own.flowId, name: 'Order is ready' }
  const used = (await templates()).map(({ usedBy }) => usedBy)
  expect(used).toEqual([
    [
      { ...published, inPublished: true, inDraft: false },
      { id: named.body.id, name: 'Half drawn', inPublished: false, inDraft: true },
    ],
    expect.any(Array),
  ])
  expect(used[1]).toEqual(used[0])

  await member.ask('PUT', `${flows}/${own.flowId}/draft`, draft('order_ready'))
  const [both] = (await templates())[0]!.usedBy
  expect(both).toEqual({ ...published, inPublished: true, inDraft: true })
  // A draft with another template does not change the entry of the published one.
  await member.ask('PUT', `${flows}/${own.flowId}/draft`, draft('order_ready_2'))
  // A flow whose texts contain the name does not send the template.
  const wordy = draft('other')
  await member.ask('PUT', `${flows}/${named.body.id}/draft`, {
    ...wordy,
    steps: { ...wordy.steps, order_ready: { kind: 'end' } },
  })
  expect((await templates())[0]!.usedBy).toEqual([
    { ...published, inPublished: true, inDraft: false },
  ])

  // The template of another channel is a different one.
  await member.ask('PUT', `${flows}/${named.body.id}/draft`, draft('order_ready', ''))
  expect((await templates())[0]!.usedBy).toHaveLength(1)
})

test('A deleted flow uses no template', async () => {
  const made = await member.ask<FlowDetail>('POST', flows, {
    name: 'For a day',
    draft: draft('order_ready'),
  })
  expect((await templates())[0]!.usedBy.map(({ id }) => id)).toContain(made.body.id)
  await member.ask('DELETE', `${flows}/${made.body.id}`)
  expect((await templates())[0]!.usedBy.map(({ id }) => id)).not.toContain(made.body.id)
})

test('A template names each flow that sends it, however many flows the company has', async () => {
  await addDrafts(world, own, { count: 501, definition: draft('other') })
  await addDrafts(world, own, { count: 21, definition: draft('order_ready') })
  const { usedBy } = (await templates())[0]!
  expect(usedBy.filter(({ name }) => name === 'One of many')).toHaveLength(21)
})

systemTest('A template counts what was sent and failed in seven days, up to a number', async () => {
  await addMessages({ status: 'accepted', count: 1 })
  await addMessages({ status: 'sent', count: 2 })
  await addMessages({ status: 'delivered', count: 3 })
  await addMessages({ status: 'read', count: 4, ageMs: 7 * DAY_MS - 1 })
  await addMessages({ status: 'read', count: 5, ageMs: 7 * DAY_MS + 1 })
  await addMessages({ status: 'failed', count: 6 })
  await addMessages({ status: 'sending', count: 7 })
  await addMessages({ status: 'cancelled', count: 8 })
  await addMessages({ status: 'failed', count: 1, language: 'en' })
  const weekOf = async (language: string) => (await templates(`?language=${language}`))[0]!.week
  expect(await weekOf('ar')).toEqual({ sent: 10, failed: 6 })
  expect(await weekOf('en')).toEqual({ sent: 0, failed: 1 })
  await addMessages({ status: 'read', count: TEMPLATE_LIMITS.weekCountsStopAt })
  expect(await weekOf('ar')).toEqual({ sent: TEMPLATE_LIMITS.weekCountsStopAt, failed: 6 })
})
