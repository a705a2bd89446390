/**
 * Sending on Messenger and Instagram, and the results of their answers.
 * Spec: Concepts › Channel capabilities; Flows › Effects.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ChannelAdapter, Outbound } from '../../src/modules/channels/channel-adapter.ts'
import { createInstagramAdapter } from '../../src/modules/channels/instagram/adapter.ts'
import { createMessengerAdapter } from '../../src/modules/channels/messenger/adapter.ts'
import { answerWith, SEND_MS, startMeta } from './loopback-meta.ts'

const PAGE = '100000000000001'
const ACCOUNT = '17841400000000000'
const CUSTOMER = { providerUserId: '200000000000001' }
const HELLO: Outbound = { kind: 'text', text: 'Hello' }
const CREDENTIALS = { accessToken: 'EAAG-secret', appSecret: 'secret', verifyToken: 'verify' }
type Type = 'messenger' | 'instagram'

/** Returns the adapter with its provider at these URLs. Other providers are unreachable. */
function adapterAt(type: Type, urls: { facebook?: string; instagram?: string }) {
  const { facebook = 'http://127.0.0.1:9', instagram = 'http://127.0.0.1:9' } = urls
  const baseUrls = { messenger: facebook, instagram, simulated: {} }
  const options = { baseUrls, apiVersion: 'v25.0', sendMs: SEND_MS }
  const adapter: ChannelAdapter =
    type === 'messenger' ? createMessengerAdapter(options) : createInstagramAdapter(options)
  onTestFinished(() => adapter.close())
  return adapter
}

function channelOf(type: Type, login = 'instagram') {
  const route = type === 'messenger' ? PAGE : ACCOUNT
  const settings: Record<string, string> = type === 'messenger' ? {} : { login }
  return { route, account: route, settings, isSimulated: false, credentials: CREDENTIALS }
}

const send = (adapter: ChannelAdapter, type: Type, message: Outbound = HELLO, login?: string) =>
  adapter.send(channelOf(type, login), CUSTOMER, message, { ourReference: 'o_1', file: null })

/** Sends a message from a page, whose provider is at this URL. */
const sendToPage = (facebook: string, message: Outbound = HELLO) =>
  send(adapterAt('messenger', { facebook }), 'messenger', message)

const TAKEN = answerWith(200, { recipient_id: CUSTOMER.providerUserId, message_id: 'm_1' })
const BUTTONS: Outbound = {
  kind: 'buttons',
  text: 'Which?',
  buttons: [
    { label: 'Red', payload: 'run:1:0' },
    { label: 'Blue', payload: 'run:1:1' },
  ],
}

describe('a message that is sent', () => {
  test("as text from a page is marked as a response, and has the service's reference", async () => {
    const { url, seen } = await startMeta(TAKEN)
    const result = await sendToPage(url)
    expect(result).toEqual({ outcome: 'accepted', providerMessageId: 'm_1' })
    const headers = { authorization: 'Bearer EAAG-secret' }
    const message = { text: 'Hello', metadata: 'wasla:o_1' }
    const body = { recipient: { id: CUSTOMER.providerUserId }, messaging_type: 'RESPONSE', message }
    const path = `/v25.0/${PAGE}/messages`
    expect(seen).toMatchObject([{ method: 'POST', path, headers, body }])
  })

  test('by an Instagram account uses its own host, or the page it is linked to', async () => {
    const { url, seen } = await startMeta(TAKEN)
    await send(adapterAt('instagram', { instagram: url }), 'instagram')
    expect(seen).toMatchObject([{ path: `/v25.0/${ACCOUNT}/messages` }])
    expect(seen[0]!.body).toEqual({
      recipient: { id: CUSTOMER.providerUserId },
      message: { text: 'Hello' },
    })
    await send(adapterAt('instagram', { facebook: url }), 'instagram', HELLO, 'facebook')
    expect(seen[1]!.path).toBe('/v25.0/me/messages')
  })

  test('with options has them as quick replies with their payloads', async () => {
    const { url, seen } = await startMeta(TAKEN)
    await sendToPage(url, BUTTONS)
    const quick_replies = ['Red', 'Blue'].map((title, place) => {
      return { content_type: 'text', title, payload: `run:1:${place}` }
    })
    expect(seen[0]!.body).toMatchObject({ message: { text: 'Which?', quick_replies } })
  })
})

describe('a refusal has a class', () => {
  test.each([
    ['the window is over', 400, 10, 2018278, 'window'],
    ['the window is over, of Instagram', 400, 10, 2534022, 'window'],
    ['a permission is missing', 403, 10, undefined, 'auth'],
    ['the person is not available', 400, 551, 1545041, 'recipient'],
    ['an unknown person', 400, 100, 2018001, 'recipient'],
    ['no role while the app is in development', 400, 200, 2018028, 'recipient'],
    ['the token has been revoked', 400, 190, 460, 'auth'],
    ['another permission is missing', 403, 230, undefined, 'auth'],
    ['the page is not of this token', 400, 100, 33, 'auth'],
    ['the session has expired, whatever the code', 403, 200, 463, 'auth'],
    ['another app has this thread', 403, 10, 2018300, 'other'],
    ['a permission for something of this message', 403, 200, 2018999, 'other'],
    ['too many calls of the page', 400, 613, undefined, 'rate'],
    ['too many calls of the app', 400, 4, undefined, 'rate'],
    ['too many calls of the page in an hour', 400, 32, undefined, 'rate'],
    ['a temporary failure', 500, 1200, undefined, 'transient'],
    ['an internal error of Meta', 500, 2, undefined, 'transient'],
    ['a parameter is wrong', 400, 100, undefined, 'content'],
    ['an upload that is not there', 400, 100, 2018074, 'content'],
    ['a violation of policy', 400, 368, undefined, 'blocked'],
    ['an unknown code', 400, 987_654, undefined, 'other'],
  ])('%s', async (_, status, code, subcode, errorClass) => {
    const error = { message: `(#${code}) No`, code, ...(subcode && { error_subcode: subcode }) }
    const { url } = await startMeta(answerWith(status, { error }))
    for (const type of ['messenger', 'instagram'] as const) {
      const result = await send(adapterAt(type, { facebook: url, instagram: url }), type)
      expect(result).toMatchObject({
        outcome: 'refused',
        error: { code: String(code), class: errorClass },
      })
    }
  })

  test('a requested wait is returned', async () => {
    const { url } = await startMeta(answerWith(429, '', { 'retry-after': '30' }))
    expect(await sendToPage(url)).toMatchObject({
      outcome: 'refused',
      error: { class: 'rate', retryAfterMs: 30_000 },
    })
  })

  test('the access token is in no error message', async () => {
    const message = `Malformed access token ${CREDENTIALS.accessToken}`
    const { url } = await startMeta(answerWith(400, { error: { message, code: 190 } }))
    const result = await sendToPage(url)
    expect(JSON.stringify(result)).not.toContain(CREDENTIALS.accessToken)
  })
})

test.each([
  ['a failure of a proxy', 502, '<html>Bad gateway</html>'],
  ['an answer without an id', 200, '{}'],
  ['an answer that cannot be read', 200, '{"message_id":'],
])('a lost answer is unknown, and nothing is sent twice after %s', async (_, status, body) => {
  const { url, seen } = await startMeta(answerWith(status, body))
  const result = await sendToPage(url)
  expect(result).toEqual({ outcome: 'unknown' })
  expect(seen).toHaveLength(1)
})

describe('the check of a token', () => {
  const check = async (type: Type, who: object) => {
    const { url, seen } = await startMeta(answerWith(200, who))
    const adapter = adapterAt(type, { facebook: url, instagram: url })
    return { adapter, seen, checked: await adapter.check(channelOf(type)) }
  }

  test('passes for a token of the page in the form', async () => {
    const { checked, seen } = await check('messenger', { id: PAGE, name: 'Riyadh shop' })
    expect(checked).toEqual({ ok: true, label: 'Riyadh shop' })
    expect(seen[0]!.path).toBe('/v25.0/me?fields=id%2Cname')
  })

  test('fails for a token of another page', async () => {
    const { adapter, checked } = await check('messenger', { id: '999', name: 'Another' })
    expect(checked).toMatchObject({ ok: false, error: { class: 'auth' } })
    if (!checked.ok) expect(adapter.explain(checked.error).code).toBe('meta_token_of_another')
  })

  test('compares an Instagram account by the id in its webhooks, not by the app-scoped one', async () => {
    const right = await check('instagram', { id: '7', user_id: ACCOUNT, username: 'shop' })
    expect(right.checked).toEqual({ ok: true, label: '@shop' })
    const wrong = await check('instagram', { id: ACCOUNT, user_id: '17840', username: 'shop' })
    expect(wrong.checked).toMatchObject({ ok: false, error: { code: 'of_another' } })
  })
})

test.each([
  ['messenger', { first_name: 'Sara', last_name: 'Ali' }, 'Sara Ali'],
  ['messenger', { last_name: 'Ali' }, 'Ali'],
  ['instagram', { name: 'Sara', username: 'sara.ali' }, 'Sara'],
  ['instagram', { username: 'sara.ali' }, 'sara.ali'],
  ['messenger', {}, null],
] as const)('on %s with the profile %j, the name is read', async (type, profile, name) => {
  const { url } = await startMeta(answerWith(200, { id: CUSTOMER.providerUserId, ...profile }))
  const adapter = adapterAt(type, { facebook: url, instagram: url })
  expect(await adapter.fetchProfile!(channelOf(type), CUSTOMER)).toEqual({
    outcome: 'fetched',
    name,
  })
})

describe('a file of a customer', () => {
  const fetchFrom = (facebook: string | undefined, url: string) => {
    const adapter = adapterAt('messenger', facebook === undefined ? {} : { facebook })
    return adapter.fetchMedia!(channelOf('messenger'), { url }, { maxBytes: 1_000 })
  }

  test('is fetched from its URL, without the token', async () => {
    const { url, seen } = await startMeta(answerWith(200, 'bytes'))
    const fetched = await fetchFrom(url, `${url}/f?s=1`)
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
  ])('is only fetched from Meta: %s', async (url) => {
    const lost = { outcome: 'lost', why: { code: 'file_gone' } }
    expect(await fetchFrom(undefined, url)).toMatchObject(lost)
  })

  test.each([
    ['if it redirects to another host', 302, '', 'http://127.0.0.1:9/x', 1],
    ['if it redirects without end', 302, '', '/f', 4],
    ['if it is too large', 200, 'x'.repeat(2_000), '', 1],
  ])('is lost %s', async (_, status, body, location, requests) => {
    const { url, seen } = await startMeta(answerWith(status, body, { location }))
    const why = status === 200 && { why: { code: 'file_too_large' } }
    expect(await fetchFrom(url, `${url}/f`)).toMatchObject({ outcome: 'lost', ...why })
    expect(seen).toHaveLength(requests)
  })
})
