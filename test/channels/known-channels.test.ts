/** Channels in memory: read and decrypted once, told of changes, and never trusted against the provider. */
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

/** As another process would, of which this one only hears. */
const useSecrets = (of: Shop, change: Record<string, string>) =>
  setCredentials(world, of, {
    accessToken: ACCESS_TOKEN,
    appSecret: 'test_app_secret',
    verifyToken: 'my_verify_token',
    ...change,
  })

/** Posts until one is taken in without a secret being read: the channel is remembered. */
async function untilRemembered() {
  const decrypt = vi.spyOn(world.service.keyRing, 'decrypt')
  await waitUntil('the channel is remembered', async () => {
    decrypt.mockClear()
    expect(await postWebhook(world, message())).toBe(200)
    return decrypt.mock.calls.length === 0
  })
  return decrypt
}

describe('A channel that is remembered', () => {
  systemTest('is neither read nor decrypted for what the provider posts', async () => {
    const decrypt = await untilRemembered()
    for (let n = 0; n < 5; n += 1) expect(await postWebhook(world, message())).toBe(200)
    expect(decrypt).not.toHaveBeenCalled()
  })

  systemTest('is not decrypted for what is sent on it', async () => {
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

  test('is read anew where a signature fails: a new secret counts at once', async () => {
    await untilRemembered()
    await useSecrets(shop, { appSecret: 'another secret' })
    expect(await postWebhook(world, message(), { secret: 'another secret' })).toBe(200)
  })

  test('is forgotten when it changes: the old secret soon speaks for nobody', async () => {
    await untilRemembered()
    await useSecrets(shop, { appSecret: 'another secret' })
    let status = 200
    await waitUntil('the change is heard of', async () => {
      status = await postWebhook(world, message())
      return status !== 200
    })
    expect(status).toBe(401)
  })

  test('is forgotten when another number of it shows, by which alone something is sent', async () => {
    const decrypt = await untilRemembered()
    await setDisplayNumber(world, shop, '12025550199')
    await waitUntil('the change is heard of', async () => {
      expect(await postWebhook(world, message())).toBe(200)
      return decrypt.mock.calls.length > 0
    })
  })

  systemTest('takes nothing in once it goes by another route, heard of or not', async () => {
    await untilRemembered()
    const before = await messagesOf(world, { companyId: shop.companyId })
    // Nobody is told of it here.
    await rerouteSilently(world, shop, 'moved')
    expect(await postWebhook(world, message())).toBe(200)
    expect(await messagesOf(world, { companyId: shop.companyId })).toEqual(before)
    expect(world.logged.join('')).toContain('unknown channel')
    const next = await createShop(world, { businessAccountId: 'another' })
    expect(await postWebhook(world, message(next))).toBe(200)
    expect(await messagesOf(world, { channelId: next.channelId })).toHaveLength(1)
  })

  systemTest('is asked for its credentials anew where the provider refuses them', async () => {
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

describe('The memory of channels', () => {
  let known: ChannelCache
  afterEach(() => known.close())

  systemTest('is bounded, and the longest unused is forgotten first', async () => {
    known = createChannelCache(world.service.context, {
      keyRing: world.service.keyRing,
      connection: world.database.connection,
      most: 2,
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

  test('gives no part of what is asked for', async () => {
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
