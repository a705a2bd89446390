/**
 * Telegram with programs from outside of the project: a server that acts as Telegram for the adapter, and a bot that
 * uses the simulator as Telegram.
 */
import { Bot, InlineKeyboard, InputFile } from 'grammy'
import peer from 'telegram-test-api'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { POLL_LIMITS } from '../../src/core/limits/messaging.ts'
import { TELEGRAM_SAMPLES } from '../../simulators/index.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { freePort } from '../support/free-port.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { newToken, simulateTelegram, type SimulatedTelegram } from '../support/telegram.ts'
import { PNG } from '../support/upload-file.ts'
import { waitUntil } from '../support/wait.ts'

/** The default import is the class itself, unlike its types say. */
const TelegramServer = peer as unknown as typeof peer.default

const world = await openWorld()

describe('An external server of Telegram', () => {
  // It has this id for every bot.
  const token = '666:AAHofAPeerThatNobodyHereWrote'
  let server: InstanceType<typeof TelegramServer>
  let shop: Shop
  beforeAll(async () => {
    server = new TelegramServer({ port: await freePort(), host: '127.0.0.1' })
    await server.start()
    world.baseUrls.telegram = server.config.apiURL
    shop = await createShop(world)
  })
  afterAll(() => server.stop())

  const hear = async () => {
    world.clock.advance(POLL_LIMITS.idleMs)
    await world.service.processAll()
  }

  test('accepts the adapter as a bot: texts in both directions, and a tap', async () => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const channels = `/companies/${shop.companyId}/channels`
    const connected = await owner.ask<ConnectedChannel>('POST', channels, {
      type: 'telegram',
      name: 'Of a peer',
      credentials: { botToken: token },
    })
    expect(connected.status).toBe(201)
    const customer = server.getClient(token, { userId: 901, chatId: 901, firstName: 'Peer' })
    await customer.sendMessage(customer.makeMessage('Good morning'))
    await hear()
    const [event] = world.receiver.events('message.received')
    expect(event!.data).toMatchObject({
      contact: { name: 'Peer', phone: null, whatsAppId: null },
      message: { type: 'text', text: 'Good morning' },
    })

    const { conversation } = event!.data as { conversation: { id: string } }
    const messages = `/companies/${shop.companyId}/conversations/${encodeURIComponent(conversation.id)}/messages`
    expect((await owner.ask('POST', messages, { key: '1', text: 'And to you' })).status).toBe(201)
    await hear()
    const { result } = await customer.getUpdates()
    expect(result.map(({ message }: { message: unknown }) => message)).toMatchObject([
      { chat_id: '901', text: 'And to you' },
    ])

    await customer.sendCallback(customer.makeCallbackQuery('more'))
    await hear()
    const texts = world.receiver
      .events('message.received')
      .map(({ data }) => (data as { message: { text: string } }).message.text)
    expect(texts).toEqual(['Good morning', 'more'])
  })
})

/** The bot's names of TELEGRAM_SAMPLES, in their order. */
const KINDS = [
  ':photo',
  ':video',
  ':voice',
  ':document',
  ':sticker',
  ':location',
  ':contact',
  ':poll',
] as const

describe('An external bot', () => {
  let provider: SimulatedTelegram
  let bot: Bot
  let running: Promise<void>
  const chat = { botId: '', personId: '555' }
  const heard: string[] = []
  beforeAll(async () => {
    provider = await simulateTelegram(world)
    const token = newToken()
    chat.botId = token.split(':')[0]!
    provider.telegram.addBot({ token, name: 'A peer', username: 'a_peer_bot' })
    provider.telegram.addPerson({ id: chat.personId, firstName: 'Sara', languageCode: 'ar' })
    bot = new Bot(token, { client: { apiRoot: provider.telegram.baseUrl } })
    bot.on('message:text', (context) => {
      heard.push(`${context.from.language_code} text ${context.msg.text}`)
      if (context.msg.text !== 'menu') return context.reply(`You said ${context.msg.text}`)
      const keyboard = new InlineKeyboard().text('Yes', 'yes').text('No', 'no')
      return context.reply('Sure?', { reply_markup: keyboard })
    })
    bot.on('callback_query:data', async (context) => {
      heard.push(`tap ${context.callbackQuery.data}`)
      await context.answerCallbackQuery()
      await context.replyWithPhoto(new InputFile(PNG, 'picture.png'), { caption: 'Here' })
    })
    for (const kind of KINDS) bot.on(`message${kind}`, () => void heard.push(kind))
    bot.on('my_chat_member', (context) => {
      heard.push(`member ${context.myChatMember.new_chat_member.status}`)
    })
    bot.on('edited_message:text', (context) => void heard.push(`edit ${context.msg.text}`))
    running = bot.start({
      allowed_updates: ['message', 'edited_message', 'callback_query', 'my_chat_member'],
    })
  })
  afterEach(() => heard.splice(0))
  afterAll(async () => {
    await bot.stop()
    await running
    await provider.close()
  })

  const saidBack = () =>
    provider.telegram
      .chat(chat)
      .filter(({ from }) => from === 'business')
      .map(({ text }) => text)

  test('gets a text and answers', async () => {
    provider.telegram.sendText(chat, 'مرحبا')
    await waitUntil('it has answered', () => saidBack().includes('You said مرحبا'))
    expect(heard).toEqual(['ar text مرحبا'])
  })

  test('offers buttons, gets the tap, acknowledges it and sends a picture', async () => {
    provider.telegram.sendText(chat, 'menu')
    await waitUntil('it has asked', () => saidBack().includes('Sure?'))
    const question = provider.telegram.chat(chat).findLast(({ text }) => text === 'Sure?')!
    provider.telegram.tap(chat, question.messageId, 1)
    await waitUntil('it has sent a picture', () => saidBack().includes('Here'))
    expect(heard).toEqual(['ar text menu', 'tap no'])
    expect(provider.telegram.unansweredTaps()).toBe(0)
    const picture = provider.telegram.chat(chat).at(-1)!
    expect(provider.telegram.mediaFile(picture.file!.id)?.bytes).toEqual(PNG)
  })

  test('recognises each kind of message', async () => {
    for (const kind of TELEGRAM_SAMPLES) provider.telegram.sendSample(chat, kind)
    provider.telegram.edit(chat, 'corrected')
    await waitUntil('it has heard all', () => heard.length === KINDS.length + 1)
    expect(heard).toEqual([...KINDS, 'edit corrected'])
  })

  test('fetches a file, and learns who has blocked it', async () => {
    const { wire } = provider.telegram.chat(chat).find((message) => 'document' in message.wire)!
    const { document } = wire as { document: { file_id: string } }
    const { file_path: path } = await bot.api.getFile(document.file_id)
    const address = `${provider.telegram.baseUrl}/file/bot${bot.token}/${path}`
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    provider.telegram.block(chat, true)
    await waitUntil('it has heard', () => heard.includes('member kicked'))
    await expect(bot.api.sendMessage(chat.personId, 'Hello?')).rejects.toMatchObject({
      error_code: 403,
      description: 'Forbidden: bot was blocked by the user',
    })
  })

  test("is refused with Telegram's errors", async () => {
    await expect(bot.api.sendMessage('1', 'Who?')).rejects.toMatchObject({
      error_code: 400,
      description: 'Bad Request: chat not found',
    })
    provider.telegram.planFault(chat.botId, 'sendMessage', {
      refuse: { code: 429, description: 'Too Many Requests: retry after 3', retryAfter: 3 },
    })
    await expect(bot.api.sendMessage(chat.personId, 'Quick')).rejects.toMatchObject({
      error_code: 429,
      parameters: { retry_after: 3 },
    })
    const nobody = new Bot(newToken(), { client: { apiRoot: provider.telegram.baseUrl } })
    await expect(nobody.api.getMe()).rejects.toMatchObject({ error_code: 401 })
  })
})
