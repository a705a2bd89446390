import { expect, test } from 'vitest'
import type { CompanyView } from '../../src/contract/dashboard/company.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { createOwnShop } from '../support/shop.ts'

const MAX = 3
const world = await openWorld({ projectsPerAccount: String(MAX) })

test('each account has as many projects as the operator allows, also with concurrent requests', async () => {
  const [shop, other] = [await createOwnShop(world), await createOwnShop(world)]
  const owner = await signedIn(world, { accountId: shop.accountId })
  const make = (nth: number) => owner.ask('POST', '/companies', { name: `Project ${nth}` })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => make(nth)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    ...Array<number>(MAX).fill(201),
    ...Array<number>(10 - MAX).fill(409),
  ])
  expect(await make(11)).toMatchObject({
    status: 409,
    body: { code: 'limit_reached', reason: 'projects_used_up', params: { max: MAX } },
  })
  const { body } = await owner.ask<Page<CompanyView>>('GET', '/companies')
  expect(body.items).toHaveLength(MAX + 1)
  const stranger = await signedIn(world, { accountId: other.accountId })
  expect((await stranger.ask('POST', '/companies', { name: 'Theirs' })).status).toBe(201)
})
