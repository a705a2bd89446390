/** The list of templates: who uses each, and what became of it in the last week. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FlowDetail } from '../../src/contract/dashboard/flow.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { ListedTemplate } from '../../src/contract/dashboard/template.ts'
import { TEMPLATE_LIMITS } from '../../src/limits/messaging.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, ORDER_READY_STEPS, type Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(() => world.close())

const templates = async (query = '') =>
  (await owner.ask<Page<ListedTemplate>>('GET', `/companies/${shop.companyId}/templates${query}`))
    .body.items
const flows = () => `/companies/${shop.companyId}/flows`
const draft = (template: string, channelId = shop.channelId) => ({
  channelId,
  trigger: { kind: 'manual' },
  start: 'tell',
  steps: { ...ORDER_READY_STEPS, tell: { ...ORDER_READY_STEPS.tell, template } },
})

/** Messages of the template, so many, as old as that. */
async function addMessages(to: {
  status: string
  count: number
  language?: string
  ageMs?: number
}): Promise<void> {
  const at = new Date(world.clock.now().getTime() - (to.ageMs ?? 0))
  await sql`
    insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, status,
      template_name, template_language, occurred_at, created_at)
    select 'm_' || gen_random_uuid(), ${shop.companyId}, 'c_1', ${shop.channelId}, 'out', 'flow', 'template',
      ${to.status}, 'order_ready', ${to.language ?? 'ar'}, ${at}, ${at}
    from generate_series(1, ${to.count}::int)`.execute(world.database.db.kysely)
}

test('Templates are the company’s own, and no other’s', async () => {
  await createShop(world, { phoneNumberId: '71', businessAccountId: '72' })
  const all = await templates()
  expect(all.map(({ language }) => language).toSorted()).toEqual(['ar', 'en'])
  expect(new Set(all.map(({ channelId }) => channelId))).toEqual(new Set([shop.channelId]))
})

test('A template names the flows that send it: by what is published and by a draft', async () => {
  const named = await owner.ask<FlowDetail>('POST', flows(), {
    name: 'Half drawn',
    draft: draft('order_ready'),
  })
  const published = { id: shop.flowId, name: 'Order is ready' }
  const used = (await templates()).map(({ usedBy }) => usedBy)
  expect(used).toEqual([
    [
      { ...published, inPublished: true, inDraft: false },
      { id: named.body.id, name: 'Half drawn', inPublished: false, inDraft: true },
    ],
    expect.any(Array),
  ])
  expect(used[1]).toEqual(used[0])

  await owner.ask('PUT', `${flows()}/${shop.flowId}/draft`, draft('order_ready'))
  const [both] = (await templates())[0]!.usedBy
  expect(both).toEqual({ ...published, inPublished: true, inDraft: true })
  // A draft of another template, beside what is published, changes nothing of that.
  await owner.ask('PUT', `${flows()}/${shop.flowId}/draft`, draft('order_ready_2'))
  // One that only writes the name somewhere is not one that sends it.
  const wordy = draft('other')
  await owner.ask('PUT', `${flows()}/${named.body.id}/draft`, {
    ...wordy,
    steps: { ...wordy.steps, order_ready: { kind: 'end' } },
  })
  expect((await templates())[0]!.usedBy).toEqual([
    { ...published, inPublished: true, inDraft: false },
  ])

  // Of another channel it is another template.
  await owner.ask('PUT', `${flows()}/${named.body.id}/draft`, draft('order_ready', ''))
  expect((await templates())[0]!.usedBy).toHaveLength(1)
})

test('A deleted flow uses no template', async () => {
  const made = await owner.ask<FlowDetail>('POST', flows(), {
    name: 'For a day',
    draft: draft('order_ready'),
  })
  expect((await templates())[0]!.usedBy.map(({ id }) => id)).toContain(made.body.id)
  await owner.ask('DELETE', `${flows()}/${made.body.id}`)
  expect((await templates())[0]!.usedBy.map(({ id }) => id)).not.toContain(made.body.id)
})

systemTest(
  'A template tells how many were sent and failed in seven days, by language, up to a number',
  async () => {
    await sql`insert into conversation (id, company_id, channel_id, channel_type, filed_under, created_at)
    values ('c_1', ${shop.companyId}, ${shop.channelId}, 'whatsapp', '966500000001', now())`.execute(
      world.database.db.kysely,
    )
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
  },
)
