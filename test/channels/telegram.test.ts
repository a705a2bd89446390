/** Telegram from the token to the answer, over real HTTP: the service on one side, the simulator on the other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelView, ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { TELEGRAM_SAMPLES } from '../../simulators/index.ts'
import { channelsOf } from '../support/records/channels.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { newToken, simulateTelegram, type TelegramShop } from '../support/telegram.ts'
import { PNG, uploadFile } from '../support/upload-file.ts'
import { choosing, keyword, saying } from '../flows/triggers/trigger-stories.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const provider = await simulateTelegram(world)
const shop = await provider.openShop()
afterAll(async () => {
  await provider.close()
})

const conversationOf = (personId: string, of = shop) =>
  conversationWith(world, { channelId: of.channel.id }, `${of.botId}:${personId}`)
const channelPath = (of = shop) => `/companies/${of.companyId}/channels/${of.channel.id}`
const viewed = async (of = shop) => (await of.owner.ask<ChannelView>('GET', channelPath(of))).body
/** Returns the messages of a customer, sorted by their types, because all have the same time. */
const messagesWith = async (personId: string) => {
  const { id } = await conversationOf(personId)
  const rows = (await shop.messages()).filter(({ conversationId }) => conversationId === id)
  return rows.toSorted((a, b) => (a.type < b.type ? -1 : 1))
}
const fileIn = async (fileId: string | null) =>
  (await shop.owner.ask('GET', `/companies/${shop.companyId}/files/${fileId}`)).body
const reply = async (personId: string, body: object) => {
  const { id } = await conversationOf(personId)
  const path = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}/messages`
  return shop.owner.ask('POST', path, {
    key: `reply-${personId}-${JSON.stringify(body).length}`,
    ...body,
  })
}

describe('A bot', () => {
  test('is connected by its token alone, which is never shown again', async () => {
    expect(shop.channel).toMatchObject({
      type: 'telegram',
      credentials: { delivery: 'polling' },
      secretEnds: { botToken: shop.token.slice(-4) },
      isConnected: true,
      problem: null,
      webhookUrl: `${world.url}/webhooks/telegram/00/${shop.channel.id}`,
    })
    const stored = await channelsOf(world, shop)
    expect(JSON.stringify([stored, world.logged])).not.toContain(shop.token)
    const check = await shop.owner.ask('POST', `${channelPath()}/check`)
    const label = `Shop, @shop_${shop.botId}_bot`
    expect(check.body).toEqual({ ok: true, label, isSubscribed: null })
  })

  test('is refused for a token that Telegram does not know, or that is none', async () => {
    const connect = (botToken: string) =>
      shop.owner.ask('POST', `/companies/${shop.companyId}/channels`, {
        type: 'telegram',
        name: 'Another',
        credentials: { botToken },
      })
    const refused = (code: string) => ({
      status: 422,
      body: { errors: [{ field: 'credentials.botToken', code }] },
    })
    expect(await connect(newToken())).toMatchObject(refused('telegram_auth'))
    expect(await connect('the token')).toMatchObject(refused('wrong_bot_token'))
    expect(await connect(shop.token)).toMatchObject({ status: 409 })
  })
})

describe('A message of a customer', () => {
  test('is polled, stored once and raises one event, without phone and provider id', async () => {
    const chat = shop.newChat({ firstName: 'Noura', languageCode: 'ar' })
    provider.telegram.sendText(chat, '/start')
    await provider.hear()
    await provider.hear()
    const told = shop.events('message.received').filter(({ message }) => message.text === '/start')
    expect(told).toMatchObject([
      {
        message: { type: 'text', text: '/start' },
        contact: { name: 'Noura', phone: null, whatsAppId: null },
        conversation: { channelId: shop.channel.id, channelType: 'telegram' },
      },
    ])
    expect(JSON.stringify(told)).not.toContain(`${shop.botId}:`)
    expect(shop.events('conversation.started')).toHaveLength(1)
    expect(shop.events('contact.created')[0]).toMatchObject({ contact: { language: 'ar' } })
    expect(provider.telegram.waiting(shop.botId)).toBe(0)
  })

  systemTest('has its type, and its files are fetched', async () => {
    const chat = shop.newChat()
    for (const kind of TELEGRAM_SAMPLES) provider.telegram.sendSample(chat, kind)
    await provider.hear()
    const rows = await messagesWith(chat.personId)
    expect(rows.map(({ type, text }) => [type, text])).toEqual([
      ['audio', null],
      ['contact', null],
      ['document', 'receipt'],
      ['image', 'A photo of the box'],
      ['location', null],
      ['sticker', null],
      ['unknown', null],
      ['video', 'It does this'],
    ])
    const files = rows.flatMap(({ fileId }) => fileId ?? [])
    expect(files).toHaveLength(5)
    for (const fileId of files) expect(await fileIn(fileId)).toMatchObject({ state: 'kept' })
  })

  test('with a file too large for a bot is marked as lost, with the reason', async () => {
    const chat = shop.newChat()
    provider.telegram.sendFile(chat, Buffer.alloc(21 * 1_048_576), 'application/pdf')
    await provider.hear()
    const [message] = await messagesWith(chat.personId)
    const lost = { state: 'lost', lostReason: { code: 'file_too_large' } }
    expect(await fileIn(message!.fileId)).toMatchObject(lost)
  })

  test('keeps its first text after a correction', async () => {
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'one')
    provider.telegram.edit(chat, 'two')
    await provider.hear()
    expect((await messagesWith(chat.personId)).map(({ text }) => text)).toEqual(['one'])
  })
})

describe('A message of the business', () => {
  test('arrives from the inbox at any time, and a file with its caption', async () => {
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'hello')
    await provider.hear()
    world.clock.advance(40 * DAY_MS)
    shop.owner = await signedIn(world, { accountId: shop.accountId })
    expect((await reply(chat.personId, { text: 'Here we are' })).status).toBe(201)
    const fileId = await uploadFile(world, shop.owner, shop.companyId)
    expect((await reply(chat.personId, { fileId, caption: 'Look' })).status).toBe(201)
    await provider.hear()
    const said = provider.telegram.chat(chat).filter(({ from }) => from === 'business')
    expect(said.map(({ text }) => text)).toEqual(['Here we are', 'Look'])
    expect(provider.telegram.mediaFile(said[1]!.file!.id)?.bytes).toEqual(PNG)
    const sent = (await shop.messages()).filter(({ direction }) => direction === 'out')
    expect(sent.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
  })

  test('asks with buttons, and a tap answers with its label and is acknowledged', async () => {
    const options = { s: 'Small', l: 'كبير' }
    await shop.publish({
      trigger: keyword('size'),
      start: 'ask',
      steps: {
        ask: choosing('Which size?', { saveAs: 'size', options, next: 'thank' }),
        thank: saying('You chose {{vars.size}}.'),
      },
    })
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'size')
    await provider.hear()
    const question = provider.telegram.chat(chat).at(-1)!
    expect(question.keyboard.map(({ text }) => text)).toEqual(['Small', 'كبير'])
    provider.telegram.tap(chat, question.messageId, 1)
    expect(provider.telegram.unansweredTaps()).toBe(1)
    await provider.hear()
    expect(provider.telegram.unansweredTaps()).toBe(0)
    expect(provider.telegram.chat(chat).at(-1)!.text).toBe('You chose l.')
    const tapped = shop.events('message.received').at(-1)!
    expect(tapped.message).toMatchObject({ type: 'text', text: 'كبير' })
    expect(shop.events('flow.completed').at(-1)).toMatchObject({ run: { endReason: 'completed' } })
  })

  test('fails for a customer who has blocked the bot, with that reason', async () => {
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'hello')
    provider.telegram.block(chat, true)
    await provider.hear()
    expect((await reply(chat.personId, { text: 'Are you there?' })).status).toBe(201)
    await provider.hear()
    const row = (await shop.messages()).findLast(({ direction }) => direction === 'out')!
    expect(row).toMatchObject({ status: 'failed', errorCode: '403' })
    expect(shop.events('contact.opted_out').map(({ contact }) => contact.id)).not.toContain(
      (await conversationOf(chat.personId)).contactId,
    )
  })
})

describe('A bot with webhooks', () => {
  let posted: TelegramShop
  beforeAll(async () => {
    posted = await provider.openShop({ delivery: 'webhook' })
    await provider.hear()
  })

  test('registers its URL and secret at Telegram, and gets updates there', async () => {
    expect((await viewed(posted)).problem).toBeNull()
    const chat = posted.newChat()
    provider.telegram.sendText(chat, 'posted')
    await provider.telegram.idle()
    expect((await posted.messages()).map(({ text }) => text)).toEqual(['posted'])
  })

  test('uses another secret as soon as it is changed', async () => {
    const edited = await posted.owner.ask<ConnectedChannel>('PATCH', channelPath(posted), {
      credentials: { webhookSecret: 'a-secret-chosen-by-hand' },
    })
    expect(edited.status).toBe(200)
    await provider.hear()
    provider.telegram.sendText(posted.newChat(), 'by the new secret')
    await provider.telegram.idle()
    expect((await posted.messages()).at(-1)!.text).toBe('by the new secret')
  })

  test('is polled again once webhooks are switched off, and loses no update', async () => {
    const edited = await posted.owner.ask('PATCH', channelPath(posted), {
      credentials: { delivery: 'polling' },
    })
    expect(edited.status).toBe(200)
    await provider.hear()
    provider.telegram.sendText(posted.newChat(), 'asked for')
    await provider.hear()
    expect((await posted.messages()).at(-1)!.text).toBe('asked for')
  })

  systemTest(
    'has its webhook removed when its channel is deleted, but not one of another server',
    async () => {
      for (const elsewhere of [null, 'https://example.com/hook']) {
        const gone = await provider.openShop({ delivery: 'webhook' })
        await provider.hear()
        const call = async (method: string, body: object = {}) => {
          const answer = await fetch(`${world.baseUrls.telegram}/bot${gone.token}/${method}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
          return ((await answer.json()) as { result: unknown }).result
        }
        const before = (await viewed(gone)).webhookUrl
        expect(await call('getWebhookInfo')).toMatchObject({ url: before })
        if (elsewhere !== null) await call('setWebhook', { url: elsewhere })
        expect((await gone.owner.ask('DELETE', channelPath(gone))).status).toBeLessThan(300)
        expect(await call('getWebhookInfo')).toMatchObject({ url: elsewhere ?? '' })
      }
    },
  )
})
