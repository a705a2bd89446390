import { hc } from 'hono/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePlan } from '../../src/accounts/change-plan.ts'
import type { AccountView, AuditView } from '../../src/contract/dashboard/account.ts'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { DashboardClient } from '../../src/contract/dashboard/routes/client.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { repeatWhile } from '../support/wait.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

async function ownShop(): Promise<{ shop: Shop; owner: Member }> {
  const key = world.service.context.ids.token(6)
  const shop = await createShop(world, { phoneNumberId: key, businessAccountId: key })
  return { shop, owner: await signedIn(world, { accountId: shop.accountId }) }
}

describe('companies', () => {
  test('a project is a separate company inside the same account', async () => {
    const { shop, owner } = await ownShop()
    const made = await owner.ask<CompanyView>('POST', '/companies', { name: '  Jeddah branch ' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ name: 'Jeddah branch', isProject: true })
    const list = await owner.ask<Page<CompanyView>>('GET', '/companies')
    expect(list.body.items.map(({ id, isProject }) => [id, isProject])).toEqual([
      [shop.companyId, false],
      [made.body.id, true],
    ])
  })

  test('is renamed; the name that it has already is no change and leaves no trace', async () => {
    const { shop, owner } = await ownShop()
    const rename = (name: string) =>
      owner.ask<CompanyView>('PATCH', `/companies/${shop.companyId}`, { name })
    expect((await rename('متجر سارة')).body.name).toBe('متجر سارة')
    expect((await rename('متجر سارة')).status).toBe(200)
    const audit = await owner.ask<Page<AuditView>>('GET', `/audit?companyId=${shop.companyId}`)
    expect(audit.body.items).toMatchObject([
      {
        action: 'company.renamed',
        person: { id: owner.personId },
        detail: { from: 'Shop', to: 'متجر سارة' },
      },
    ])
  })

  test('is given other hours and another zone, which the audit tells', async () => {
    const { shop, owner } = await ownShop()
    const path = `/companies/${shop.companyId}`
    const zone = { timeZone: 'Asia/Riyadh' }
    expect((await owner.ask('PATCH', path, zone)).body).toMatchObject(zone)
    expect((await owner.ask('PATCH', path, zone)).status).toBe(200)
    const audit = await owner.ask<Page<AuditView>>('GET', `/audit?companyId=${shop.companyId}`)
    expect(audit.body.items).toMatchObject([{ action: 'company.hours_changed', detail: zone }])
  })

  test('80 characters are counted as people count them, and a NUL cannot be stored', async () => {
    const { owner } = await ownShop()
    expect((await owner.ask('POST', '/companies', { name: '😀'.repeat(80) })).status).toBe(201)
    expect((await owner.ask('POST', '/companies', { name: '😀'.repeat(81) })).status).toBe(422)
    const made = await owner.ask<CompanyView>('POST', '/companies', { name: 'a\u0000b' })
    expect(made.body.name).toBe('a\uFFFDb')
  })

  test('are paged by an opaque cursor, each once and in order', async () => {
    const { owner } = await ownShop()
    for (let n = 0; n < 6; n++) await owner.ask('POST', '/companies', { name: `Branch ${n}` })
    const all = await owner.ask<Page<CompanyView>>('GET', '/companies')
    expect([all.body.items.length, all.body.nextCursor]).toEqual([7, null])
    const seen: CompanyView[] = []
    let cursor: string | null = ''
    const hasMore = () => cursor !== null
    await repeatWhile('pages of companies', hasMore, async () => {
      const query: string = cursor === '' ? '?limit=3' : `?limit=3&cursor=${cursor}`
      const { body } = await owner.ask<Page<CompanyView>>('GET', `/companies${query}`)
      expect(body.nextCursor ?? 'x').toMatch(/^[\w-]+$/)
      seen.push(...body.items)
      cursor = body.nextCursor
    })
    expect(seen).toEqual(all.body.items)
    for (const query of ['limit=0', 'limit=101', 'limit=two', 'cursor=bm9uc2Vuc2U', 'cursor=%00']) {
      expect((await owner.ask('GET', `/companies?${query}`)).body.code).toBe('invalid')
    }
  })
})

describe('the account', () => {
  test('shows its plan, and its Owner renames it', async () => {
    const { shop, owner } = await ownShop()
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    expect((await admin.ask('PATCH', '/account', { name: 'Mine' })).body.code).toBe('forbidden')
    const renamed = await owner.ask<AccountView>('PATCH', '/account', { name: 'Sara & sons' })
    expect(renamed.body).toMatchObject({ name: 'Sara & sons', plan: 'business' })
    expect((await owner.ask('PATCH', '/account', { plan: 'free' })).body.code).toBe('invalid')
  })

  test('only the operator changes its plan, which the audit tells', async () => {
    const { shop, owner } = await ownShop()
    await changePlan(world.service.context, { accountId: shop.accountId, plan: 'pro' })
    expect((await owner.ask<AccountView>('GET', '/account')).body.plan).toBe('pro')
    const audit = await owner.ask<Page<AuditView>>('GET', '/audit')
    expect(audit.body.items[0]).toMatchObject({
      action: 'account.plan_changed',
      person: null,
      detail: { from: 'business', to: 'pro' },
    })
  })
})

test('the typed client knows every route', async () => {
  const { owner } = await ownShop()
  const client = hc(world.url, {
    headers: { authorization: `Bearer ${owner.token}` },
  }) as unknown as DashboardClient
  const made = await client.api.companies.$post({ json: { name: 'Branch' } })
  const company: CompanyView = await made.json()
  const renamed = await client.api.companies[':companyId'].$patch({
    param: { companyId: company.id },
    json: { name: 'Riyadh branch' },
  })
  expect((await renamed.json()).name).toBe('Riyadh branch')
  const list = await client.api.companies.$get({ query: { limit: '1' } })
  expect((await list.json()).items).toHaveLength(1)
  // @ts-expect-error -- a company is renamed by its name, not by its title
  const wrong = await client.api.companies.$post({ json: { title: 'Branch' } })
  expect(wrong.status).toBe(422)
})
