/**
 * A channel of another provider consists of its folder and a line in the registry. Here an adapter that is new to the
 * service is connected, gets messages and sends them, by the same functions and at a separate webhook URL.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { EVENT_DATA } from '../../src/contract/webhook-data.ts'
import { channelsOf } from '../support/records/channels.ts'
import { auditLog } from '../support/records/audit.ts'
import { messagesOf } from '../support/records/messages.ts'
import { signedIn } from '../support/dashboard.ts'
import { createSecondAdapter } from '../support/second-provider/adapter.ts'
import { startSecondProvider } from '../support/second-provider/provider.ts'
import { createShop } from '../support/shop.ts'
import { PNG, uploadFile } from '../support/upload-file.ts'
import { ASKING, keyword, saying } from '../flows/triggers/trigger-stories.ts'
import { openWorld } from '../support/open-world.ts'

const TOKEN = '77:a-token-of-the-bot'
const CHOSEN = 'chosen-by-hand'

const provider = await startSecondProvider()
afterAll(() => provider.close())
provider.tokens.add(TOKEN)
const world = await openWorld({ channelAdapters: { telegram: createSecondAdapter(provider.url) } })
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const company = `/companies/${shop.companyId}`
const connect = (credentials: object) =>
  owner.ask<ConnectedChannel>('POST', `${company}/channels`, {
    type: 'telegram',
    name: 'The bot',
    credentials,
  })
const { channel, shownOnce } = (await connect({ botToken: TOKEN })).body
const path = `${company}/channels/${channel.id}`
let secret = shownOnce.webhookSecret!

async function post(update: object, by: string | null = secret): Promise<number> {
  const status = await provider.post(channel.webhookUrl!, by, { bot: '77', ...update })
  await world.service.processAll()
  return status
}
let serial = 0
const written = (text: string, more: object = {}) => {
  const at = world.clock.now().getTime()
  return { written: { id: `update-${(serial += 1)}`, chat: '500', by: 'Sara', text, at, ...more } }
}
const messagesIn = () => messagesOf(world, { channelId: channel.id })

describe('A channel of a second provider', () => {
  test('is connected by its own form, and shows at most the end of each secret', async () => {
    expect(channel).toMatchObject({
      type: 'telegram',
      credentials: {},
      secretEnds: { botToken: TOKEN.slice(-4) },
      country: null,
      isConnected: true,
      webhookUrl: `${world.url}/webhooks/telegram/00`,
    })
    expect(secret.length).toBeGreaterThan(20)
    const everything = JSON.stringify([
      (await owner.ask('GET', `${company}/channels`)).body,
      await channelsOf(world, shop),
      await auditLog(world, { accountId: shop.accountId }),
      world.logged,
    ])
    for (const hidden of [TOKEN, secret]) expect(everything).not.toContain(hidden)
  })

  test('is checked, has its templates read page by page, and can replace its secret without its token', async () => {
    const check = await owner.ask('POST', `${path}/check`)
    // Its provider posts webhooks, and cannot reach this machine.
    const reason = { code: 'channel_callback_unreachable' }
    expect(check.body).toMatchObject({ ok: false, reason })
    expect((await owner.ask('POST', `${path}/templates/sync`)).body).toEqual({ templates: 3 })
    const credentials = { webhookSecret: CHOSEN }
    const edited = await owner.ask<ConnectedChannel>('PATCH', path, { credentials })
    expect(edited.body.shownOnce).toEqual(credentials)
    expect(await post(written('too late'))).toBe(401)
    secret = CHOSEN
    expect(await post({})).toBe(200)
  })
})

describe('A post of a second provider', () => {
  test('is refused without proof, and a path without an adapter is not found', async () => {
    const update = written('not signed')
    expect(await post(update, null)).toBe(401)
    expect(await post(update, 'a wrong secret')).toBe(401)
    expect(await post({ bot: '78', ...update })).toBe(401)
    expect(await messagesIn()).toEqual([])
    for (const nobody of ['pigeons', 'pigeon', '', 'toString']) {
      expect(await provider.post(`${world.url}/webhooks/${nobody}`, secret, update)).toBe(404)
    }
    expect((await fetch(channel.webhookUrl!)).headers.get('allow')).toBe('POST')
  })

  test('raises one event, and a flow answers it, with receipts for its messages and a picture', async () => {
    const flow = await owner.ask<{ id: string }>('POST', `${company}/flows`, {
      name: 'Orders',
      draft: {
        channelId: channel.id,
        trigger: keyword('order'),
        start: 'ask',
        steps: {
          ask: saying('Which order, {{contact.name}}?', 'wait'),
          wait: { ...ASKING.ask, saveAs: 'order', next: 'thank' },
          thank: saying('We look for {{vars.order}}.'),
        },
      },
    })
    await owner.ask('POST', `${company}/flows/${flow.body.id}/publish`)
    const order = written('order')
    expect([await post(order), await post(order)]).toEqual([200, 200])
    const [event, ...more] = world.receiver.events('message.received')
    expect(more).toEqual([])
    const data = EVENT_DATA['message.received'].parse(event!.data)
    expect(data).toMatchObject({
      message: { text: 'order', type: 'text' },
      // The customer's id at the provider is not in events.
      contact: { name: 'Sara', phone: null, whatsAppId: null },
      conversation: { channelId: channel.id, channelType: 'telegram' },
    })
    expect(world.receiver.events('conversation.started')).toHaveLength(1)
    expect(world.receiver.events('contact.created')).toHaveLength(1)

    const [question] = provider.sent
    expect(question).toMatchObject({ chat: '500', text: 'Which order, Sara?' })
    expect(await post({ seen: { id: question!.id, at: world.clock.now().getTime() } })).toBe(200)
    expect(await messagesIn()).toContainEqual(
      expect.objectContaining({
        providerMessageId: question!.id,
        id: question!.ourReference,
        status: 'read',
      }),
    )
    provider.pictures.set('picture-1', PNG)
    expect(await post(written('A-17', { picture: 'picture-1' }))).toBe(200)
    expect(provider.sent.at(-1)).toMatchObject({ text: 'We look for A-17.' })
    expect(world.receiver.events('flow.completed')).toHaveLength(1)
    const { fileId } = (await messagesIn()).findLast(({ type }) => type === 'image')!
    expect((await owner.ask('GET', `${company}/files/${fileId}`)).body).toMatchObject({
      state: 'kept',
      mediaType: 'image/png',
      size: PNG.length,
    })
    const messages = `${company}/conversations/${encodeURIComponent(data.conversation.id)}/messages`
    const answer = { key: 'k', fileId: await uploadFile(world, owner, shop.companyId) }
    expect((await owner.ask('POST', messages, answer)).status).toBe(201)
    await world.service.processAll()
    expect(provider.sent.at(-1)).toMatchObject({ chat: '500', file: PNG.toString('base64') })
  })
})
