/** A channel's templates are what its provider lists. Spec: Concepts › Template. */
import { beforeEach, expect, test } from 'vitest'
import type { TemplateInfo } from '../../src/channels/channel-adapter.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { syncTemplates } from '../../src/messaging/sync-templates.ts'
import { templatesOf } from '../support/records/templates.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'

const world = await openWorld()
const shop = await createShop(world)
beforeEach(() => world.clock.advance(SECOND_MS))

const listed = (name: string, status = 'APPROVED'): TemplateInfo => ({
  providerTemplateId: `of ${name}`,
  name,
  language: 'ar',
  category: 'UTILITY',
  status,
  parameterFormat: 'POSITIONAL',
  components: [],
})
const sync = (templates: TemplateInfo[], isWhole = true) =>
  syncTemplates(
    world.service.context,
    { id: shop.channelId, companyId: shop.companyId },
    { templates, isWhole },
  )
async function kept(): Promise<Record<string, string>> {
  const rows = await templatesOf(world, { channelId: shop.channelId })
  return Object.fromEntries(rows.map(({ name, status }) => [name, status]))
}

test('New ones are there, changed ones as they are now, and ones that are gone are not', async () => {
  expect(await sync([listed('a'), listed('b')])).toBe(2)
  expect(await kept()).toEqual({ a: 'APPROVED', b: 'APPROVED' })
  world.clock.advance(SECOND_MS)
  expect(await sync([listed('b', 'PAUSED'), listed('c')])).toBe(2)
  expect(await kept()).toEqual({ b: 'PAUSED', c: 'APPROVED' })
})

test('Of a list that was not read to its end none is taken for deleted', async () => {
  await sync([listed('a'), listed('b')])
  world.clock.advance(SECOND_MS)
  await sync([listed('b', 'REJECTED'), listed('c')], false)
  expect(await kept()).toEqual({ a: 'APPROVED', b: 'REJECTED', c: 'APPROVED' })
})
