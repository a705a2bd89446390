/** Calls as a channel: connected over the API, reported to a separate URL, and never sent to. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import type { ConnectedChannel } from '../../src/contract/dashboard/channel.ts'
import { VOICE_PROVIDERS, type VoiceProvider } from '../../src/core/vocabulary/channels.ts'
import { messagesOf } from '../support/records/messages.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import {
  ourReport,
  retellReport,
  signOurs,
  signRetell,
  signTelnyx,
  signVapi,
  TELNYX_PUBLIC_KEY,
  telnyxReport,
  TURNS,
  vapiReport,
  type SignedReport,
} from '../support/call-reports.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWorld } from '../support/open-world.ts'
import { createShop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

const SECRET = 'a-secret-of-the-merchant'

/** The status of Telnyx's next answers, instead of the usual one. */
let refusesWith: number | null = null
let asked: string[] = []
const telnyx = createServer((request, response) => {
  asked.push(request.url!)
  const isAllowed = request.headers.authorization === 'Bearer KEY'
  const status = isAllowed ? (refusesWith ?? 200) : 401
  response.writeHead(status, { 'content-type': 'application/json' })
  const page = Number(new URL(request.url!, 'http://x').searchParams.get('page[number]'))
  response.end(JSON.stringify(status === 200 ? telnyxAnswer(request.url!, page) : {}))
})
await new Promise<void>((resolve) => telnyx.listen(0, '127.0.0.1', resolve))
afterAll(() => void telnyx.close())
const world = await openWorld()
world.baseUrls.telnyx = `http://127.0.0.1:${(telnyx.address() as AddressInfo).port}`
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })

/** Returns Telnyx's answer: two pages of messages, the newest first. */
function telnyxAnswer(url: string, page: number): object {
  if (!url.includes('/messages')) {
    return { data: { metadata: { telnyx_end_user_target: '+16505551234' } } }
  }
  const all = TURNS.map(([by, text], place) => ({
    role: by === 'caller' ? 'user' : 'assistant',
    text,
    sent_at: `2026-11-20T09:00:0${place}Z`,
  })).toReversed()
  return { data: all.slice((page - 1) * 2, page * 2), meta: { total_pages: 2 } }
}

const connect = (credentials: object) =>
  owner.ask<ConnectedChannel>('POST', `/companies/${shop.companyId}/channels`, {
    type: 'voice',
    name: 'Calls',
    credentials,
  })

async function connected(provider: VoiceProvider) {
  const secret = provider === 'telnyx' ? TELNYX_PUBLIC_KEY : SECRET
  const apiKey = provider === 'telnyx' ? { apiKey: 'KEY' } : {}
  const { status, body } = await connect({ provider, secret, ...apiKey })
  expect(status).toBe(201)
  return body.channel
}

async function report(url: string, { headers, body }: SignedReport): Promise<number> {
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  await world.service.processAll()
  return response.status
}

const toldOf = (channelId: string) =>
  world.receiver.received
    .map(({ event }) => event)
    .filter(({ data }) => JSON.stringify(data).includes(channelId))
    // Events are sorted in the order in which they were raised, because deliveries may overtake
    // each other.
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

describe('A call that is reported', () => {
  const reports: Record<VoiceProvider, () => SignedReport> = {
    retell: () => signRetell(retellReport(), SECRET, world.clock.now()),
    vapi: () => signVapi(vapiReport(), SECRET),
    telnyx: () => signTelnyx(telnyxReport(), world.clock.now()),
    signed: () => signOurs(ourReport(), SECRET, world.clock.now()),
  }

  test('with a replaced secret is refused, and with the new one accepted', async () => {
    const { id, webhookUrl } = await connected('signed')
    const secret = 'another-secret-of-the-merchant'
    const path = `/companies/${shop.companyId}/channels/${id}`
    expect((await owner.ask('PATCH', path, { credentials: { secret } })).status).toBe(200)
    expect(await report(webhookUrl!, reports.signed())).toBe(401)
    expect(await report(webhookUrl!, signOurs(ourReport(), secret, world.clock.now()))).toBe(200)
    expect(await messagesOf(world, { channelId: id })).toHaveLength(TURNS.length)
  })

  test.each(VOICE_PROVIDERS)(
    'by %s is a conversation with a message for each turn',
    async (provider) => {
      const { id, webhookUrl } = await connected(provider)
      expect(webhookUrl).toBe(`${world.url}/webhooks/voice/00/${id}`)
      expect(await report(webhookUrl!, reports[provider]())).toBe(200)
      const messages = await messagesOf(world, { channelId: id })
      expect(messages.map(({ sender, text }) => [sender, text])).toEqual(
        TURNS.map(([by, text]) => [by === 'caller' ? 'customer' : 'assistant', text]),
      )
      const conversation = await onlyConversation(world, { channelId: id })
      expect(conversation).toMatchObject({ handledBy: 'assistant', lastText: 'Thank you' })
      const told = toldOf(id)
      expect(told.map(({ type }) => type)).toEqual([
        'conversation.started',
        'message.received',
        'message.received',
      ])
      expect(told[1]!.data).toMatchObject({
        conversation: { channelType: 'voice' },
        contact: { phone: '+16505551234', whatsAppId: null },
        message: { type: 'text' },
      })
      // The same report again, and another event of the same call, change nothing.
      expect(await report(webhookUrl!, reports[provider]())).toBe(200)
      expect(await messagesOf(world, { channelId: id })).toHaveLength(TURNS.length)
      expect(toldOf(id)).toHaveLength(3)
    },
  )
})

test('a channel shows its optional API key as saved only if one was entered', async () => {
  expect((await connected('retell')).secretEnds).toEqual({})
  expect((await connected('telnyx')).secretEnds).toEqual({ apiKey: null })
})

describe('A sender of reports', () => {
  systemTest('may send four megabytes of rubbish', async () => {
    const { webhookUrl } = await connected('signed')
    const rubbish = '['.repeat(4 * 1_048_576 - 10)
    expect(await report(webhookUrl!, signOurs(rubbish, SECRET, world.clock.now()))).toBe(200)
    const larger = '['.repeat(4 * 1_048_576 + 1)
    expect(await report(webhookUrl!, signOurs(larger, SECRET, world.clock.now()))).toBe(413)
  })

  test('needs an existing URL', async () => {
    const nowhere = `${world.url}/webhooks/voice/01a1fd55-7a80-7278-823e-2ce24018e90d`
    expect(await report(nowhere, signOurs(ourReport(), SECRET, world.clock.now()))).toBe(401)
  })
})

describe('Telnyx', () => {
  test('is asked for the key when it is connected', async () => {
    const wrong = await connect({ provider: 'telnyx', secret: TELNYX_PUBLIC_KEY, apiKey: 'NO' })
    expect(wrong.status).toBe(422)
    expect(JSON.stringify(wrong.body)).toContain('telnyx_wrong_api_key')
    const noKey = await connect({ provider: 'telnyx', secret: SECRET, apiKey: 'KEY' })
    expect(JSON.stringify(noKey.body)).toContain('telnyx_wrong_key')
  })

  test('is asked again after it could not return the messages, so that nothing is lost', async () => {
    const { id, webhookUrl } = await connected('telnyx')
    const sent = () => signTelnyx(telnyxReport('telnyx-2'), world.clock.now())
    refusesWith = 500
    expect(await report(webhookUrl!, sent())).toBe(503)
    expect(await messagesOf(world, { channelId: id })).toEqual([])
    refusesWith = null
    asked = []
    expect(await report(webhookUrl!, sent())).toBe(200)
    expect(await messagesOf(world, { channelId: id })).toHaveLength(TURNS.length)
    expect(asked).toEqual([
      '/v2/ai/conversations/telnyx-2',
      '/v2/ai/conversations/telnyx-2/messages?page[number]=1&page[size]=100',
      '/v2/ai/conversations/telnyx-2/messages?page[number]=2&page[size]=100',
    ])
  })
})
