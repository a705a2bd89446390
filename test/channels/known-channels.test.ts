/**
 * The memory cache of channels: each is read and decrypted once, invalidated by changes, and never preferred to the
 * provider's answer.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createChannelCache, type ChannelCache } from '../../src/modules/channels/channel-cache.ts'
import { messagesOf } from '../support/records/messages.ts'
import { forgetToTell, rerouteSilently, setDisplayNumber } from '../support/records/channels.ts'
import { setCredentials } from '../support/records/credentials.ts'
import { runOf } from '../support/records/runs.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { ACCESS_TOKEN, createShop, type Shop } from '../support/shop.ts'
import { newPhone, numberOf, simulateWhatsApp } from '../support/simulator.ts'
import { waitUntil } from '../support/wait.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld()
  shop = await createShop(world)
})
afterEach(() => world.close())

const message = (of = shop) => webhookOf(of, [written({ from: newPhone().slice(1) })])

/** Changes the secrets as another process does, of which this one only gets a notification. */
const useSecrets = (of: Shop, change: Record<string, string>) =>
  setCredentials(world, of, {
    accessToken: ACCESS_TOKEN,
    appSecret: 'test_app_secret',
    verifyToken: 'my_verify_token',
    ...change,
  })

/** Posts messages until one is received without a decryption, which means that the channel is in the cache. */
async function untilRemembered() {
  const decrypt = vi.spyOn(world.service.keyRing, 'decrypt')
  await waitUntil('the channel is remembered', async () => {
    decrypt.mockClear()
    expect(await postWebhook(world, message())).toBe(200)
    return decrypt.mock.calls.length === 0
  })
  return decrypt
}

describe('A cached channel', () => {
  systemTest('is neither read nor decrypted for a post of the provider', async () => {
    const decrypt = await untilRemembered()
    for (let n = 0; n < 5; n += 1) expect(await postWebhook(world, message())).toBe(200)
    expect(decrypt).not.toHaveBeenCalled()
  })

  systemTest('is not decrypted for a send', async () => {
    const whatsApp = await simulateWhatsApp(world)
    const connected = await whatsApp.openShop()
    const decrypt = vi.spyOn(world.service.keyRing, 'decrypt')
    const decryptedForOneOrder = async () => {
      decrypt.mockClear()
      await connected.order(newPhone())
      await whatsApp.settle()
      return decrypt.mock.calls.filter(([, place]) => place.table === 'channel').length
    }
    await waitUntil('it is remembered', async () => (await decryptedForOneOrder()) === 0)
    expect(await decryptedForOneOrder()).toBe(0)
    await whatsApp.close()
  })

  test('is read again after a failed signature, so that a new secret works immediately', async () => {
    await untilRemembered()
    await useSecrets(shop, { appSecret: 'another secret' })
    expect(await postWebhook(world, message(), { secret: 'another secret' })).toBe(200)
  })

  test('is removed when it changes, so that the old secret soon fails', async () => {
    await untilRemembered()
    await useSecrets(shop, { appSecret: 'another secret' })
    let status = 200
    await waitUntil('the change is heard of', async () => {
      status = await postWebhook(world, message())
      return status !== 200
    })
    expect(status).toBe(401)
  })

  test('is removed when its display number changes, although only sends use that', async () => {
    const decrypt = await untilRemembered()
    await setDisplayNumber(world, shop, '12025550199')
    await waitUntil('the change is heard of', async () => {
      expect(await postWebhook(world, message())).toBe(200)
      return decrypt.mock.calls.length > 0
    })
  })

  systemTest(
    'receives nothing once it has another route, with or without a notification',
    async () => {
      await untilRemembered()
      const before = await messagesOf(world, { companyId: shop.companyId })
      // This change sends no notification.
      await rerouteSilently(world, shop, 'moved')
      expect(await postWebhook(world, message())).toBe(200)
      expect(await messagesOf(world, { companyId: shop.companyId })).toEqual(before)
      expect(world.logged.join('')).toContain('unknown channel')
      const next = await createShop(world, { businessAccountId: 'another' })
      expect(await postWebhook(world, message(next))).toBe(200)
      expect(await messagesOf(world, { channelId: next.channelId })).toHaveLength(1)
    },
  )

  systemTest('has its credentials read again when the provider refuses them', async () => {
    const whatsApp = await simulateWhatsApp(world)
    const connected = await whatsApp.openShop()
    await connected.order(newPhone())
    await whatsApp.settle()
    await forgetToTell(world)
    const accessToken = 'a-newer-token'
    whatsApp.simulator.addNumber(numberOf(connected, world.url, { accessToken }))
    await useSecrets(connected, { accessToken })
    const runId = await connected.order(newPhone())
    await whatsApp.settle()
    const run = await runOf(world, runId)
    expect(run).toMatchObject({ status: 'waiting', endDetail: null })
    await whatsApp.close()
  })
})

describe('The cache of channels', () => {
  let known: ChannelCache
  afterEach(() => known.close())

  systemTest('is bounded, and removes the least recently used channel first', async () => {
    known = createChannelCache(world.service.context, {
      keyRing: world.service.keyRing,
      connection: world.database.connection,
      max: 2,
    })
    const shops = [shop]
    for (const route of ['1', '2']) {
      shops.push(await createShop(world, { phoneNumberId: route, businessAccountId: route }))
    }
    const [first, second, third] = shops.map(({ channelId }) => channelId)
    await waitUntil('changes are heard of', async () => {
      await known.byId(first!)
      await known.byId(second!)
      return known.recall('whatsapp', [shop.phoneNumberId]) !== null
    })
    await known.byId(third!)
    expect(known.size()).toBe(2)
    expect(known.recall('whatsapp', [shop.phoneNumberId, '2'])).toHaveLength(2)
    expect(known.recall('whatsapp', ['1'])).toBeNull()
  })

  test('returns nothing unless it has all requested channels', async () => {
    known = createChannelCache(world.service.context, {
      keyRing: world.service.keyRing,
      connection: world.database.connection,
    })
    await waitUntil('changes are heard of', async () => {
      await known.byId(shop.channelId)
      return known.recall('whatsapp', [shop.phoneNumberId]) !== null
    })
    expect(known.recall('whatsapp', [shop.phoneNumberId, 'nobody'])).toBeNull()
    expect(known.recall('whatsapp', [])).toBeNull()
    expect(known.recall('telegram', [shop.phoneNumberId])).toBeNull()
  })
})
