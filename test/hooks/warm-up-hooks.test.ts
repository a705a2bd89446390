import { expect, test } from 'vitest'
import { warmUpHooks } from '../../src/modules/hooks/warm-up-hooks.ts'
import { openWorld } from '../support/open-world.ts'
import { postHook } from '../support/post-hook.ts'
import { countEach } from '../support/records/any-table.ts'
import { createShop } from '../support/shop.ts'

test('Warming up for hooks runs their statements without an error, and changes nothing', async () => {
  const world = await openWorld({ hasOwnDatabase: true })
  const shop = await createShop(world)
  const { context } = world.service
  const count = () =>
    countEach(world, [
      'contact',
      'conversation',
      'event',
      'flowRun',
      'hookShape',
      'hookUrlCount',
      'companyHookCount',
    ])
  const before = await count()
  await warmUpHooks(context, 2)
  expect(await count()).toEqual(before)
  // No lock of it remains.
  expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
})
