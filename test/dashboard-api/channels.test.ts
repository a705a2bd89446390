import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  ChannelCheck,
  ChannelView,
  ConnectedChannel,
} from '../../src/contract/dashboard/channel.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { SyncedTemplates, TemplateView } from '../../src/contract/dashboard/template.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { askHook } from '../support/ask-hook.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { approved, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'

const TOKEN = 'a-token-that-the-provider-knows'
const SECRET = 'app-secret-of-the-merchant'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: Shop
let owner: Member
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  // For these tests the simulator stands where the provider does.
  world.baseUrls.whatsApp = whatsApp.simulator.graphBaseUrl
  shop = await createShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

const channels = () => `/companies/${shop.companyId}/channels`

let serial = 0
/** A number that the provider knows, as a merchant would type it. */
function newNumber(more: object = {}) {
  serial += 1
  const credentials = {
    phoneNumberId: `2000000000${serial}`,
    businessAccountId: `3000000000${serial}`,
    accessToken: TOKEN,
    appSecret: SECRET,
    displayNumber: `9665000000${String(serial).padStart(2, '0')}`,
    ...more,
  }
  whatsApp.simulator.addNumber({
    phoneNumberId: credentials.phoneNumberId,
    businessAccountId: credentials.businessAccountId,
    displayPhoneNumber: credentials.displayNumber,
    verifiedName: 'Shop',
    accessToken: TOKEN,
    appSecret: SECRET,
    webhookUrl: `${world.url}/webhooks/whatsapp`,
    templates: ['ar', 'en'].map((language) => approved(`hello_${serial}`, language)),
  })
  return { type: 'whatsapp', name: 'Main number', credentials }
}

async function connect(input: object = newNumber()): Promise<ConnectedChannel> {
  const answer = await owner.ask<ConnectedChannel>('POST', channels(), input)
  expect(answer.status).toBe(201)
  return answer.body
}

const actionsOn = async (subjectId: string) => {
  const rows = await world.database.db.kysely
    .selectFrom('audit')
    .select('action')
    .where('subjectId', '=', subjectId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.action)
}

describe('A WhatsApp number', () => {
  test('is connected with its credentials, which the provider vouches for and nobody sees again', async () => {
    const input = newNumber()
    const { channel, shownOnce } = await connect(input)
    const verifyToken = shownOnce.verifyToken!
    const { phoneNumberId, businessAccountId, displayNumber } = input.credentials
    expect(channel).toEqual({
      id: expect.any(String),
      type: 'whatsapp',
      name: 'Main number',
      credentials: { phoneNumberId, businessAccountId, displayNumber },
      secretEnds: { accessToken: TOKEN.slice(-4) },
      country: 'SA',
      isConnected: true,
      disconnectedReason: null,
      isSimulated: false,
      takeOverHours: 24,
      problem: null,
      webhookUrl: `${world.url}/webhooks/whatsapp`,
      isCoexistence: false,
      history: null,
      riskAcceptedAt: null,
      createdAt: world.clock.now().toISOString(),
      updatedAt: world.clock.now().toISOString(),
    })
    expect(verifyToken.length).toBeGreaterThan(20)
    const shown = await owner.ask<ChannelView>('GET', `${channels()}/${channel.id}`)
    expect(shown.body).toEqual(channel)
    const everything = JSON.stringify([
      shown.body,
      (await owner.ask('GET', channels())).body,
      await world.database.db.kysely.selectFrom('channel').selectAll().execute(),
      await world.database.db.kysely.selectFrom('audit').selectAll().execute(),
      world.logged,
    ])
    for (const secret of [TOKEN, SECRET, verifyToken]) expect(everything).not.toContain(secret)
  })

  test('answers the provider’s handshake with the verify token of that moment', async () => {
    const { shownOnce } = await connect(newNumber({ verifyToken: 'chosen-by-hand' }))
    const { verifyToken } = shownOnce
    expect(verifyToken).toBe('chosen-by-hand')
    const query = `hub.mode=subscribe&hub.verify_token=${verifyToken}&hub.challenge=123`
    const answer = await fetch(`${world.url}/webhooks/whatsapp?${query}`)
    expect([answer.status, await answer.text()]).toEqual([200, '123'])
  })

  test('that the provider does not accept is not connected, and the answer says why', async () => {
    const refused = await owner.ask('POST', channels(), newNumber({ accessToken: 'wrong-token' }))
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'invalid',
        detail: expect.stringContaining('does not accept the access token'),
        errors: [{ field: 'credentials.accessToken', code: 'whatsapp_auth' }],
      },
    })
    expect(JSON.stringify(refused.body)).not.toContain('wrong-token')
  })

  test('is not connected while the provider cannot be asked', async () => {
    const { whatsApp: before } = world.baseUrls
    world.baseUrls.whatsApp = 'http://127.0.0.1:9'
    const refused = await owner.ask('POST', channels(), newNumber())
    world.baseUrls.whatsApp = before
    expect(refused).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
  })

  test('is connected once in the whole service, and the conflict does not tell whose it is', async () => {
    const input = newNumber()
    await connect(input)
    const stranger = await createShop(world, { phoneNumberId: '9', businessAccountId: '9' })
    const other = await signedIn(world, { accountId: stranger.accountId })
    const path = `/companies/${stranger.companyId}/channels`
    const refused = await other.ask('POST', path, input)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', errors: [{ field: 'credentials', code: 'channel_taken' }] },
    })
    expect(JSON.stringify(refused.body)).not.toContain(shop.companyId)
    const fresh = newNumber()
    const both = await Promise.all([
      owner.ask('POST', channels(), fresh),
      other.ask('POST', path, fresh),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  test.each<[object, string]>([
    [{ isSimulated: true }, 'isSimulated'],
    [{ type: 'pigeon' }, 'type'],
    [{ country: 'Saudi' }, 'country'],
    [{ credentials: 'secret' }, 'credentials'],
  ])('with %j is refused by field', async (change, field) => {
    const refused = await owner.ask('POST', channels(), { ...newNumber(), ...change })
    expect(refused.status).toBe(422)
    expect(refused.body.errors![0]).toMatchObject({ field })
  })

  test.each<[object, string]>([
    [{ phoneNumberId: '../me' }, 'phoneNumberId'],
    [{ accessToken: 'two\r\nlines' }, 'accessToken'],
    [{ displayNumber: '+966 50' }, 'displayNumber'],
    [{ verifyToken: 'short' }, 'verifyToken'],
    [{ botToken: 'of another provider' }, 'botToken'],
  ])('with the credentials %j is refused by field', async (change, field) => {
    const refused = await owner.ask('POST', channels(), newNumber(change))
    expect(refused.status).toBe(422)
    expect(refused.body.errors![0]).toMatchObject({ field: `credentials.${field}` })
  })

  test('gets other secrets only from who entered the password lately', async () => {
    const { channel } = await connect()
    const path = `${channels()}/${channel.id}`
    const slow = await signedIn(world, { accountId: shop.accountId })
    world.clock.advance(16 * MINUTE_MS)
    for (const change of [
      { accessToken: TOKEN },
      { appSecret: 'another-secret' },
      { verifyToken: 'another-token' },
      { phoneNumberId: '123', accessToken: TOKEN, appSecret: SECRET },
      { businessAccountId: '123' },
    ]) {
      const refused = await slow.ask('PATCH', path, { credentials: change })
      expect([refused.status, refused.body.code]).toEqual([403, 'password_needed'])
    }
    expect((await slow.ask('PATCH', path, { name: 'Renamed' })).status).toBe(200)
    owner = await signedIn(world, { accountId: shop.accountId })
  })

  test('whose digits do not tell the country needs it', async () => {
    const input = newNumber({ displayNumber: '99900000000' })
    const refused = await owner.ask('POST', channels(), input)
    expect(refused.body.errors).toEqual([
      { field: 'country', code: 'country_needed', params: {}, message: expect.any(String) },
    ])
    const { channel } = await connect({ ...input, country: 'EG' })
    expect(channel.country).toBe('EG')
  })

  test('of which nothing is filled in is refused by every field at once', async () => {
    const credentials = { phoneNumberId: '', accessToken: '', appSecret: '', displayNumber: '' }
    const input = { type: 'whatsapp', name: '', credentials }
    const { errors } = (await owner.ask('POST', channels(), input)).body
    const asked = ['accessToken', 'appSecret', 'businessAccountId', 'displayNumber']
    const fields = [...asked, 'phoneNumberId'].map((field) => `credentials.${field}`)
    expect(errors!.map(({ field }) => field).toSorted()).toEqual([...fields, 'name'])
  })

  test('is edited; another phone number id asks for the credentials again', async () => {
    const { channel } = await connect()
    const path = `${channels()}/${channel.id}`
    world.clock.advance(1_000)
    const renamed = await owner.ask<{ channel: ChannelView }>('PATCH', path, { name: 'Second' })
    expect(renamed.body.channel.name).toBe('Second')
    const { phoneNumberId, businessAccountId } = newNumber().credentials
    const refused = await owner.ask('PATCH', path, {
      credentials: { phoneNumberId, businessAccountId },
    })
    expect(refused.status).toBe(422)
    expect(refused.body.errors!.map(({ field }) => field)).toEqual([
      'credentials.accessToken',
      'credentials.appSecret',
    ])
    const moved = await owner.ask<{ channel: ChannelView }>('PATCH', path, {
      credentials: { phoneNumberId, businessAccountId, accessToken: TOKEN, appSecret: SECRET },
    })
    expect(moved.body.channel.credentials.phoneNumberId).toBe(phoneNumberId)
    expect(await actionsOn(channel.id)).toEqual([
      'channel.connected',
      'channel.edited',
      'channel.edited',
    ])
  })

  test('keeps what it has when the provider does not accept the new token', async () => {
    const { channel } = await connect()
    const path = `${channels()}/${channel.id}`
    const refused = await owner.ask('PATCH', path, {
      credentials: { accessToken: 'no-longer-good' },
    })
    expect(refused.status).toBe(422)
    const check = await owner.ask<ChannelCheck>('POST', `${path}/check`)
    expect(check.body).toEqual({ ok: true, label: expect.stringContaining('Shop') })
  })

  test('is disconnected and connected again, and hooks answer channel_unavailable meanwhile', async () => {
    const connected = await whatsApp.openShop()
    const member = await signedIn(world, { accountId: connected.accountId, role: 'admin' })
    const path = `/companies/${connected.companyId}/channels/${connected.channelId}`
    const off = await member.ask<ChannelView>('POST', `${path}/disconnect`)
    expect(off.body).toMatchObject({
      isConnected: false,
      disconnectedReason: { code: 'channel_off_by_member', text: expect.any(String) },
    })
    await expect
      .poll(async () => (await askHook(connected.hookUrl)).status)
      .toBe('channel_unavailable')
    const on = await member.ask<ChannelView>('POST', `${path}/connect`)
    expect(on.body).toMatchObject({ isConnected: true, disconnectedReason: null })
    await expect.poll(async () => (await askHook(connected.hookUrl)).status).toBe('accepted')
    expect(await actionsOn(connected.channelId)).toEqual([
      'channel.disconnected',
      'channel.reconnected',
    ])
  })

  test('is not deleted while published flows use it, and the answer names them', async () => {
    const refused = await owner.ask('DELETE', `${channels()}/${shop.channelId}`)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('"Order is ready"') },
    })
  })

  test('is deleted with its credentials and templates, and its number is free again', async () => {
    const input = newNumber()
    const { channel } = await connect(input)
    const path = `${channels()}/${channel.id}`
    await owner.ask('POST', `${path}/templates/sync`)
    expect((await owner.ask('DELETE', path)).status).toBe(204)
    expect((await owner.ask('GET', path)).status).toBe(404)
    const row = await world.database.db.kysely
      .selectFrom('channel')
      .selectAll()
      .where('id', '=', channel.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ credentials: '', isConnected: false })
    const left = await owner.ask<Page<TemplateView>>(
      'GET',
      `/companies/${shop.companyId}/templates?channelId=${channel.id}`,
    )
    expect(left.body.items).toEqual([])
    await connect(input)
  })

  test('of another company is not found', async () => {
    const stranger = await createShop(world, { phoneNumberId: '8', businessAccountId: '8' })
    const path = `${channels()}/${stranger.channelId}`
    for (const [method, suffix, json] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/check', undefined],
      ['POST', '/connect', undefined],
      ['POST', '/disconnect', undefined],
      ['POST', '/templates/sync', undefined],
    ] as const) {
      const answer = await owner.ask(method, `${path}${suffix}`, json)
      expect([method, suffix, answer.status]).toEqual([method, suffix, 404])
    }
  })
})

describe('Templates', () => {
  const templatesOf = async (channelId: string, more = '') => {
    const path = `/companies/${shop.companyId}/templates?channelId=${channelId}${more}`
    return (await owner.ask<Page<TemplateView>>('GET', path)).body.items
  }

  test('are read from the provider when a member asks, with the places to fill in', async () => {
    const { channel } = await connect()
    const name = `hello_${serial}`
    const synced = await owner.ask<SyncedTemplates>(
      'POST',
      `${channels()}/${channel.id}/templates/sync`,
    )
    expect(synced.body).toEqual({ templates: 2 })
    const [template] = await templatesOf(channel.id, '&language=ar&status=APPROVED')
    expect(template).toMatchObject({
      name,
      language: 'ar',
      status: 'APPROVED',
      category: 'UTILITY',
      body: 'Hello {{1}}, your order {{2}} is ready.',
      slots: { header: null, body: ['1', '2'], unsupported: null },
    })
    expect(await templatesOf(channel.id, '&status=PAUSED')).toEqual([])
    expect(await templatesOf(channel.id, '&name=other')).toEqual([])
  })

  test('are read soon after a channel is connected, and about every hour from then on', async () => {
    const { channel } = await connect()
    await world.service.processAll()
    const [first] = await templatesOf(channel.id)
    expect(first!.syncedAt).toBe(world.clock.now().toISOString())
    world.clock.advance(HOUR_MS / 2)
    await world.service.processAll()
    expect(await templatesOf(channel.id)).toContainEqual(first)
    world.clock.advance(HOUR_MS)
    await world.service.processAll()
    const later = await templatesOf(channel.id)
    expect(later.map(({ syncedAt }) => syncedAt)).toEqual(
      Array(2).fill(world.clock.now().toISOString()),
    )
  })

  test('of one channel that cannot be read stop no other, and stay as they were', async () => {
    // The clock has moved on, and the password must have been entered lately.
    owner = await signedIn(world, { accountId: shop.accountId })
    const { channel } = await connect()
    const other = (await connect()).channel
    await processUnwoken(world)
    await world.database.db.kysely
      .updateTable('channel')
      .set({ providerAccount: '404404' })
      .where('id', '=', channel.id)
      .execute()
    const before = (await templatesOf(other.id))[0]!.syncedAt
    world.clock.advance(2 * HOUR_MS)
    await world.service.processAll()
    expect(await templatesOf(channel.id)).toHaveLength(2)
    expect((await templatesOf(other.id))[0]!.syncedAt > before).toBe(true)
    expect(world.logged.join('\n')).toContain('the templates of a channel could not be read')
    const refused = await owner.ask('POST', `${channels()}/${channel.id}/templates/sync`)
    expect(refused).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
  })
})
