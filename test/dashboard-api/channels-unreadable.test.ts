/** Channels whose credentials nobody can read any more, as after a restore without the key. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChannelView, ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { createWorld, type World } from '../support/service.ts'
import { simulateTelegram, type SimulatedTelegram, type TelegramShop } from '../support/telegram.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let provider: SimulatedTelegram
let shop: TelegramShop
let path: string
beforeAll(async () => {
  world = await createWorld()
  provider = await simulateTelegram(world)
  shop = await provider.openShop()
  path = `/companies/${shop.companyId}/channels`
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

/** What was written for another row is none of this one's. */
async function lose(channelId: string) {
  const { pool } = world.database.db
  const others = `(select credentials from channel where id = '${shop.channelId}')`
  await pool.query(`update channel set credentials = ${others} where id = $1`, [channelId])
  await pool.query(`update channel_state set value = ${others} where channel_id = $1`, [channelId])
}
const problemOf = async (channelId: string) => {
  const { body } = await shop.owner.ask<Page<ChannelView>>('GET', path)
  expect(body.items.map(({ id }) => id)).toContain(shop.channelId)
  return body.items.find(({ id }) => id === channelId)!.problem?.code ?? null
}
const UNREADABLE = 'channel_credentials_unreadable'

test('are listed among the others, say so, and can be taken out of use', async () => {
  const { body } = await shop.owner.ask<ConnectedChannel>('POST', path, {
    type: 'voice',
    name: 'Calls',
    credentials: { provider: 'signed', secret: 'a-secret-of-twenty-characters' },
  })
  const { id } = body.channel
  await lose(id)
  expect(await problemOf(id)).toBe(UNREADABLE)
  const off = await shop.owner.ask<ChannelView>('POST', `${path}/${id}/disconnect`)
  expect(off).toMatchObject({ status: 200, body: { isConnected: false } })
  const credentials = { secret: 'another-of-twenty-characters' }
  expect((await shop.owner.ask('PATCH', `${path}/${id}`, { credentials })).status).toBe(200)
  expect(await problemOf(id)).toBeNull()
})

systemTest(
  'work again once what speaks for them is entered: what is ours is made anew',
  async () => {
    const { channel, token } = shop
    const chat = shop.newChat()
    provider.telegram.sendText(chat, 'before')
    await provider.hear()
    await lose(channel.id)
    expect(await problemOf(channel.id)).toBe(UNREADABLE)
    const edit = (json: object) =>
      shop.owner.ask<ConnectedChannel>('PATCH', `${path}/${channel.id}`, json)
    expect(await edit({ name: 'The bot' })).toMatchObject({ status: 409 })
    const edited = await edit({ credentials: { botToken: token } })
    expect(edited).toMatchObject({
      status: 200,
      body: { shownOnce: { webhookSecret: expect.any(String) }, channel: { problem: null } },
    })
    provider.telegram.sendText(chat, 'after')
    world.clock.advance(MINUTE_MS)
    await provider.hear()
    expect((await shop.messages()).map(({ text }) => text)).toEqual(['before', 'after'])
  },
)
