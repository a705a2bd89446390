import { afterAll, describe, expect, test } from 'vitest'
import type {
  ChannelCheck,
  ChannelView,
  ConnectedChannel,
} from '../../src/contract/dashboard/channel.ts'
import type { SyncedTemplates, TemplateView } from '../../src/contract/dashboard/template.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { addFlow } from '../support/add-flow.ts'
import { postHook } from '../support/post-hook.ts'
import { refusalsOf, signedIn, itemsOf } from '../support/dashboard.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { processUnwoken } from '../support/process-unwoken.ts'
import { actionsOn } from '../support/records/audit.ts'
import { channelOf, putChannel } from '../support/records/channels.ts'
import { textOfSecrets } from '../support/records/erasing.ts'
import { createOwnShop, createShop } from '../support/shop.ts'
import { approved } from '../support/simulator.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { loseChannelSecrets } from '../support/records/credentials.ts'
import { simulateTelegram } from '../support/telegram.ts'
import { systemTest } from '../support/system-tests.ts'

const TOKEN = 'a-token-that-the-provider-knows'
const SECRET = 'app-secret-of-the-merchant'

const { world, whatsApp } = await openWhatsApp()
// The simulator replaces the provider in these tests.
world.baseUrls.whatsApp = whatsApp.simulator.baseUrl
const shop = await createShop(world)
let owner = await signedIn(world, shop)

const channels = `/companies/${shop.companyId}/channels`

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
    webhookUrl: `${world.url}/webhooks/whatsapp/00`,
    templates: ['ar', 'en'].map((language) => approved(`hello_${serial}`, language)),
  })
  return { type: 'whatsapp', name: 'Main number', credentials }
}

async function connect(input: object = newNumber()): Promise<ConnectedChannel> {
  const answer = await owner.ask<ConnectedChannel>('POST', channels, input)
  expect(answer.status).toBe(201)
  return answer.body
}

const pathOf = ({ id }: Pick<ChannelView, 'id'>) => `${channels}/${id}`

async function templatesOf(channelId: string, more = '') {
  const path = `/companies/${shop.companyId}/templates?channelId=${channelId}${more}`
  return await itemsOf<TemplateView>(owner, path)
}

/** A shop for channels whose credentials are unreadable, as after a restore without the key. */
const provider = await simulateTelegram(world)
const bots = await provider.openShop()
const ofBots = `/companies/${bots.companyId}/channels`
afterAll(() => provider.close())

const problemOf = async (channelId: string) => {
  const items = await itemsOf<ChannelView>(bots.owner, ofBots)
  expect(items.map(({ id }) => id)).toContain(bots.channelId)
  return items.find(({ id }) => id === channelId)!.problem?.code ?? null
}
const UNREADABLE = 'channel_credentials_unreadable'

test('channels with unreadable credentials are listed, say so, and can be disconnected', async () => {
  const { body } = await bots.owner.ask<ConnectedChannel>('POST', ofBots, {
    type: 'voice',
    name: 'Calls',
    credentials: { provider: 'signed', secret: 'a-secret-of-twenty-characters' },
  })
  const { id } = body.channel
  await loseChannelSecrets(world, { channelId: id })
  expect(await problemOf(id)).toBe(UNREADABLE)
  const off = await bots.owner.ask<ChannelView>('POST', `${ofBots}/${id}/disconnect`)
  expect(off).toMatchObject({ status: 200, body: { isConnected: false } })
  const credentials = { secret: 'another-of-twenty-characters' }
  expect((await bots.owner.ask('PATCH', `${ofBots}/${id}`, { credentials })).status).toBe(200)
  expect(await problemOf(id)).toBeNull()
})

systemTest(
  'channels with unreadable credentials work again once new ones are entered, with new secrets',
  async () => {
    const { channel, token } = bots
    const chat = bots.newChat()
    provider.telegram.sendText(chat, 'before')
    await provider.hear()
    await loseChannelSecrets(world, { channelId: channel.id })
    expect(await problemOf(channel.id)).toBe(UNREADABLE)
    const edit = (json: object) =>
      bots.owner.ask<ConnectedChannel>('PATCH', `${ofBots}/${channel.id}`, json)
    expect(await edit({ name: 'The bot' })).toMatchObject({ status: 409 })
    const edited = await edit({ credentials: { botToken: token } })
    expect(edited).toMatchObject({
      status: 200,
      body: { shownOnce: { webhookSecret: expect.any(String) }, channel: { problem: null } },
    })
    provider.telegram.sendText(chat, 'after')
    world.clock.advance(MINUTE_MS)
    await provider.hear()
    expect((await bots.messages()).map(({ text }) => text)).toEqual(['before', 'after'])
  },
)

describe('A WhatsApp number', () => {
  test('is connected with its credentials, which the provider accepts and which are never shown again', async () => {
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
      webhookUrl: `${world.url}/webhooks/whatsapp/00`,
      isCoexistence: false,
      history: null,
      riskAcceptedAt: null,
      createdAt: world.clock.now().toISOString(),
      updatedAt: world.clock.now().toISOString(),
    })
    expect(verifyToken.length).toBeGreaterThan(20)
    const shown = await owner.ask<ChannelView>('GET', pathOf(channel))
    expect(shown.body).toEqual(channel)
    const listed = (await owner.ask('GET', channels)).body
    const everything = `${JSON.stringify([shown.body, listed, world.logged])}${await textOfSecrets(world)}`
    for (const secret of [TOKEN, SECRET, verifyToken]) expect(everything).not.toContain(secret)
  })

  test('answers the provider’s handshake with its current verify token', async () => {
    const { shownOnce } = await connect(newNumber({ verifyToken: 'chosen-by-hand' }))
    const { verifyToken } = shownOnce
    expect(verifyToken).toBe('chosen-by-hand')
    const query = `hub.mode=subscribe&hub.verify_token=${verifyToken}&hub.challenge=123`
    const answer = await fetch(`${world.url}/webhooks/whatsapp?${query}`)
    expect([answer.status, await answer.text()]).toEqual([200, '123'])
  })

  test('is not connected if the provider rejects it, and the answer says why', async () => {
    const refused = await owner.ask('POST', channels, newNumber({ accessToken: 'wrong-token' }))
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'invalid',
        detail: expect.stringContaining('rejected the access token'),
        errors: [{ field: 'credentials.accessToken', code: 'whatsapp_auth' }],
      },
    })
    expect(JSON.stringify(refused.body)).not.toContain('wrong-token')
  })

  test('is not connected, and keeps its app secret, if the new secret belongs to another app', async () => {
    const wrong = {
      status: 422,
      body: { errors: [{ field: 'credentials.appSecret', code: 'meta_app_secret_wrong' }] },
    }
    const made = await owner.ask('POST', channels, newNumber({ appSecret: 'made-up-secret' }))
    expect(made).toMatchObject(wrong)
    const { channel } = await connect()
    const credentials = { appSecret: 'made-up-secret' }
    expect(await owner.ask('PATCH', pathOf(channel), { credentials })).toMatchObject(wrong)
    const same = await owner.ask('PATCH', pathOf(channel), { credentials: { appSecret: SECRET } })
    expect(same.status).toBe(200)
  })

  test('is not connected while the provider is unreachable', async () => {
    const { whatsApp: before } = world.baseUrls
    world.baseUrls.whatsApp = 'http://127.0.0.1:9'
    const refused = await owner.ask('POST', channels, newNumber())
    world.baseUrls.whatsApp = before
    expect(refused).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
  })

  test('is connected once in the whole service, and the conflict does not reveal its company', async () => {
    const input = newNumber()
    await connect(input)
    const { shop: theirs, owner: other } = await ownedShop(world)
    const path = `/companies/${theirs.companyId}/channels`
    const refused = await other.ask('POST', path, input)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', errors: [{ field: 'credentials', code: 'channel_taken' }] },
    })
    expect(JSON.stringify(refused.body)).not.toContain(shop.companyId)
    const fresh = newNumber()
    const both = await Promise.all([
      owner.ask('POST', channels, fresh),
      other.ask('POST', path, fresh),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  const withCredentials = (change: object) => ({ credentials: newNumber(change).credentials })
  test.each<[string, () => object]>([
    ['isSimulated', () => ({ isSimulated: true })],
    ['type', () => ({ type: 'pigeon' })],
    ['country', () => ({ country: 'Saudi' })],
    ['credentials', () => ({ credentials: 'secret' })],
    ['credentials.phoneNumberId', () => withCredentials({ phoneNumberId: '../me' })],
    ['credentials.accessToken', () => withCredentials({ accessToken: 'two\r\nlines' })],
    ['credentials.displayNumber', () => withCredentials({ displayNumber: '+966 50' })],
    ['credentials.verifyToken', () => withCredentials({ verifyToken: 'short' })],
    ['credentials.botToken', () => withCredentials({ botToken: 'of another provider' })],
  ])('with a wrong %s is refused by that field', async (field, change) => {
    const refused = await owner.ask('POST', channels, { ...newNumber(), ...change() })
    expect(refused.status).toBe(422)
    expect(refused.body.errors![0]).toMatchObject({ field })
  })

  test('needs a country if its digits do not determine one', async () => {
    const input = newNumber({ displayNumber: '99900000000' })
    expect(refusalsOf(await owner.ask('POST', channels, input))).toEqual([
      'country: country_needed',
    ])
    const { channel } = await connect({ ...input, country: 'EG' })
    expect(channel.country).toBe('EG')
  })

  test('is refused by every field together if nothing is filled in', async () => {
    const credentials = { phoneNumberId: '', accessToken: '', appSecret: '', displayNumber: '' }
    const input = { type: 'whatsapp', name: '', credentials }
    const { errors } = (await owner.ask('POST', channels, input)).body
    const asked = ['accessToken', 'appSecret', 'businessAccountId', 'displayNumber']
    const fields = [...asked, 'phoneNumberId'].map((field) => `credentials.${field}`)
    expect(errors!.map(({ field }) => field).toSorted()).toEqual([...fields, 'name'])
  })

  test('is edited; another phone number id asks for the credentials again', async () => {
    const { channel } = await connect()
    const path = pathOf(channel)
    world.clock.advance(1_000)
    const edit = (json: object) => owner.ask<{ channel: ChannelView }>('PATCH', path, json)
    expect((await edit({ name: 'Second' })).body.channel.name).toBe('Second')
    const { phoneNumberId, businessAccountId } = newNumber().credentials
    const moved = { phoneNumberId, businessAccountId }
    const refused = await edit({ credentials: moved })
    expect([refused.status, refusalsOf(refused)]).toEqual([
      422,
      ['accessToken', 'appSecret'].map((one) => `credentials.${one}: channel_secret_needed_again`),
    ])
    const { body } = await edit({
      credentials: { ...moved, accessToken: TOKEN, appSecret: SECRET },
    })
    expect(body.channel.credentials.phoneNumberId).toBe(phoneNumberId)
    expect(await actionsOn(world, { subjectId: channel.id })).toEqual([
      'channel.connected',
      'channel.edited',
      'channel.edited',
    ])
  })

  test('keeps its credentials when the provider rejects the new token', async () => {
    const { channel } = await connect()
    const path = pathOf(channel)
    const refused = await owner.ask('PATCH', path, {
      credentials: { accessToken: 'no-longer-good' },
    })
    expect(refused.status).toBe(422)
    const check = await owner.ask<ChannelCheck>('POST', `${path}/check`)
    // The credentials are still right, but Meta cannot reach the address that it would post to.
    const reason = { code: 'channel_callback_unreachable' }
    expect(check.body).toMatchObject({ ok: false, reason })
  })

  systemTest('answers hooks channel_unavailable while it is disconnected', async () => {
    const connected = await whatsApp.openShop()
    const member = await signedIn(world, { accountId: connected.accountId, role: 'admin' })
    const path = `/companies/${connected.companyId}/channels/${connected.channelId}`
    const off = await member.ask<ChannelView>('POST', `${path}/disconnect`)
    expect(off.body).toMatchObject({
      isConnected: false,
      disconnectedReason: { code: 'channel_off_by_member', text: expect.any(String) },
    })
    await expect
      .poll(async () => (await postHook(connected.hookUrl)).status)
      .toBe('channel_unavailable')
    const on = await member.ask<ChannelView>('POST', `${path}/connect`)
    expect(on.body).toMatchObject({ isConnected: true, disconnectedReason: null })
    await expect.poll(async () => (await postHook(connected.hookUrl)).status).toBe('accepted')
    expect(await actionsOn(world, { subjectId: connected.channelId })).toEqual([
      'channel.disconnected',
      'channel.reconnected',
    ])
  })

  test('is not deleted while published flows use it, and the answer names them', async () => {
    const refused = await owner.ask('DELETE', `${channels}/${shop.channelId}`)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('"Order is ready"') },
    })
  })

  test('is not deleted while more flows use it than the answer names, and the answer says how many more', async () => {
    const many = await createOwnShop(world)
    const member = await signedIn(world, many)
    for (let n = 0; n < 22; n += 1) await addFlow(world, many)
    const path = `/companies/${many.companyId}/channels/${many.channelId}`
    const refused = await member.ask<{ detail: string }>('DELETE', path)
    expect(refused.status).toBe(409)
    expect(refused.body.detail.match(/"[^"]+"/g)).toHaveLength(20)
    expect(refused.body.detail).toContain('" and 3 more. Publish them')
  })

  test('is deleted with its credentials and templates, and its number is free again', async () => {
    const input = newNumber()
    const { channel } = await connect(input)
    const path = pathOf(channel)
    await owner.ask('POST', `${path}/templates/sync`)
    expect((await owner.ask('DELETE', path)).status).toBe(204)
    expect((await owner.ask('GET', path)).status).toBe(404)
    const kept = await channelOf(world, { channelId: channel.id })
    expect(kept).toMatchObject({ credentials: '', isConnected: false })
    expect(await templatesOf(channel.id)).toEqual([])
    await connect(input)
  })
})

describe('Templates', () => {
  test('are read from the provider when a member asks, with their placeholders', async () => {
    const { channel } = await connect()
    const name = `hello_${serial}`
    const synced = await owner.ask<SyncedTemplates>('POST', `${pathOf(channel)}/templates/sync`)
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

  systemTest('are read soon after a channel is connected, then about every hour', async () => {
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

  test('stay as they are where one channel fails to sync, which stops no other', async () => {
    // The clock has moved on, and this route needs a password that was entered recently.
    owner = await signedIn(world, shop)
    const { channel } = await connect()
    const other = (await connect()).channel
    await processUnwoken(world)
    await putChannel(world, channel.id, { providerAccount: '404404' })
    const before = (await templatesOf(other.id))[0]!.syncedAt
    world.clock.advance(2 * HOUR_MS)
    await world.service.processAll()
    expect(await templatesOf(channel.id)).toHaveLength(2)
    expect((await templatesOf(other.id))[0]!.syncedAt > before).toBe(true)
    expect(world.logged.join('\n')).toContain('template sync failed')
    const refused = await owner.ask('POST', `${pathOf(channel)}/templates/sync`)
    expect(refused).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
  })
})
