/** The check of a channel: its credentials, the URL that its provider posts to, and the posts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { checkChannel } from '../../src/modules/channels/check-channel.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import type { ChannelCheck } from '../../src/contract/dashboard/channel.ts'
import { formatterFor } from '../../src/http/localize.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { putChannel } from '../support/records/channels.ts'
import type { Shop } from '../support/shop.ts'
import { answerWith, startMeta } from './loopback-meta.ts'

const PUBLIC = 'https://wasla.example'
const OURS = `${PUBLIC}/webhooks/whatsapp/00`
const APP = { whatsapp_business_api_data: { id: '1', name: 'App', link: 'https://facebook.com' } }
const refusedBy = (code: number) => ({ error: { message: 'No', type: 'OAuthException', code } })

const world = await openWorld()
let shop: Shop
let owner: Awaited<ReturnType<typeof ownedShop>>['owner']
beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  await putChannel(world, shop.channelId, { isSimulated: false })
})

/** Starts a simulator of Meta that knows the number, and answers with the apps that the account is subscribed to. */
async function playMeta(status: number, apps: unknown) {
  const number = answerWith(200, { id: shop.phoneNumberId, verified_name: 'Shop' })
  const meta = await startMeta((response, seen) =>
    (seen.path.endsWith('/subscribed_apps') ? answerWith(status, apps) : number)(response),
  )
  world.baseUrls.whatsApp = meta.url
  return meta
}

/** Runs the check as a service with this public URL does. */
async function check(publicUrl = PUBLIC): Promise<ChannelCheck> {
  const { context, keyRing } = world.service
  const { ids, clock } = context
  const { baseUrls } = world
  const adapters = createChannelAdapters({ ids, clock, baseUrls, graphApiVersion: 'v25.0' })
  const deps = {
    ...context,
    keyRing,
    adapters,
    formatFact: formatterFor('en'),
    publicUrl: () => publicUrl,
  }
  try {
    return await checkChannel(deps, shop)
  } finally {
    for (const adapter of Object.values(adapters)) await adapter?.close()
  }
}

describe('The check of a WhatsApp number', () => {
  test("passes if Meta posts events to an app, or to the service's URL", async () => {
    for (const apps of [
      [APP],
      [{ ...APP, override_callback_uri: 'https://other.example/hook' }, APP],
      [{ ...APP, override_callback_uri: OURS }],
    ]) {
      const meta = await playMeta(200, { data: apps })
      expect(await check()).toEqual({ ok: true, label: 'Shop', isSubscribed: true })
      const asked = `/v25.0/${shop.businessAccountId}/subscribed_apps`
      expect(meta.seen.at(-1)).toMatchObject({ method: 'GET', path: asked })
    }
  })

  test.each([
    ['the account is subscribed to no app', 200, { data: [] }, /no app is subscribed/],
    [
      'every app posts to another URL, of which only the origin is named',
      200,
      { data: [{ ...APP, override_callback_uri: 'https://other.example/hook?key=secret' }] },
      /another URL, at \S*https:\/\/other\.example\S*\. Set/,
    ],
    ['Meta does not say', 403, refusedBy(200), /whatsapp_business_management.*No.*\(200\)/],
    ['Meta answers something else', 200, {}, /does not say/],
  ])('fails when %s', async (_, status, apps, reason) => {
    await playMeta(status, apps)
    const { ok, reason: told } = (await check()) as Extract<ChannelCheck, { ok: false }>
    expect([ok, told.text]).toEqual([false, expect.stringMatching(reason)])
    expect(told.text).not.toContain('secret')
  })

  const UNREACHED = ['http://wasla.example', 'https://10.1.2.3:8443', 'https://localhost']
  test.each([...UNREACHED, 'https://wasla', 'https://wasla.internal'])(
    'fails if Meta cannot reach the URL %s',
    async (publicUrl) => {
      await playMeta(200, { data: [APP] })
      expect(await check(publicUrl)).toMatchObject({
        ok: false,
        reason: {
          code: 'channel_callback_unreachable',
          text: expect.stringContaining(`${publicUrl}/webhooks/whatsapp`),
        },
      })
    },
  )

  test('fails by the API too for a service on this machine, except for a simulated number', async () => {
    await playMeta(200, { data: [APP] })
    const path = `/companies/${shop.companyId}/channels/${shop.channelId}/check`
    const reason = { code: 'channel_callback_unreachable' }
    expect((await owner.ask('POST', path)).body).toMatchObject({ ok: false, reason })
    world.baseUrls.simulated.whatsApp = world.baseUrls.whatsApp
    await putChannel(world, shop.channelId, { isSimulated: true })
    expect((await owner.ask('POST', path)).body).toMatchObject({ ok: true, isSubscribed: true })
  })
})
