/** Requests of an unauthenticated client, who knows no secret of any channel, to the WhatsApp webhook URL. */
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signMetaWebhook } from '../../simulators/index.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { requestText, talk } from '../hooks/raw-http.ts'
import { channelsOf } from '../support/records/channels.ts'
import { addNumbers, breakCredentials } from '../support/records/credentials.ts'
import { messagesOf } from '../support/records/messages.ts'
import { createWorld, type World } from '../support/test-service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let world: World
let shop: Shop
beforeEach(async () => {
  world = await createWorld({ trustedProxies: '127.0.0.0/8', databasePool: '8' })
  shop = await createShop(world)
})
afterEach(() => world.close())

const PATH = '/webhooks/whatsapp'
const WRONG = `sha256=${'0'.repeat(64)}`
const ACCOUNT = '102290129340398'
const change = { field: 'account_update', value: { event: 'PARTNER_REMOVED' } }
/** A webhook about the account alone: it names no number. */
const REMOVED = { object: 'whatsapp_business_account', entry: [{ id: ACCOUNT, changes: [change] }] }
const NOBODYS = { phoneNumberId: '1', businessAccountId: '2' }
let serial = 0
const message = (of: Pick<Shop, 'phoneNumberId' | 'businessAccountId'> = shop) =>
  webhookOf(of, [written({ from: `96650188${String(++serial).padStart(4, '0')}` })])
const warnings = (text: string) => world.logged.filter((line) => line.includes(text)).length

/** Connects more channels to the shop's account, by default each with its own secret. */
const connectMore = (count: number, secretOf = (index: number) => `secret ${index}`) =>
  addNumbers(
    world,
    shop,
    Array.from({ length: count }, (_, index) => {
      const tokens = { accessToken: 'a', verifyToken: `verify token ${index}` }
      const credentials = { ...tokens, appSecret: secretOf(index) }
      return { phoneNumberId: `more-${index}`, businessAccountId: ACCOUNT, credentials }
    }),
  )

/** Posts as a client at this address, behind the proxy. */
function postFrom(
  address: string,
  body: unknown,
  { secret = 'test_app_secret', header = '' } = {},
) {
  const bytes = JSON.stringify(body)
  const signature = header === '' ? signMetaWebhook(Buffer.from(bytes), secret) : header
  const headers = { 'x-hub-signature-256': signature, 'x-forwarded-for': address }
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const asked = request(`${world.url}${PATH}`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'] })
      })
    })
    asked.on('error', reject).end(bytes)
  })
}

/** Asks for the challenge 12 with a verify token. Returns the status and the text of the answer. */
async function subscribe(token: string): Promise<[number, string]> {
  const asked = { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '12' }
  const response = await fetch(`${world.url}${PATH}?${new URLSearchParams(asked).toString()}`)
  return [response.status, await response.text()]
}

test.each([
  ['no JSON', 'rubbish'],
  ['an empty body', ''],
  ['a number that nobody connected', JSON.stringify(webhookOf(NOBODYS, []))],
  [
    'a business portfolio alone',
    '{"object":"whatsapp_business_account","entry":[{"id":"77","changes":[{"field":"partner_solutions","value":{}}]}]}',
  ],
])('a webhook that names no connected channel %s: 401, and no secret is read', async (_, body) => {
  await connectMore(20)
  const decrypt = vi.spyOn(world.service.keyRing, 'decrypt')
  expect(await postWebhook(world, body)).toBe(401)
  expect(await postWebhook(world, body, { header: WRONG })).toBe(401)
  expect(decrypt).not.toHaveBeenCalled()
})

describe('a webhook that names connected channels', () => {
  test('by their account alone is accepted when one of their secrets signed it', async () => {
    await connectMore(3)
    expect(await postWebhook(world, REMOVED, { secret: 'secret 2' })).toBe(200)
    const gone = (await channelsOf(world, shop)).filter(({ isConnected }) => !isConnected)
    expect(gone).toMatchObject([{ providerRoute: 'more-2' }])
  })

  test('has their secrets read only up to the one that signed it', async () => {
    await connectMore(1_100)
    const decrypt = vi.spyOn(world.service.keyRing, 'decrypt')
    expect(await postWebhook(world, message())).toBe(200)
    expect(decrypt.mock.calls.length).toBeLessThanOrEqual(48)
  })

  systemTest(
    'is 503 when it is large and there are many secrets to try, unless its address is known',
    async () => {
      await connectMore(40)
      // The body is about the account alone, so that no number of it comes first.
      const large = JSON.stringify(REMOVED).padEnd(PROVIDER_LIMITS.webhookBytes)
      const send = (body: string) =>
        postWebhook(world, body, { secret: 'secret 39', address: FROM })
      const FROM = '198.51.100.77'
      expect(await send(large)).toBe(503)
      expect(await send(JSON.stringify(message({ ...shop, phoneNumberId: 'more-39' })))).toBe(200)
      expect(await send(large)).toBe(200)
    },
  )

  systemTest('is accepted when the credentials of another channel cannot be read', async () => {
    const [broken] = await connectMore(1)
    await breakCredentials(world, broken!)
    expect(await postWebhook(world, message())).toBe(200)
    // When it names only that channel, its signature cannot be checked: the provider must deliver again.
    const its = { phoneNumberId: 'more-0', businessAccountId: 'another' }
    expect(await postWebhook(world, message(its), { secret: 'secret 0' })).toBe(503)
    expect(await subscribe('my_verify_token')).toEqual([200, '12'])
  })
})

describe('no signed event is lost with a 200', () => {
  const heard = async () => {
    const channels = await channelsOf(world, shop)
    const messages = await messagesOf(world, { companyId: shop.companyId, direction: 'in' })
    const routeOf = (channelId: string) =>
      channels.find(({ id }) => id === channelId)?.providerRoute
    return messages.map(({ channelId }) => routeOf(channelId)).toSorted()
  }
  /** Returns one webhook of one app about many numbers, each of another account. */
  const together = (routes: readonly string[]) => ({
    object: 'whatsapp_business_account',
    entry: routes.flatMap(
      (phoneNumberId) => message({ phoneNumberId, businessAccountId: `of-${phoneNumberId}` }).entry,
    ),
  })

  test('also when a webhook names more numbers than the service reads secrets for', async () => {
    await connectMore(100, () => 'secret of all')
    const others = Array.from({ length: 70 }, (_, index) => `nobody-${index}`).concat('n\0')
    const body = together(['more-0', ...others, 'more-98', 'more-99', shop.phoneNumberId])
    expect(await postWebhook(world, body, { secret: 'secret of all' })).toBe(200)
    // The shop's number has another secret, so this signature proves nothing for it.
    expect(await heard()).toEqual(['more-0', 'more-98', 'more-99'])
  })

  test('a number whose credentials cannot be read gets a redelivery; the others are ingested once', async () => {
    const [broken] = await connectMore(3, () => 'secret of all')
    const restore = await breakCredentials(world, broken!)
    const body = together(['more-0', 'more-1', 'more-2'])
    expect(await postWebhook(world, body, { secret: 'secret of all' })).toBe(503)
    expect(await heard()).toEqual(['more-1', 'more-2'])
    await restore()
    expect(await postWebhook(world, body, { secret: 'secret of all' })).toBe(200)
    expect(await heard()).toEqual(['more-0', 'more-1', 'more-2'])
  })
})

describe('before the body is read', () => {
  /** Only the head of a request is sent; the answer must come all the same. */
  const head = (headers: Record<string, string>) =>
    talk(world.url, requestText(PATH, { headers: { 'content-length': '4000000', ...headers } }))

  test.each([
    ['without a signature', {}],
    ['of another scheme', { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` }],
    ['that is too short', { 'x-hub-signature-256': 'sha256=00' }],
  ])('a request %s is 401', async (_, headers) => {
    const { responses } = await head(headers)
    expect(responses.map(({ status }) => status)).toEqual([401])
  })

  systemTest(
    'an address that sent 60 unsigned requests in 60 seconds is 429, until its window slides',
    async () => {
      for (let n = 0; n < 60; n += 1) {
        expect((await postFrom('198.51.100.7', message(), { header: WRONG })).status).toBe(401)
        world.clock.advance(100)
      }
      const from = { 'x-forwarded-for': '198.51.100.7', 'x-hub-signature-256': WRONG }
      const { responses } = await head(from)
      expect(responses.map(({ status }) => status)).toEqual([429])
      expect(responses[0]!.head.toLowerCase()).toContain('retry-after: 60')
      expect((await postFrom('198.51.100.8', message(), { header: WRONG })).status).toBe(401)
      world.clock.advance(MINUTE_MS)
      expect((await postFrom('198.51.100.7', message(), { header: WRONG })).status).toBe(401)
    },
  )

  systemTest('wrong verify tokens count as well', async () => {
    for (let n = 0; n < 60; n += 1) expect((await subscribe(`guess-${n}`))[0]).toBe(403)
    expect((await subscribe('my_verify_token'))[0]).toBe(429)
  })

  test('the provider is never refused for a secret that one merchant typed wrong', async () => {
    expect((await postFrom('198.51.100.9', message())).status).toBe(200)
    for (let n = 0; n < 200; n += 1) {
      expect((await postFrom('198.51.100.9', message(), { secret: 'wrong' })).status).toBe(401)
    }
    expect((await postFrom('198.51.100.9', message())).status).toBe(200)
  })

  test('there is one warning a minute, not one a request', async () => {
    for (let n = 0; n < 40; n += 1) await postFrom(`198.51.100.${n}`, message(), { header: WRONG })
    expect(warnings('no valid signature')).toBe(1)
    world.clock.advance(MINUTE_MS)
    await postFrom('198.51.100.7', message(), { header: WRONG })
    expect(warnings('no valid signature')).toBe(2)
    expect(world.logged.some((line) => line.includes('"times":40'))).toBe(true)
  })
})

test('a verify token is found among any number of channels, without reading a secret of one', async () => {
  await connectMore(1_100)
  const decrypt = vi.spyOn(world.service.keyRing, 'decrypt')
  expect(await subscribe('verify token 1099')).toEqual([200, '12'])
  expect((await subscribe('verify token 1100'))[0]).toBe(403)
  expect(decrypt).not.toHaveBeenCalled()
})

describe('A body in no form of a webhook is 413, also when it is signed:', () => {
  const webhookWith = (value: string) => `{"entry":[{"id":"${ACCOUNT}","x":${value}}]}`

  test('one that is too deep', async () => {
    expect(await postWebhook(world, webhookWith('['.repeat(100)))).toBe(413)
  })

  test.each(['{}', '[]', '0', '"a"', 'null'])('one with 150,001 times %s', async (value) => {
    expect(await postWebhook(world, webhookWith(`[${`${value},`.repeat(150_001)}0]`))).toBe(413)
  })

  test('one with 150,001 fields', async () => {
    expect(await postWebhook(world, webhookWith(`{${'"a":1,'.repeat(150_001)}"a":1}`))).toBe(413)
  })

  test('but one with 149,000 numbers is read', async () => {
    expect(await postWebhook(world, webhookWith(`[${'0,'.repeat(149_000)}0]`))).not.toBe(413)
  })
})
