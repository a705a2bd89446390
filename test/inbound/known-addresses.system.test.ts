/** Signed posts that make an address known, so that the limit for unsigned posts does not apply to it. */
import { expect, test } from 'vitest'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { ourReport, signOurs } from '../support/call-reports.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { simulateTelegram } from '../support/telegram.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/8' })
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const SECRET = 'a-secret-of-the-member'
const WRONG = `sha256=${'0'.repeat(64)}`

/** Posts to an address of a provider as a client at this address. Returns the status of the answer. */
async function postFrom(
  address: string,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<number> {
  const sent = { ...headers, 'x-forwarded-for': address }
  const response = await fetch(url, { method: 'POST', headers: sent, body })
  await response.arrayBuffer()
  return response.status
}

const unsigned = { headers: { 'x-hub-signature-256': WRONG }, body: '{}' }

/** Sends as many unsigned posts as an address may. Returns the status of the response to one more. */
async function afterUnsigned(address: string, path: string): Promise<number> {
  for (let n = 0; n < PROVIDER_LIMITS.unsignedPerAddressPerMinute; n += 1) {
    expect(await postFrom(address, `${world.url}${path}`, unsigned)).toBe(401)
  }
  return postFrom(address, `${world.url}${path}`, unsigned)
}

test('a report of a call that a member signs makes their address known nowhere', async () => {
  const address = '198.51.100.1'
  const credentials = { provider: 'signed', secret: SECRET }
  const { body } = await owner.ask<ConnectedChannel>(
    'POST',
    `/companies/${shop.companyId}/channels`,
    { type: 'voice', name: 'Calls', credentials },
  )
  const report = () =>
    postFrom(address, body.channel.webhookUrl!, signOurs(ourReport(), SECRET, world.clock.now()))
  expect(await report()).toBe(200)
  expect(await afterUnsigned(address, '/webhooks/whatsapp')).toBe(429)
  expect(await report()).toBe(429)
})

test('a post with the secret that a member has chosen for their bot makes their address known nowhere', async () => {
  const telegram = await simulateTelegram(world)
  const bot = await telegram.openShop({ delivery: 'webhook' })
  const path = `/companies/${bot.companyId}/channels/${bot.channel.id}`
  const credentials = { webhookSecret: 'a-secret-of-the-member-who-chose-it-1' }
  expect((await bot.owner.ask('PATCH', path, { credentials })).status).toBe(200)
  const headers = { 'x-telegram-bot-api-secret-token': credentials.webhookSecret }
  const post = () =>
    postFrom('198.51.100.5', bot.channel.webhookUrl!, { headers, body: '{"update_id":1}' })
  expect(await post()).toBe(200)
  expect(await afterUnsigned('198.51.100.5', '/webhooks/whatsapp')).toBe(429)
  expect(await post()).toBe(429)
  await telegram.close()
})

test('a post that a provider signs makes its address known to channels of that type alone', async () => {
  const address = '198.51.100.4'
  const message = () => webhookOf(shop, [written({ from: '966501880001' })])
  expect(await postWebhook(world, message(), { address })).toBe(200)
  expect(await afterUnsigned(address, '/webhooks/whatsapp')).toBe(401)
  expect(await postWebhook(world, message(), { address })).toBe(200)
  expect(await postFrom(address, `${world.url}/webhooks/messenger`, unsigned)).toBe(429)
})
