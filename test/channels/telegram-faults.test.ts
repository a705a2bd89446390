/** Failures between Telegram and the service: nothing is sent twice, and no message is lost or raises two events. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelView } from '../../src/contract/dashboard/channel.ts'
import { POLL_LIMITS, PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { openWorld } from '../support/open-world.ts'
import { newToken, simulateTelegram, type TelegramShop } from '../support/telegram.ts'
import { systemTest } from '../support/system-tests.ts'

const world = await openWorld()
const provider = await simulateTelegram(world)
afterAll(async () => {
  await provider.close()
})

const viewed = async ({ owner, companyId, channel }: TelegramShop) =>
  (await owner.ask<ChannelView>('GET', `/companies/${companyId}/channels/${channel.id}`)).body
const textsOf = async (shop: TelegramShop) =>
  (await shop.messages()).filter(({ direction }) => direction === 'in').map(({ text }) => text)
const toldOf = (shop: TelegramShop) =>
  shop.events('message.received').map(({ message }) => message.text)

describe('A poll', () => {
  let shop: TelegramShop
  beforeAll(async () => {
    shop = await provider.openShop()
    await provider.hear()
  })
  const later = async () => {
    world.clock.advance(POLL_LIMITS.maxBackOffMs)
    await provider.hear()
  }

  systemTest('is repeated after a lost answer, and finds only unknown messages new', async () => {
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'one')
    provider.telegram.planFault(shop.botId, 'getUpdates', 'lose_answer')
    await provider.hear()
    expect(await textsOf(shop)).toEqual([])
    await later()
    provider.telegram.sendText(chat, 'two')
    await provider.hear()
    expect((await textsOf(shop)).toSorted()).toEqual(['one', 'two'])
    expect(toldOf(shop).toSorted()).toEqual(['one', 'two'])
  })

  systemTest(
    'acknowledges an update once it is stored, and holds back only those that failed',
    async () => {
      const accept = await refuseWrites(world, 'a new message', { text: 'heavy' })
      const chat = shop.newChat()
      for (const text of ['heavy', 'light']) provider.telegram.sendText(chat, text)
      await provider.hear()
      expect(provider.telegram.waiting(shop.botId)).toBe(2)
      expect(await textsOf(shop)).toContain('light')
      expect(await textsOf(shop)).not.toContain('heavy')
      await later()
      expect(provider.telegram.waiting(shop.botId)).toBe(2)
      await accept()
      await later()
      await later()
      expect(provider.telegram.waiting(shop.botId)).toBe(0)
      for (const text of ['heavy', 'light']) {
        expect((await textsOf(shop)).filter((one) => one === text)).toHaveLength(1)
        expect(toldOf(shop).filter((one) => one === text)).toHaveLength(1)
      }
    },
  )

  systemTest(
    'does not skip an update for one internal error after many failures of Telegram',
    async () => {
      for (let n = 0; n <= POLL_LIMITS.maxTries; n += 1) {
        provider.telegram.planFault(shop.botId, 'getUpdates', 'bad_gateway')
        await later()
      }
      const accept = await refuseWrites(world, 'a new message', { text: 'after the storm' })
      provider.telegram.sendText(shop.newChat(), 'after the storm')
      await later()
      await accept()
      expect(await textsOf(shop)).not.toContain('after the storm')
      await later()
      expect(await textsOf(shop)).toContain('after the storm')
    },
  )

  test('does not disconnect the channel for one refused token after an internal error', async () => {
    const fresh = await provider.openShop()
    const accept = await refuseWrites(world, 'a new message', { text: 'kept waiting' })
    provider.telegram.sendText(fresh.newChat(), 'kept waiting')
    await provider.hear()
    expect(await textsOf(fresh)).toEqual([])
    const refuse = { code: 401, description: 'Unauthorized' }
    provider.telegram.planFault(fresh.botId, 'getUpdates', { refuse })
    await later()
    expect((await viewed(fresh)).isConnected).toBe(true)
    await accept()
    await later()
    expect(await textsOf(fresh)).toEqual(['kept waiting'])
  })

  test('by another program is shown as a problem of the channel, until it stops', async () => {
    provider.telegram.planFault(shop.botId, 'getUpdates', {
      refuse: { code: 409, description: 'Conflict: terminated by other getUpdates request' },
    })
    await provider.hear()
    expect(await viewed(shop)).toMatchObject({
      isConnected: true,
      problem: { code: 'telegram_asked_elsewhere' },
    })
    await later()
    expect((await viewed(shop)).problem).toBeNull()
  })

  test('is not repeated before Telegram allows it', async () => {
    provider.telegram.planFault(shop.botId, 'getUpdates', {
      refuse: { code: 429, description: 'Too Many Requests: retry after 30', retryAfter: 30 },
    })
    await provider.hear()
    provider.telegram.sendText(shop.newChat(), 'patient')
    world.clock.advance(20 * SECOND_MS)
    await provider.hear()
    expect(await textsOf(shop)).not.toContain('patient')
    world.clock.advance(20 * SECOND_MS)
    await provider.hear()
    expect(await textsOf(shop)).toContain('patient')
  })
})

systemTest(
  'A revoked token disconnects the channel with its reason, and nothing is sent until it is replaced',
  async () => {
    const shop = await provider.openShop()
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'hello')
    await provider.hear()
    provider.telegram.revoke(shop.token)
    for (let n = 0; n < 3; n += 1) {
      world.clock.advance(MINUTE_MS)
      await provider.hear()
    }
    expect(await viewed(shop)).toMatchObject({
      isConnected: false,
      disconnectedReason: { code: 'telegram_auth' },
    })
    const token = `${shop.botId}:AAH${'y'.repeat(32)}`
    provider.telegram.addBot({ token, name: 'Shop', username: 'shop_bot' })
    provider.telegram.sendText(chat, 'still there?')
    const path = `/companies/${shop.companyId}/channels/${shop.channel.id}`
    const edited = await shop.owner.ask('PATCH', path, { credentials: { botToken: token } })
    expect(edited.status).toBe(200)
    await provider.hear()
    expect((await textsOf(shop)).toSorted()).toEqual(['hello', 'still there?'])
    expect((await viewed(shop)).isConnected).toBe(true)
  },
)

// Another bot numbers chats, messages and updates from the start again: its messages would count as
// known.
test('The token of another bot is refused, because that is another channel', async () => {
  const shop = await provider.openShop()
  const token = newToken()
  const [botId = ''] = token.split(':')
  provider.telegram.addBot({ token, name: 'Shop', username: `shop_${botId}_bot` })
  const path = `/companies/${shop.companyId}/channels/${shop.channel.id}`
  const edited = await shop.owner.ask('PATCH', path, { credentials: { botToken: token } })
  expect(edited).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'credentials.botToken', code: 'channel_is_another' }] },
  })
  provider.telegram.sendText(shop.newChat(), 'to the first')
  await provider.hear()
  expect(await textsOf(shop)).toEqual(['to the first'])
})

describe('A post to a channel', () => {
  const SECRET = 'a-secret-chosen-by-hand'
  let shop: TelegramShop
  beforeAll(async () => {
    shop = await provider.openShop({ delivery: 'webhook' })
    const path = `/companies/${shop.companyId}/channels/${shop.channel.id}`
    await shop.owner.ask('PATCH', path, { credentials: { webhookSecret: SECRET } })
  })
  const post = async (body: string | Uint8Array<ArrayBuffer>, secret = SECRET) => {
    const response = await fetch(shop.channel.webhookUrl!, {
      method: 'POST',
      headers: { 'x-telegram-bot-api-secret-token': secret },
      body,
    })
    return response.status
  }
  const update = (id: number, text: string) => {
    const who = { id: 900, first_name: 'Sara' }
    const message = {
      message_id: id,
      date: 1_800_000_000 + id,
      from: who,
      chat: { ...who, type: 'private' },
      text,
    }
    return JSON.stringify({ update_id: id, message })
  }

  test('is stored once each, in any order and when repeated', async () => {
    for (const [id, text] of [
      [3, 'c'],
      [1, 'a'],
      [3, 'c'],
      [2, 'b'],
      [1, 'a'],
    ] as const) {
      expect(await post(update(id, text))).toBe(200)
    }
    await world.service.processAll()
    expect((await textsOf(shop)).toSorted()).toEqual(['a', 'b', 'c'])
    expect(toldOf(shop).toSorted()).toEqual(['a', 'b', 'c'])
    expect(shop.events('conversation.started')).toHaveLength(1)
  })

  systemTest.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a list', '[]'],
    ['4 MB of zeros', new Uint8Array(PROVIDER_LIMITS.webhookBytes)],
    ['4 MB of brackets', '['.repeat(PROVIDER_LIMITS.webhookBytes)],
    ['4 MB of numbers', `[${'0,'.repeat(PROVIDER_LIMITS.webhookBytes / 2 - 1)}0`],
    ['an empty update', '{"update_id":1}'],
  ])('without meaning is answered without an error: %s', async (_, body) => {
    expect(await post(body)).toBe(200)
    expect(await post(body, 'a-secret-that-is-wrong')).toBe(401)
  })

  test('larger than the limit is refused', async () => {
    expect(await post(new Uint8Array(PROVIDER_LIMITS.webhookBytes + 1))).toBe(413)
  })

  const FORGED = ['', 'x', SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase(), 'x'.repeat(300)]
  test.each(FORGED)('with a forged secret changes nothing: "%s"', async (secret) => {
    const before = await textsOf(shop)
    expect(await post(update(77, 'forged'), secret)).toBe(401)
    expect(await textsOf(shop)).toEqual(before)
  })
})
