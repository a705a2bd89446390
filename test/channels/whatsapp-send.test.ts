import { holdTimers } from '../support/held-timers.ts'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Outbound, SendResult } from '../../src/modules/channels/channel-adapter.ts'
import type { CustomerRef } from '../../src/modules/channels/inbound.ts'
import { USER_AGENT } from '../../src/modules/channels/meta/call-graph.ts'
import { checkConnection } from '../../src/modules/channels/whatsapp/adapter.ts'
import { sendMessage } from '../../src/modules/channels/whatsapp/send.ts'
import {
  accepted,
  answerWith,
  connectionTo,
  openClient,
  SEND_MS,
  startMeta,
} from './loopback-meta.ts'

const NUMBER: CustomerRef = { number: '12025550123', businessScopedId: 'US.77' }
const HELLO: Outbound = { kind: 'text', text: 'Hello' }
async function startBoth(answer: (response: ServerResponse) => void) {
  const meta = await startMeta(answer)
  return { meta, client: openClient(), connection: connectionTo(meta.url) }
}

async function sendTo(
  answer: (response: ServerResponse) => void,
  { to = NUMBER, message = HELLO }: { to?: CustomerRef; message?: Outbound } = {},
) {
  const { meta, client, connection } = await startBoth(answer)
  const result = await sendMessage(client, connection, to, message, { ourReference: 'msg_1' })
  return { result, seen: meta.seen }
}

const errorOf = (code: number) => ({
  error: { message: `(#${code}) No`, type: 'OAuthException', code },
})

describe('A message is written as WhatsApp reads it', () => {
  const ok = answerWith(200, accepted('wamid.OK'))

  test("a text to a number has the service's reference and user agent", async () => {
    const { result, seen } = await sendTo(ok)
    expect(result).toEqual({
      outcome: 'accepted',
      providerMessageId: 'wamid.OK',
      customer: { number: '12025550123' },
    })
    expect(seen).toMatchObject([
      {
        method: 'POST',
        path: '/v25.0/200000000000001/messages',
        headers: {
          authorization: 'Bearer EAAG-a-secret-token',
          'content-type': 'application/json',
          'user-agent': USER_AGENT,
        },
      },
    ])
    expect(seen[0]?.body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+12025550123',
      biz_opaque_callback_data: 'msg_1',
      type: 'text',
      text: { body: 'Hello', preview_url: false },
    })
  })

  test('a customer without a number is addressed by the business-scoped id', async () => {
    const { seen } = await sendTo(ok, { to: { businessScopedId: 'US.77' } })
    expect(seen[0]?.body).toMatchObject({ recipient: 'US.77' })
    expect(seen[0]?.body).not.toHaveProperty('to')
  })

  test('a customer with neither is refused before anything is sent', async () => {
    const { result, seen } = await sendTo(ok, { to: { lid: '1@lid' } })
    expect(result).toMatchObject({ outcome: 'refused', error: { class: 'recipient' } })
    expect(seen).toHaveLength(0)
  })

  const template = {
    kind: 'template',
    name: 'order_ready',
    language: 'ar',
    parameterFormat: 'POSITIONAL',
    body: [
      { name: '1', text: 'سارة' },
      { name: '2', text: 'A-17' },
    ],
    quickReplies: [],
    urlSuffixes: [],
  } as const satisfies Outbound

  const texts = (...parameters: object[]) =>
    parameters.map((parameter) => ({ type: 'text', ...parameter }))

  test('a template is sent in exactly its language, with values in their order', async () => {
    const { seen } = await sendTo(ok, { message: { ...template, body: [...template.body] } })
    expect(seen[0]?.body).toMatchObject({ type: 'template' })
    expect(seen[0]?.body.template).toEqual({
      name: 'order_ready',
      language: { policy: 'deterministic', code: 'ar' },
      components: [{ type: 'body', parameters: texts({ text: 'سارة' }, { text: 'A-17' }) }],
    })
  })

  test('named values, a header and buttons are each in their component', async () => {
    const { seen } = await sendTo(ok, {
      message: {
        ...template,
        parameterFormat: 'NAMED',
        header: { name: 'shop', text: 'Noor' },
        body: [{ name: 'order', text: 'A-17' }],
        quickReplies: [{ index: 0, payload: 'run:1:0' }],
        urlSuffixes: [{ index: 2, text: 'track/A-17' }],
      },
    })
    const payload = { type: 'payload', payload: 'run:1:0' }
    expect(seen[0]?.body.template).toMatchObject({
      components: [
        { type: 'header', parameters: texts({ parameter_name: 'shop', text: 'Noor' }) },
        { type: 'body', parameters: texts({ parameter_name: 'order', text: 'A-17' }) },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [payload] },
        { type: 'button', sub_type: 'url', index: '2', parameters: texts({ text: 'track/A-17' }) },
      ],
    })
  })

  test('a template without variables has no components', async () => {
    const { seen } = await sendTo(ok, { message: { ...template, body: [] } })
    expect(seen[0]?.body.template).not.toHaveProperty('components')
  })

  test('the base URL may have a path', async () => {
    const { meta, client, connection } = await startBoth(ok)
    const simulated = { ...connection, baseUrl: `${meta.url}/simulator/graph/` }
    await sendMessage(client, simulated, NUMBER, HELLO, { ourReference: 'msg_1' })
    expect(meta.seen[0]?.path).toBe('/simulator/graph/v25.0/200000000000001/messages')
  })

  test('the user agent has the name and version of the package', () => {
    const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(file) as { version: string }
    expect(USER_AGENT).toBe(`Wasla/${version}`)
    expect(USER_AGENT).toMatch(/^[a-zA-Z0-9_-]+\/\d+\.\d+\.\d+$/)
  })
})

describe("WhatsApp's answer is used as it is", () => {
  test('a number other than the dialled one is the customer’s real one', async () => {
    const body = {
      contacts: [{ input: '+5215512345678', wa_id: '525512345678', user_id: 'MX.5' }],
      messages: [{ id: 'wamid.MX' }],
    }
    const { result } = await sendTo(answerWith(200, body))
    expect(result).toMatchObject({ customer: { number: '525512345678', businessScopedId: 'MX.5' } })
  })

  test.each([
    [400, 131047, 'window'],
    [401, 190, 'auth'],
    [503, 131016, 'transient'],
  ])('%i with code %i is refused as %s', async (status, code, errorClass) => {
    const { result } = await sendTo(answerWith(status, errorOf(code)))
    expect(result).toMatchObject({
      outcome: 'refused',
      error: { code: String(code), class: errorClass, message: `(#${code}) No` },
    })
  })

  test('the access token is never repeated', async () => {
    const message = 'Malformed access token EAAG-a-secret-token'
    const { result } = await sendTo(answerWith(401, { error: { message, code: 190 } }))
    expect(result).toMatchObject({
      error: { class: 'auth', message: 'Malformed access token [removed]' },
    })
  })
})

describe('Without a complete answer the outcome is unknown', () => {
  const UNKNOWN: SendResult = { outcome: 'unknown' }

  test.each([
    ['500 of an unknown server', answerWith(500, 'Internal error')],
    ['502 of a proxy', answerWith(502, '<html>Bad gateway</html>')],
    ['503 with JSON that is not WhatsApp’s', answerWith(503, '{"error":"overloaded"}')],
    ['200 that is not JSON', answerWith(200, 'OK')],
    ['200 without a message id', answerWith(200, '{"messages":[]}')],
    ['200 with another JSON', answerWith(200, '{"messages":{"id":7}}')],
    ['200 with an empty id', answerWith(200, '{"messages":[{"id":""}]}')],
    ['200 that is empty', answerWith(200, '')],
    ['an answer too large to keep', answerWith(200, accepted('wamid.X').padEnd(2_000_000))],
    [
      'a connection that is reset instead of an answer',
      (response: ServerResponse) => response.socket?.resetAndDestroy(),
    ],
    [
      'a connection that is cut in the middle of the answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '500' })
        response.write('{"messages":[{"id":"wamid.HALF"}]', () => response.socket?.destroy())
      },
    ],
    [
      'an answer that is not HTTP',
      (response: ServerResponse) => void response.socket?.end('hello\r\n\r\n'),
    ],
  ])('%s', async (_, answer) => {
    const { result, seen } = await sendTo(answer)
    expect(result).toEqual(UNKNOWN)
    expect(seen).toHaveLength(1)
  })

  test.each<[string, (response: ServerResponse, elapse: () => void) => void]>([
    ['the server hangs', (_, elapse) => elapse()],
    [
      'the answer stalls half-way',
      (response, elapse) => {
        response.writeHead(200, { 'content-length': '500' })
        response.write('{"messages":', () => setImmediate(elapse))
      },
    ],
  ])('%s and the deadline passes', async (_, stall) => {
    const timers = holdTimers(SEND_MS)
    const sending = sendTo((response) => stall(response, timers.elapse))
    const { result, seen } = await sending.finally(timers.release)
    expect(result).toEqual(UNKNOWN)
    expect(seen).toHaveLength(1)
  })

  test('the send is aborted during the wait', async () => {
    const giveUp = new AbortController()
    const { client, connection, meta } = await startBoth(() => giveUp.abort())
    const options = { ourReference: 'msg_1', signal: giveUp.signal }
    expect(await sendMessage(client, connection, NUMBER, HELLO, options)).toEqual(UNKNOWN)
    expect(meta.seen).toHaveLength(1)
  })
})

describe('The check of a connection', () => {
  test('returns the number’s name and number as label', async () => {
    const body = { id: '2', verified_name: 'Noor', display_phone_number: '+1 202-555-0100' }
    const { client, connection, meta } = await startBoth(answerWith(200, body))
    expect(await checkConnection(client, connection, 'secret')).toEqual({
      ok: true,
      label: 'Noor, +1 202-555-0100',
    })
    expect(meta.seen[0]).toMatchObject({
      method: 'GET',
      path: '/v25.0/200000000000001?fields=verified_name%2Cdisplay_phone_number',
    })
    const proof = createHmac('sha256', 'secret').update(connection.accessToken).digest('hex')
    expect(meta.seen[1]!.path).toBe(`/v25.0/200000000000001?fields=id&appsecret_proof=${proof}`)
  })

  test.each([
    ['a token that has expired', answerWith(401, errorOf(190)), 'auth'],
    ['a server that is down', answerWith(503, 'no'), 'transient'],
    ['an empty answer', answerWith(200, '{}'), 'other'],
  ])('fails for %s, with its class', async (_, answer, errorClass) => {
    const { client, connection } = await startBoth(answer)
    expect(await checkConnection(client, connection, 'secret')).toMatchObject({
      ok: false,
      error: { class: errorClass },
    })
  })

  test('reports an invalid base URL as a wrong setting', async () => {
    const { client, connection } = await startBoth(answerWith(200, '{}'))
    const checked = await checkConnection(client, { ...connection, baseUrl: 'graph' }, 'secret')
    expect(checked).toMatchObject({
      ok: false,
      error: { code: 'base_url_invalid', class: 'other' },
    })
  })
})
