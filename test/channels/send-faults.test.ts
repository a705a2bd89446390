/**
 * Failures between the service and a provider during a send, for every adapter with a network protocol. They are rate
 * limits, server errors, timeouts, lost or invalid answers, unreachable servers and revoked tokens. Nothing is ever sent
 * twice, and a message that surely was not sent is tried again.
 *
 * Spec: Concepts › Channel capabilities; States › Sent message.
 */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { holdTimers } from '../support/held-timers.ts'
import { channelOf } from '../support/records/channels.ts'
import { connectEveryChannel, type Talk } from '../support/every-channel.ts'
import { startFaultLine, type Answer, type FaultLine } from '../support/fault-line.ts'
import { systemTest } from '../support/system-tests.ts'
import { openWorld } from '../support/open-world.ts'

const WIRED = ['whatsapp', 'whatsapp_qr', 'telegram', 'messenger', 'instagram'] as const
type Wired = (typeof WIRED)[number]
/** The strictest and the least strict channel; all of them at full size. */
const ASKED: readonly Wired[] = IS_FULL_SIZE ? WIRED : ['whatsapp', 'telegram']

const WAIT_S = 40
const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: JSON.stringify(body),
})
const graph = (status: number, code: number, headers?: Record<string, string>) =>
  json(status, { error: { message: `(#${code}) No`, type: 'OAuthException', code } }, headers)
const bot = (code: number, description: string, more: object = {}) =>
  json(code, { ok: false, error_code: code, description, ...more })
const bridge = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { error: { code, message: 'No' } }, headers)
const later = { 'retry-after': String(WAIT_S) }

/** Answers of each provider for a rate limit, a temporary failure, and a revoked permission. */
const SAYS: Record<Wired, { rate: Answer; busy: Answer | null; revoked: Answer | null }> = {
  whatsapp: {
    rate: graph(429, 130_429, later),
    busy: graph(500, 131_016),
    revoked: graph(401, 190),
  },
  whatsapp_qr: {
    rate: bridge(429, 'rate', later),
    busy: bridge(503, 'not_connected'),
    // Only the phone can revoke the link, not the bridge.
    revoked: null,
  },
  telegram: {
    rate: bot(429, 'Too Many Requests', { parameters: { retry_after: WAIT_S } }),
    // A 5xx of Telegram leaves unknown whether the message was sent.
    busy: null,
    revoked: bot(401, 'Unauthorized'),
  },
  messenger: { rate: graph(429, 613, later), busy: graph(500, 2), revoked: graph(400, 190) },
  instagram: { rate: graph(429, 613, later), busy: graph(500, 2), revoked: graph(400, 190) },
}

/** Returns the test cases of an answer: none if the provider has no such answer. */
const said = (answer: Answer | null) => (answer ? [answer] : [])

const lines = new Map<Wired, FaultLine>()
const world = await openWorld()
const every = await connectEveryChannel(world, ASKED)
for (const type of ASKED) {
  const line = await startFaultLine(addressOf(type))
  lines.set(type, line)
  setAddress(type, line.url)
}
afterAll(async () => {
  for (const line of lines.values()) await line.close()
  await every.close()
})
afterEach(() => {
  for (const line of lines.values()) line.always(null)
})

function addressOf(type: Wired): string {
  const { baseUrls } = world
  if (type === 'whatsapp_qr') return baseUrls.qrBridge!.url
  return type === 'whatsapp' ? baseUrls.simulated.whatsApp! : baseUrls[type]
}

function setAddress(type: Wired, url: string): void {
  const { baseUrls } = world
  if (type === 'whatsapp_qr') baseUrls.qrBridge = { ...baseUrls.qrBridge!, url }
  else if (type === 'whatsapp') baseUrls.simulated.whatsApp = url
  else baseUrls[type] = url
}

async function passTime(ms: number): Promise<void> {
  world.clock.advance(ms)
  await every.settle()
}

/** Sends a message of a member, and does all work that is possible. */
async function says(talk: Talk, text: string): Promise<void> {
  expect((await every.send(talk, { text })).status).toBe(201)
  await every.settle()
}

/** Waits for all tries that could follow. */
async function untilNoMore(): Promise<void> {
  for (const ms of [MINUTE_MS, 3 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]) await passTime(ms)
}

const statusesIn = async (talk: Talk) =>
  (await every.sentIn(talk)).map(({ status, attempt }) => [attempt, status])
/** The channels on which an echo or receipt later shows that a message with a lost answer was sent. */
const TELLS_LATER: readonly Wired[] = ['whatsapp', 'whatsapp_qr', 'messenger', 'instagram']

describe.each(ASKED)('%s', (type) => {
  const line = () => lines.get(type)!
  const { rate, busy, revoked } = SAYS[type]

  test('a requested wait is kept, and the message is sent once', async () => {
    const talk = await every.begun(type)
    line().next({ kind: 'answer', answer: rate })
    await says(talk, 'Slowly')
    await passTime((WAIT_S - 10) * SECOND_MS)
    expect(await talk.customer.got()).toEqual([])
    await passTime(40 * SECOND_MS)
    expect(await talk.customer.got()).toEqual(['Slowly'])
    await untilNoMore()
    expect(await talk.customer.got()).toEqual(['Slowly'])
  })

  systemTest.each(said(busy))('a temporary failure is retried', async (answer) => {
    const talk = await every.begun(type)
    line().next({ kind: 'answer', answer })
    await says(talk, 'Again')
    await untilNoMore()
    expect(await talk.customer.got()).toEqual(['Again'])
    expect((await statusesIn(talk)).map(([attempt]) => attempt)).toEqual([1, 2])
  })

  systemTest.each([
    ['a failure of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
    ['4 MB of rubbish', { status: 200, body: 'x'.repeat(4 * 1_048_576) }],
    ['an empty answer', { status: 200, body: '{}' }],
  ])('after %s the outcome is unknown, and the message is not sent again', async (_, answer) => {
    const talk = await every.begun(type)
    const before = line().sends()
    line().next({ kind: 'answer', answer })
    await says(talk, 'Once')
    await untilNoMore()
    expect(line().sends()).toBe(before + 1)
    expect(await statusesIn(talk)).toEqual([[1, 'unknown']])
    expect(await talk.customer.got()).toEqual([])
  })

  systemTest('a send without an answer in time is unknown, and not tried again', async () => {
    const talk = await every.begun(type)
    const before = line().sends()
    const timers = holdTimers(PROVIDER_LIMITS.sendMs)
    line().next({ kind: 'hang', whenHanging: timers.elapse })
    await says(talk, 'Anybody there?').finally(timers.release)
    expect(await statusesIn(talk)).toEqual([[1, 'unknown']])
    await untilNoMore()
    expect(line().sends()).toBe(before + 1)
  })

  systemTest('an accepted message whose answer is lost arrives once', async () => {
    const talk = await every.begun(type)
    line().next({ kind: 'cut' })
    await says(talk, 'Only once')
    await untilNoMore()
    expect(await talk.customer.got()).toEqual(['Only once'])
    const statuses = (await statusesIn(talk)).map(([, status]) => status)
    expect(statuses).toHaveLength(1)
    expect(statuses[0] === 'unknown').toBe(!TELLS_LATER.includes(type))
  })

  systemTest(
    'a message to an unreachable provider waits, and is sent once when it is back',
    async () => {
      const talk = await every.begun(type)
      setAddress(type, 'http://127.0.0.1:9')
      await says(talk, 'Later')
      expect(await talk.customer.got()).toEqual([])
      setAddress(type, line().url)
      await untilNoMore()
      expect(await talk.customer.got()).toEqual(['Later'])
    },
  )

  systemTest.each(said(revoked))(
    'a channel with a revoked permission sends nothing',
    async (answer) => {
      const talk = await every.begun(type)
      line().always({ kind: 'answer', answer })
      await says(talk, 'Hello?')
      const before = line().sends()
      expect(await every.send(talk, { text: 'Hello??' })).toMatchObject({
        status: 409,
        body: { code: 'channel_unavailable' },
      })
      await untilNoMore()
      expect(line().sends()).toBe(before)
      const channel = await channelOf(world, talk.party)
      expect(channel).toMatchObject({ isConnected: false })
      expect(channel.disconnectedReason).toContain('provider_refused')
      expect(await talk.customer.got()).toEqual([])
    },
  )
})
