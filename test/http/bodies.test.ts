/** The memory that arriving bodies may take, on each group of routes. */
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { BODY_LIMITS, DASHBOARD_LIMITS } from '../../src/core/limits/http.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { requestText, talk } from '../hooks/raw-http.ts'
import { postHook } from '../support/post-hook.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { signedIn } from '../support/dashboard.ts'
import { holdTimers } from '../support/held-timers.ts'
import { waitUntil } from '../support/wait.ts'
import { createShop } from '../support/shop.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const world = await openWorld({ trustedProxies: '127.0.0.0/24', databasePool: '8' })
const shop = await createShop(world)
const owner = await signedIn(world, shop)

const open = new Set<Socket>()
afterEach(async () => {
  for (const socket of open) socket.destroy()
  open.clear()
  // The memory is free again once the service has seen them go.
  await until(async () => (await postWebhook(world, message())) === 200)
})

let serial = 0
const message = () =>
  webhookOf(shop, [written({ from: `96650177${String(++serial).padStart(4, '0')}` })])
const bearer = () => ({ authorization: `Bearer ${owner.token}` })
const WRONG = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }

const until = (isSo: () => Promise<boolean> | boolean) =>
  waitUntil('the answer of a full room, or room again', isSo, { everyMs: 50, withinMs: 30_000 })

const { hostname: host, port } = new URL(world.url)
function openSocket(from: { localAddress?: string } = {}): Socket {
  const socket = connect({ port: Number(port), host, ...from })
  open.add(socket)
  return socket.on('error', () => {})
}

/** Begins a request and sends all of its body but the last byte. */
function leaveUnfinished(path: string, bytes: number, headers: Record<string, string>) {
  const said = { text: '' }
  const socket = openSocket()
  serial += 1
  const from = `198.51.${serial >> 8}.${serial & 255}`
  socket.on('data', (part) => (said.text += part.toString('latin1')))
  const length = { 'content-length': String(bytes), 'x-forwarded-for': from }
  socket.write(requestText(path, { headers: { ...length, ...headers } }))
  socket.write(Buffer.alloc(bytes - 1, 0x20))
  return said
}

const leaveMany = (count: number, path: string, bytes: number, headers = {}) =>
  Array.from({ length: count }, () => leaveUnfinished(path, bytes, headers))
const refused = (many: { text: string }[]) =>
  many.filter(({ text }) => text.startsWith('HTTP/1.1 503')).map(({ text }) => text)
/** A part of one body may fit just before the budget is used up. */
const nearly = (count: number) => Math.floor(count * 0.95)

systemDescribe(
  'unfinished bodies have a memory limit for each group of routes, over all connections',
  () => {
    test('the provider’s: then 503 with Retry-After; small and signed bodies get in after all', async () => {
      const fits = BODY_LIMITS.providerBudgetBytes / PROVIDER_LIMITS.webhookBytes
      const many = leaveMany(40, '/webhooks/whatsapp', PROVIDER_LIMITS.webhookBytes, WRONG)
      await until(() => refused(many).length >= 40 - fits)
      expect(refused(many)[0]!.toLowerCase()).toMatch(/retry-after: \d+/)
      // The other groups of routes have separate budgets.
      expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
      expect((await owner.ask('GET', '/session')).status).toBe(200)
    })

    test('the hooks’: then a HookResponse with this status', async () => {
      const fits = BODY_LIMITS.hookBudgetBytes / HOOK_LIMITS.bodyBytes
      const many = leaveMany(fits + 40, `/hooks/${shop.hookToken}`, HOOK_LIMITS.bodyBytes)
      await until(() => refused(many).length >= nearly(40))
      const [, body] = refused(many)[0]!.split('\r\n\r\n')
      expect(JSON.parse(body!)).toMatchObject({ id: null, status: 'service_unavailable' })
      expect(await postWebhook(world, message())).toBe(200)
      for (const socket of open) socket.destroy()
      await until(async () => (await postHook(shop.hookUrl)).http === 202)
    })

    test('the dashboard’s: then a problem', async () => {
      const fits = BODY_LIMITS.dashboardBudgetBytes / DASHBOARD_LIMITS.bodyBytes
      const many = leaveMany(fits + 10, '/api/companies', DASHBOARD_LIMITS.bodyBytes, bearer())
      await until(() => refused(many).length >= nearly(10))
      const [head, body] = refused(many)[0]!.split('\r\n\r\n')
      expect(head!.toLowerCase()).toMatch(/content-type: application\/problem\+json/)
      expect(head!.toLowerCase()).toMatch(/retry-after: \d+/)
      expect(body).toContain('"code":"service_unavailable"')
      expect(await postHook(shop.hookUrl)).toMatchObject({ http: 202 })
    })
  },
)

systemDescribe('unauthenticated clients never use up the memory of a group of routes', () => {
  // Refusals are delayed, and unfinished bodies are dropped soon: the first one shows that the budget is used
  // up.
  const MB = 1_048_576
  const fromOne = (address: string) => ({ ...WRONG, 'x-forwarded-for': address })
  /** A rightly signed webhook of this size. */
  const large = (bytes: number) => JSON.stringify(message()).padEnd(bytes)
  const sendFrom = (address: string, bytes: number) => postWebhook(world, large(bytes), { address })
  let addresses = 0
  const nextAddress = () => `192.0.2.${++addresses}`

  test('one address fills a quarter of the provider’s, and others find room immediately', async () => {
    await until(async () => {
      // A client whose bodies never end is soon refused for that alone, so each round uses another address.
      const full = nextAddress()
      leaveUnfinished('/webhooks/whatsapp', 4 * MB, fromOne(full))
      return isRefusedBeforeItsBody(full)
    })
    // Connections of an earlier test may take a moment to end.
    let other = 0
    await until(async () => (other = await sendFrom(nextAddress(), 4 * MB)) !== 503)
    expect(other).toBe(200)
  })

  /**
   * Returns whether a request is refused by its headers alone, while unfinished bodies arrive or wait to be
   * dropped.
   */
  async function isRefusedBeforeItsBody(address: string): Promise<boolean> {
    const headers = { ...fromOne(address), 'content-length': String(4 * MB) }
    const head = requestText('/webhooks/whatsapp', { headers })
    const asked = Array.from({ length: 20 }, async (_, at) => {
      await pause(at * 250)
      const [response] = (await talk(world.url, head)).responses
      if (response?.status !== 503) throw new Error(`answered ${response?.status}`)
    })
    return Promise.any(asked).then(
      () => true,
      () => false,
    )
  }

  test('many addresses leave a quarter of it to addresses that sent something rightly signed', async () => {
    expect(await sendFrom('203.0.113.9', 0)).toBe(200)
    const many = leaveMany(160, '/webhooks/whatsapp', MB / 4, WRONG)
    await until(() => refused(many).length > 0)
    expect(await sendFrom('203.0.113.9', 4 * MB)).toBe(200)
    expect(await sendFrom('203.0.113.10', 4 * MB)).toBe(503)
  })

  test('many large bodies leave a quarter of it to small ones, and wait for their refusal', async () => {
    const many = leaveMany(160, '/webhooks/whatsapp', MB / 4, WRONG)
    await until(() => refused(many).length > 0)
    expect(await sendFrom('203.0.113.11', BODY_LIMITS.smallBytes)).toBe(200)
    const timers = holdTimers(1.5 * BODY_LIMITS.refusalMs, BODY_LIMITS.refusalMs / 2)
    let status = 0
    const sending = sendFrom('203.0.113.12', 4 * MB).then((answered) => (status = answered))
    await waitUntil('the refusal to wait', () => timers.count() > 0)
    for (let turn = 0; turn < 200; turn += 1) await nextTurn()
    expect(status).toBe(0)
    await waitUntil('the refusal', () => timers.elapse() === 0 && status !== 0)
    timers.release()
    expect(await sending).toBe(503)
  })

  test('a signed-in member finds room at the dashboard’s while unauthenticated clients fill it', async () => {
    const fits =
      (BODY_LIMITS.dashboardBudgetBytes * 3) / 4 / DASHBOARD_LIMITS.bodyBytesWithoutSession
    const many = leaveMany(fits + 20, '/api/session', DASHBOARD_LIMITS.bodyBytesWithoutSession)
    await until(() => refused(many).length >= 8)
    const name = 'x'.repeat(DASHBOARD_LIMITS.bodyBytes - 100)
    expect((await owner.ask('POST', '/companies', { name })).status).toBe(422)
  })
})

systemTest('one address may hold a quarter of all connections, a trusted proxy more', async () => {
  let closed = 0
  const connectFrom = (localAddress: string) => {
    const socket = openSocket({ localAddress }).on('close', () => (closed += 1))
    return new Promise((resolve) => socket.once('connect', resolve))
  }
  const max = BODY_LIMITS.connectionsOfAddress
  await Promise.all(Array.from({ length: max + 8 }, () => connectFrom('127.0.0.1')))
  expect((await postHook(shop.hookUrl)).http).toBe(202)
  expect(closed).toBe(0)
  await Promise.all(Array.from({ length: max + 8 }, () => connectFrom('127.1.0.1')))
  await until(() => closed === 8)
  expect((await postHook(shop.hookUrl)).http).toBe(202)
})

test('an unauthenticated client’s body at the dashboard’s API may only be small', async () => {
  const bytes = DASHBOARD_LIMITS.bodyBytesWithoutSession
  const post = async (password: string) => {
    const body = JSON.stringify({ password })
    const request = requestText('/api/session', { body, isLast: true })
    return (await talk(world.url, request)).responses[0]!
  }
  expect((await post('x'.repeat(bytes - 100))).status).toBe(422)
  const refusal = await post('x'.repeat(bytes))
  expect(refusal.status).toBe(413)
  expect(JSON.parse(refusal.body)).toMatchObject({ params: { max: bytes } })
  const name = 'x'.repeat(bytes)
  expect((await owner.ask('POST', '/companies', { name })).status).toBe(422)
})

test('an unauthenticated request to the dashboard’s API is refused without reading its body', async () => {
  const head = requestText('/api/companies', { headers: { 'content-length': '1000000' } })
  const { responses } = await talk(world.url, head)
  expect(responses.map(({ status }) => status)).toEqual([401])
})

systemTest(
  'a body in chunks of one byte takes no more memory than another of its size',
  async () => {
    const pieces = 400_000
    const before = process.memoryUsage()
    const socket = openSocket()
    const headers = { ...WRONG, 'transfer-encoding': 'chunked' }
    const head = requestText('/webhooks/whatsapp', { headers })
    socket.write(head.replace(/content-length: 0\r\n/, ''))
    await new Promise<void>((resolve) => socket.write('1\r\nx\r\n'.repeat(pieces), () => resolve()))
    await new Promise((resolve) => setTimeout(resolve, 500))
    // The bytes that were read are still held; garbage of reading them is collected before each look.
    const grown = () => {
      collectGarbage()
      const after = process.memoryUsage()
      return after.heapUsed + after.external - before.heapUsed - before.external
    }
    await expect.poll(grown).toBeLessThan(40_000_000)
  },
)
