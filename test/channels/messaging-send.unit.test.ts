/** What is sent on Messenger and Instagram, and how each answer is taken. Spec: Concepts › Channel capabilities; Flows › Effects. */
import { holdTimers } from '../support/held-timers.ts'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { ChannelAdapter, Outbound } from '../../src/channels/channel-adapter.ts'
import { createInstagramAdapter } from '../../src/channels/instagram/adapter.ts'
import { createMessengerAdapter } from '../../src/channels/messenger/adapter.ts'
import { startMeta, startSockets, rawAnswer } from './loopback-meta.ts'

const PAGE = '100000000000001'
const ACCOUNT = '17841400000000000'
const CUSTOMER = { providerUserId: '200000000000001' }
const HELLO: Outbound = { kind: 'text', text: 'Hello' }
const CREDENTIALS = { accessToken: 'EAAG-secret', appSecret: 'secret', verifyToken: 'verify' }
const endings: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

type Type = 'messenger' | 'instagram'

/** The adapter with its provider at these addresses; nobody else is asked. */
/** Longer than any machine takes for one request on loopback. */
const SEND_MS = 40_000

function adapterAt(type: Type, urls: { facebook?: string; instagram?: string }) {
  const { facebook = 'http://127.0.0.1:9', instagram = 'http://127.0.0.1:9' } = urls
  const baseUrls = {
    messenger: facebook,
    messengerSimulator: null,
    instagram,
    instagramSimulator: null,
  }
  const options = { baseUrls, apiVersion: 'v25.0', sendMs: SEND_MS }
  const adapter: ChannelAdapter =
    type === 'messenger' ? createMessengerAdapter(options) : createInstagramAdapter(options)
  endings.push(() => adapter.close())
  return adapter
}

function channelOf(type: Type, login = 'instagram') {
  const route = type === 'messenger' ? PAGE : ACCOUNT
  const settings: Record<string, string> = type === 'messenger' ? {} : { login }
  return { route, account: route, settings, isSimulated: false, credentials: CREDENTIALS }
}

const send = (adapter: ChannelAdapter, type: Type, message: Outbound = HELLO, login?: string) =>
  adapter.send(channelOf(type, login), CUSTOMER, message, { ourReference: 'o_1', file: null })

async function meta(answer: (response: ServerResponse) => void) {
  const started = await startMeta(answer)
  endings.push(started.stop)
  return started
}

const answerWith =
  (status: number, json: unknown, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers)
    response.end(typeof json === 'string' ? json : JSON.stringify(json))
  }
const TAKEN = answerWith(200, { recipient_id: CUSTOMER.providerUserId, message_id: 'm_1' })
const BUTTONS: Outbound = {
  kind: 'buttons',
  text: 'Which?',
  buttons: [
    { label: 'Red', payload: 'run:1:0' },
    { label: 'Blue', payload: 'run:1:1' },
  ],
}

describe('what is written', () => {
  test('a text from a page says that it answers, and takes our reference along', async () => {
    const { url, seen } = await meta(TAKEN)
    const result = await send(adapterAt('messenger', { facebook: url }), 'messenger')
    expect(result).toEqual({ outcome: 'accepted', providerMessageId: 'm_1' })
    expect(seen).toMatchObject([
      {
        method: 'POST',
        path: `/v25.0/${PAGE}/messages`,
        headers: { authorization: 'Bearer EAAG-secret' },
        body: {
          recipient: { id: CUSTOMER.providerUserId },
          messaging_type: 'RESPONSE',
          message: { text: 'Hello', metadata: 'wasla:o_1' },
        },
      },
    ])
  })

  test('an account that signed in with Instagram speaks at its own host', async () => {
    const { url, seen } = await meta(TAKEN)
    await send(adapterAt('instagram', { instagram: url }), 'instagram')
    expect(seen).toMatchObject([{ path: `/v25.0/${ACCOUNT}/messages` }])
    expect(seen[0]!.body).toEqual({
      recipient: { id: CUSTOMER.providerUserId },
      message: { text: 'Hello' },
    })
  })

  test('one that is linked to a page speaks as that page', async () => {
    const { url, seen } = await meta(TAKEN)
    await send(adapterAt('instagram', { facebook: url }), 'instagram', HELLO, 'facebook')
    expect(seen).toMatchObject([{ path: '/v25.0/me/messages' }])
  })

  test('what can be tapped goes as quick replies, and brings its payload back', async () => {
    const { url, seen } = await meta(TAKEN)
    await send(adapterAt('messenger', { facebook: url }), 'messenger', BUTTONS)
    expect(seen[0]!.body).toMatchObject({
      message: {
        text: 'Which?',
        quick_replies: [
          { content_type: 'text', title: 'Red', payload: 'run:1:0' },
          { content_type: 'text', title: 'Blue', payload: 'run:1:1' },
        ],
      },
    })
  })
})

describe('how a refusal is taken', () => {
  test.each([
    ['the window is over', 400, 10, 2018278, 'window'],
    ['the window is over, of Instagram', 400, 10, 2534022, 'window'],
    ['a permission is missing', 403, 10, undefined, 'auth'],
    ['the person is not available', 400, 551, 1545041, 'recipient'],
    ['nobody is there', 400, 100, 2018001, 'recipient'],
    ['no role while the app is in development', 400, 200, 2018028, 'recipient'],
    ['the token is no more', 400, 190, 460, 'auth'],
    ['another permission is missing', 403, 230, undefined, 'auth'],
    ['the page is not of this token', 400, 100, 33, 'auth'],
    ['the session has expired, whatever the code', 403, 200, 463, 'auth'],
    ['another app has this thread', 403, 10, 2018300, 'other'],
    ['a permission for something of this message', 403, 200, 2018999, 'other'],
    ['calls of the page', 400, 613, undefined, 'rate'],
    ['calls of the app', 400, 4, undefined, 'rate'],
    ['calls of the page in an hour', 400, 32, undefined, 'rate'],
    ['for a moment', 500, 1200, undefined, 'transient'],
    ['a fault there', 500, 2, undefined, 'transient'],
    ['a parameter is wrong', 400, 100, undefined, 'content'],
    ['an upload that is not there', 400, 100, 2018074, 'content'],
    ['policy', 400, 368, undefined, 'blocked'],
    ['what nobody knows', 400, 987_654, undefined, 'other'],
  ])('%s', async (_, status, code, subcode, errorClass) => {
    const error = { message: `(#${code}) No`, code, ...(subcode && { error_subcode: subcode }) }
    const { url } = await meta(answerWith(status, { error }))
    for (const type of ['messenger', 'instagram'] as const) {
      const result = await send(adapterAt(type, { facebook: url, instagram: url }), type)
      expect(result).toMatchObject({
        outcome: 'refused',
        error: { code: String(code), class: errorClass },
      })
    }
  })

  test('a wait that is asked for is told', async () => {
    const { url } = await meta(answerWith(429, '', { 'retry-after': '30' }))
    expect(await send(adapterAt('messenger', { facebook: url }), 'messenger')).toMatchObject({
      outcome: 'refused',
      error: { class: 'rate', retryAfterMs: 30_000 },
    })
  })

  test('the access token stands in no reason', async () => {
    const message = `Malformed access token ${CREDENTIALS.accessToken}`
    const { url } = await meta(answerWith(400, { error: { message, code: 190 } }))
    const result = await send(adapterAt('messenger', { facebook: url }), 'messenger')
    expect(JSON.stringify(result)).not.toContain(CREDENTIALS.accessToken)
  })
})

describe('a lost answer is unknown, and nothing is sent twice', () => {
  test.each([
    ['a machine in between fails', 502, '<html>Bad gateway</html>'],
    ['an answer without an id', 200, '{}'],
    ['an answer that cannot be read', 200, '{"message_id":'],
  ])('%s', async (_, status, body) => {
    const { url, seen } = await meta(answerWith(status, body))
    const result = await send(adapterAt('messenger', { facebook: url }), 'messenger')
    expect(result).toEqual({ outcome: 'unknown' })
    expect(seen).toHaveLength(1)
  })

  test('no answer in time', async () => {
    const timers = holdTimers(SEND_MS)
    const sockets = await startSockets(() => void timers.elapse())
    endings.push(sockets.stop)
    const sending = send(adapterAt('messenger', { facebook: sockets.url }), 'messenger')
    expect(await sending.finally(timers.release)).toEqual({ outcome: 'unknown' })
    expect(sockets.requests).toHaveLength(1)
  })

  test('the line is cut in the middle of the answer', async () => {
    const sockets = await startSockets((socket) => {
      socket.write(rawAnswer('{"message_id":"m_1"}').slice(0, -5))
      socket.destroy()
    })
    endings.push(sockets.stop)
    const result = await send(adapterAt('messenger', { facebook: sockets.url }), 'messenger')
    expect(result).toEqual({ outcome: 'unknown' })
    expect(sockets.requests).toHaveLength(1)
  })

  test('nobody listens: nothing was sent, and it may be tried again', async () => {
    const { url, stop } = await startMeta(() => {})
    await stop()
    expect(await send(adapterAt('messenger', { facebook: url }), 'messenger')).toMatchObject({
      outcome: 'refused',
      error: { class: 'transient', code: 'ECONNREFUSED' },
    })
  })
})

describe('whether a token is the right one', () => {
  test('it speaks for the page of the form', async () => {
    const { url, seen } = await meta(answerWith(200, { id: PAGE, name: 'Riyadh shop' }))
    const check = await adapterAt('messenger', { facebook: url }).check(channelOf('messenger'))
    expect(check).toEqual({ ok: true, label: 'Riyadh shop' })
    expect(seen[0]!.path).toBe('/v25.0/me?fields=id%2Cname')
  })

  test('a token of another page is refused', async () => {
    const { url } = await meta(answerWith(200, { id: '999', name: 'Another' }))
    const adapter = adapterAt('messenger', { facebook: url })
    const check = await adapter.check(channelOf('messenger'))
    expect(check).toMatchObject({ ok: false, error: { class: 'auth' } })
    if (!check.ok) expect(adapter.explain(check.error).code).toBe('meta_token_of_another')
  })

  test('an Instagram account by the id that its webhooks have', async () => {
    const { url } = await meta(answerWith(200, { id: '7', user_id: ACCOUNT, username: 'shop' }))
    const adapter = adapterAt('instagram', { instagram: url })
    expect(await adapter.check(channelOf('instagram'))).toEqual({ ok: true, label: '@shop' })
  })

  test('an Instagram account by the app’s own id for it is refused: no webhook has that', async () => {
    const { url } = await meta(answerWith(200, { id: ACCOUNT, user_id: '17840', username: 'shop' }))
    const check = await adapterAt('instagram', { instagram: url }).check(channelOf('instagram'))
    expect(check).toMatchObject({ ok: false, error: { code: 'of_another' } })
  })
})

describe('a name', () => {
  test.each([
    ['messenger', { first_name: 'Sara', last_name: 'Ali' }, 'Sara Ali'],
    ['messenger', { last_name: 'Ali' }, 'Ali'],
    ['instagram', { name: 'Sara', username: 'sara.ali' }, 'Sara'],
    ['instagram', { username: 'sara.ali' }, 'sara.ali'],
    ['messenger', {}, null],
  ] as const)('%s %j', async (type, profile, name) => {
    const { url } = await meta(answerWith(200, { id: CUSTOMER.providerUserId, ...profile }))
    const adapter = adapterAt(type, { facebook: url, instagram: url })
    expect(await adapter.fetchProfile!(channelOf(type), CUSTOMER)).toEqual({
      outcome: 'fetched',
      name,
    })
  })
})

describe('a file of a customer', () => {
  const limits = { mostBytes: 1_000 }

  test('is fetched from where it lies, and nobody is shown the token', async () => {
    const { url, seen } = await meta(answerWith(200, 'bytes'))
    const adapter = adapterAt('messenger', { facebook: url })
    const fetched = await adapter.fetchMedia!(
      channelOf('messenger'),
      { url: `${url}/f?s=1` },
      limits,
    )
    expect(fetched).toEqual({ outcome: 'fetched', bytes: Buffer.from('bytes') })
    expect(seen).toMatchObject([{ path: '/f?s=1' }])
    expect(seen[0]!.headers).not.toHaveProperty('authorization')
  })

  test.each([
    'https://evil.example/x',
    'https://fbcdn.net.evil.example/x',
    'http://scontent.fbcdn.net/x',
    'https://scontent.fbcdn.net:8443/x',
    'file:///etc/passwd',
    'not an address',
  ])('is asked for nowhere but at Meta: %s', async (url) => {
    const adapter = adapterAt('messenger', {})
    expect(await adapter.fetchMedia!(channelOf('messenger'), { url }, limits)).toMatchObject({
      outcome: 'lost',
      why: { code: 'file_gone' },
    })
  })

  test('nor where an answer points to', async () => {
    const { url, seen } = await meta(answerWith(302, '', { location: 'http://127.0.0.1:9/x' }))
    const adapter = adapterAt('messenger', { facebook: url })
    const fetched = await adapter.fetchMedia!(channelOf('messenger'), { url: `${url}/f` }, limits)
    expect(fetched).toMatchObject({ outcome: 'lost' })
    expect(seen).toHaveLength(1)
  })

  test('that is too large is lost, one that goes round for ever too', async () => {
    const large = await meta(answerWith(200, 'x'.repeat(2_000)))
    const adapter = adapterAt('messenger', { facebook: large.url })
    const channel = channelOf('messenger')
    expect(await adapter.fetchMedia!(channel, { url: `${large.url}/f` }, limits)).toMatchObject({
      outcome: 'lost',
      why: { code: 'file_too_large' },
    })
    const round = await meta(answerWith(302, '', { location: '/f' }))
    const other = adapterAt('messenger', { facebook: round.url })
    expect(await other.fetchMedia!(channel, { url: `${round.url}/f` }, limits)).toMatchObject({
      outcome: 'lost',
    })
    expect(round.seen).toHaveLength(4)
  })
})
