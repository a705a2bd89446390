/** A database that is away delays the sync of templates only until it is back. */
import { expect, test } from 'vitest'
import { CHANNEL_LIMITS } from '../../src/core/limits/messaging.ts'
import type { ChannelCache } from '../../src/modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../../src/modules/channels/registry.ts'
import { createSyncTemplatesWorker } from '../../src/workers/sync-templates.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { channelOf, putChannel } from '../support/records/channels.ts'

const { world, whatsApp } = await openWhatsApp()

test('An unavailable database delays the sync of templates by no hour', async () => {
  const shop = await whatsApp.openShop()
  const dueAt = world.clock.now()
  await putChannel(world, shop.channelId, { templatesDueAt: dueAt })
  const { context } = world.service
  let reads = 0
  const reload = () => {
    reads += 1
    return Promise.reject(new Error('Connection terminated'))
  }
  const worker = createSyncTemplatesWorker(context, {
    adapters: {} as ChannelAdapters,
    knownChannels: { reload } as unknown as ChannelCache,
    claimId: () => context.ids.uuid(),
    onProgress: () => {},
  })
  await worker.work()
  await worker.drain()
  expect(reads).toBe(1)
  // The claim ends with its lease, or as soon as the database is back.
  const { templatesDueAt, claimId } = await channelOf(world, shop)
  expect(templatesDueAt).toEqual(new Date(dueAt.getTime() + CHANNEL_LIMITS.templatesLeaseMs))
  expect(claimId).not.toBe(null)
})
