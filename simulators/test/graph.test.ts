import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { NUMBER } from './business.ts'
import {
  CUSTOMER,
  orderReadyTo,
  startSimulated,
  templateTo,
  text,
  textTo,
  upload,
} from './simulated.ts'
import type { GraphAnswer } from './simulated.ts'
import { systemTest } from '../../test/support/system-tests.ts'

/** Returns the error of an answer, after checking the form that every error has. */
function refusalOf({ status, json }: GraphAnswer) {
  expect(json.error).toMatchObject({
    message: expect.any(String),
    type: expect.any(String),
    code: expect.any(Number),
    fbtrace_id: expect.any(String),
  })
  return [status, json.error.code]
}

describe('sending', () => {
  test('a template is accepted as Meta accepts it and marked as simulated', async () => {
    const { send, simulator } = await startSimulated()
    const body = orderReadyTo('+1 202 555 0101', { biz_opaque_callback_data: 'msg-1' })
    const answer = await send(body)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-simulator')).toBe('1')
    expect(answer.json).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: '+1 202 555 0101', wa_id: CUSTOMER }],
      messages: [{ id: expect.stringMatching(/^wamid\.SIM/), message_status: 'accepted' }],
    })
    expect(simulator.messages()).toMatchObject([
      {
        wamid: answer.json.messages[0].id,
        to: CUSTOMER,
        template: 'order_ready',
        language: 'en',
        params: ['Sara', 'A-17'],
        ourReference: 'msg-1',
        text: 'Hello Sara, order A-17 is ready.',
        content: {
          header: 'Order A-17',
          footer: 'Test shop',
          buttons: [
            { type: 'QUICK_REPLY', text: 'I am coming', payload: 'run:1:0' },
            { type: 'QUICK_REPLY', text: 'Later', payload: 'Later' },
            { type: 'URL', text: 'Track', url: 'https://example.com/track/A-17' },
          ],
        },
      },
    ])
    // Two equal requests are two messages: Meta has no idempotency.
    expect((await send(body)).json.messages[0].id).not.toBe(answer.json.messages[0].id)
    expect(simulator.messages().map(({ ourReference }) => ourReference)).toEqual(['msg-1', 'msg-1'])
  })

  test('a customer can be reached by the business-scoped id alone', async () => {
    const { send } = await startSimulated({
      customers: [{ number: CUSTOMER, name: 'Sara', bsuid: 'US.13491208655302741918' }],
    })
    const { to: _, ...body } = orderReadyTo(CUSTOMER, { recipient: 'US.13491208655302741918' })
    const known = await send(body)
    expect(known.json.contacts).toEqual([
      { input: 'US.13491208655302741918', user_id: 'US.13491208655302741918' },
    ])
    expect(refusalOf(await send({ ...body, recipient: 'US.1' }))).toEqual([400, 131009])
  })

  test('media by link and by id, and reply buttons, are accepted', async () => {
    const { send, simulator, graph } = await startSimulated()
    const to = { messaging_product: 'whatsapp', to: CUSTOMER }
    const image = { link: 'https://example.com/a.jpg', caption: 'Here' }
    expect((await send({ ...to, type: 'image', image })).status).toBe(200)
    const { id } = (await upload(graph)).json
    expect((await send({ ...to, type: 'document', document: { id } })).status).toBe(200)
    const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }]
    const interactive = { type: 'button', body: { text: 'Well?' }, action: { buttons } }
    expect((await send({ ...to, type: 'interactive', interactive })).status).toBe(200)
    expect(simulator.messages().map((message) => message.text)).toEqual([
      '[image] Here',
      '[document]',
      'Well?',
    ])
  })

  test('a message of the customer can be marked as read', async () => {
    const { send, simulator } = await startSimulated()
    const wamid = simulator.sendText({ from: CUSTOMER, text: 'Hello' })
    const read = { messaging_product: 'whatsapp', status: 'read' }
    expect((await send({ ...read, message_id: wamid })).json).toEqual({ success: true })
    expect(refusalOf(await send({ ...read, message_id: 'wamid.none' }))).toEqual([400, 131009])
  })

  systemTest('at most 5,000 messages are kept, the oldest go first', async () => {
    const { simulator, send } = await startSimulated({ webhooks: { batch: true } })
    const first = await send(textTo(CUSTOMER))
    for (let i = 0; i < 5_000; i += 1) {
      simulator.ownerAnswers({ from: CUSTOMER, text: `${i}` })
    }
    expect(first.status).toBe(200)
    expect(simulator.messages()).toEqual([])
  })
})

describe('refusing', () => {
  const body = (...values: string[]) => [
    { type: 'body', parameters: values.map((value) => text(value)) },
  ]
  const orderReady = (...components: unknown[]) =>
    templateTo(CUSTOMER, 'order_ready', 'en', components)
  const named = (name: string, [key, value]: [string, string]) =>
    templateTo(CUSTOMER, 'named', 'en', [
      { type: 'body', parameters: [text(name, 'name'), text(value, key)] },
    ])
  const picture = [{ type: 'header', parameters: [text('Look')] }]
  const order = { type: 'header', parameters: [text('1')] }
  const toNobody = { messaging_product: 'whatsapp', type: 'text', text: { body: 'x' } }
  const cases: [why: string, message: unknown, httpStatus: number, code: number][] = [
    ['an unknown template', templateTo(CUSTOMER, 'nothing', 'en'), 404, 132001],
    ['a language the template lacks', templateTo(CUSTOMER, 'plain', 'en'), 404, 132001],
    ['a paused template', templateTo(CUSTOMER, 'paused', 'en'), 400, 132015],
    ['too few values', orderReady(...body('Sara')), 400, 132000],
    ['values where there are none', templateTo(CUSTOMER, 'plain', 'ar', body('Sara')), 400, 132000],
    ['a wrong name of a value', named('Sara', ['other', 'it']), 400, 132012],
    ['text where a picture belongs', templateTo(CUSTOMER, 'picture', 'en', picture), 400, 132012],
    ['a line break in a value', named('Sara\nHaddad', ['thing', 'it']), 400, 132018],
    ['no value for a button’s address', orderReady(order, ...body('Sara', '1')), 400, 131008],
    ['a number that is none', textTo('hello'), 400, 131009],
    ['the business itself', textTo(NUMBER.displayPhoneNumber), 400, 131021],
    ['nobody', toNobody, 400, 100],
    ['an empty text', textTo(CUSTOMER, ''), 400, 100],
    ['a text of 4,097 characters', textTo(CUSTOMER, 'x'.repeat(4_097)), 400, 100],
    ['another product', { ...textTo(CUSTOMER), messaging_product: 'sms' }, 400, 100],
    ['a type there is not', { ...textTo(CUSTOMER), type: 'song' }, 400, 100],
    ['rubbish', '{"messaging_product":', 400, 100],
    ['a list', [], 400, 100],
    ['a body that is too large', textTo(CUSTOMER, 'x'.repeat(300_000)), 413, 100],
    ['…130429', textTo('15550130429'), 429, 130429],
    ['…131030', textTo('15550131030'), 400, 131030],
    ['…500500', textTo('15550500500'), 500, 131000],
  ]

  test.each(cases)('%s is refused as Meta refuses it', async (_, message, httpStatus, code) => {
    const { send, simulator, receiver } = await startSimulated()
    expect(refusalOf(await send(message))).toEqual([httpStatus, code])
    await simulator.idle()
    expect(simulator.messages()).toEqual([])
    expect(receiver.received).toEqual([])
  })

  test('the error has the form of Meta, and refused sends can be counted', async () => {
    const { send, simulator, graph } = await startSimulated()
    const { json } = await send(templateTo(CUSTOMER, 'order_ready', 'en'))
    expect(json).toEqual({
      error: {
        message: '(#132000) Number of parameters does not match the expected number of params',
        type: 'OAuthException',
        code: 132000,
        error_data: {
          messaging_product: 'whatsapp',
          details:
            'header: number of localizable_params (0) does not match the expected number of params (1)',
        },
        fbtrace_id: expect.any(String),
      },
    })
    expect(simulator.refusals()).toMatchObject([{ to: CUSTOMER, code: 132000, httpStatus: 400 }])
    // The number of another account does not exist.
    expect(refusalOf(await send(textTo(CUSTOMER), 'wrong'))).toEqual([401, 190])
    const unknown = await graph('999/messages', { method: 'POST', body: '{}' })
    expect(refusalOf(unknown)).toEqual([400, 100])
    expect(unknown.json.error.error_subcode).toBe(33)
    expect(refusalOf(await graph('a/b/c/d'))).toEqual([400, 2500])
  })

  test('to …000000 the message goes out and the connection breaks before the answer', async () => {
    const { send, simulator, receiver } = await startSimulated()
    const to = '15550000000'
    const reference = { biz_opaque_callback_data: 'msg-1' }
    await expect(send(orderReadyTo(to, reference))).rejects.toThrow('fetch failed')
    await simulator.idle()
    expect(simulator.messages()).toMatchObject([{ to, ourReference: 'msg-1' }])
    expect(receiver.statuses()).toMatchObject([
      { status: 'sent', biz_opaque_callback_data: 'msg-1' },
      { status: 'delivered', biz_opaque_callback_data: 'msg-1' },
    ])
  })
})

describe('numbers and templates', () => {
  test('a number tells its name and only what is asked for', async () => {
    const { graph } = await startSimulated()
    expect((await graph(NUMBER.phoneNumberId)).json).toMatchObject({
      id: NUMBER.phoneNumberId,
      display_phone_number: '+1 555 078 3881',
      verified_name: 'Test shop',
      quality_rating: 'GREEN',
    })
    expect((await graph(`${NUMBER.phoneNumberId}?fields=verified_name`)).json).toEqual({
      id: NUMBER.phoneNumberId,
      verified_name: 'Test shop',
    })
  })

  test('an account is subscribed to an app until it is taken off; then nothing of it is posted', async () => {
    const { graph, act, receiver, simulator } = await startSimulated()
    const path = `${NUMBER.businessAccountId}/subscribed_apps`
    const app = { id: '1234567890123456', name: 'Simulated app', link: expect.any(String) }
    const subscribed = { data: [{ whatsapp_business_api_data: app }] }
    expect((await graph(path)).json).toEqual(subscribed)
    expect((await graph(path, { method: 'DELETE' })).json).toEqual({ success: true })
    expect((await graph(path)).json).toEqual({ data: [] })
    const before = receiver.received.length
    const says = { action: 'sendText', phoneNumberId: NUMBER.phoneNumberId, from: '12025550123' }
    await act({ ...says, text: 'Hello' })
    await simulator.idle()
    expect(receiver.received).toHaveLength(before)
    expect((await graph(path, { method: 'POST' })).json).toEqual({ success: true })
    expect((await graph(path)).json).toEqual(subscribed)
    await act({ ...says, text: 'Hello again' })
    await simulator.idle()
    expect(receiver.received).toHaveLength(before + 1)
  })

  test('templates are listed page by page, and by status and name', async () => {
    const { graph } = await startSimulated()
    const path = `${NUMBER.businessAccountId}/message_templates`
    const names: string[] = []
    let after = ''
    for (let page = 0; page < 4; page += 1) {
      const { json } = await graph(`${path}?limit=2&fields=name&after=${after}`)
      names.push(...json.data.map(({ name }) => name))
      expect('next' in (json.paging ?? {})).toBe(page < 2)
      after = json.paging?.cursors.after ?? after
    }
    expect(names).toEqual(['order_ready', 'plain', 'named', 'paused', 'picture'])
    const paused = await graph(`${path}?status=PAUSED`)
    expect(paused.json.data).toMatchObject([{ name: 'paused', status: 'PAUSED' }])
    const named = await graph(`${path}?name=named`)
    expect(named.json.data).toMatchObject([{ parameter_format: 'NAMED', id: '300000000000003' }])
  })

  test('a new template is pending, is approved a moment later and can then be sent', async () => {
    const { graph, send, simulator, receiver } = await startSimulated()
    const create = (body: object) =>
      graph(`${NUMBER.businessAccountId}/message_templates`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
    const fresh = {
      name: 'fresh',
      language: 'en',
      category: 'UTILITY',
      components: [{ type: 'body', text: 'New' }],
    }
    const made = await create(fresh)
    expect(made.json).toMatchObject({ status: 'PENDING', category: 'UTILITY' })
    await simulator.idle()
    expect(receiver.received[0]?.json.entry[0]?.changes[0]).toMatchObject({
      field: 'message_template_status_update',
      value: { event: 'APPROVED', message_template_name: 'fresh' },
    })
    expect((await send(templateTo(CUSTOMER, 'fresh', 'en'))).status).toBe(200)
    expect(refusalOf(await create(fresh))).toEqual([400, 100])
    expect(refusalOf(await create({ ...fresh, name: 'Not so' }))).toEqual([400, 100])
  })

  test('reports a template that Meta pauses, and refuses it from then on', async () => {
    const { send, simulator, receiver } = await startSimulated()
    const { businessAccountId } = NUMBER
    const plain = { businessAccountId, name: 'plain', language: 'ar' }
    simulator.changeTemplate({ ...plain, status: 'PAUSED' })
    await simulator.idle()
    expect(receiver.received[0]?.json.entry[0]?.changes[0]?.value.event).toBe('PAUSED')
    expect(refusalOf(await send(templateTo(CUSTOMER, 'plain', 'ar')))).toEqual([400, 132015])
  })
})

test('it refuses to listen on anything but loopback', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.4', 'example.com', '127.example.com']) {
    await expect(startSimulated({ host })).rejects.toThrow('listens on loopback only')
  }
  for (const host of ['127.0.0.2', 'localhost']) {
    const { graph } = await startSimulated({ host })
    expect((await graph(NUMBER.phoneNumberId)).status).toBe(200)
  }
})

// Downloads of media need this header, according to Meta's reference.
const bearer = { headers: { authorization: `Bearer ${NUMBER.accessToken}` } }

describe('a file at WhatsApp', () => {
  test('is uploaded in a form, found by its id, and given for five minutes to who has the token', async () => {
    const { graph, clock } = await startSimulated()
    const { id } = (await upload(graph)).json
    const found = await graph(`${id}?phone_number_id=${NUMBER.phoneNumberId}`)
    expect(found.json).toMatchObject({
      id,
      messaging_product: 'whatsapp',
      mime_type: 'application/pdf',
      file_size: 8,
      sha256: createHash('sha256').update('%PDF-1.4').digest('hex'),
    })
    const { url } = found.json
    expect(await (await fetch(url, bearer)).text()).toBe('%PDF-1.4')
    expect((await fetch(url)).status).toBe(401)
    clock.forwardMs(5 * MINUTE_MS)
    expect((await fetch(url, bearer)).status).toBe(400)
    expect((await graph(`${id}?phone_number_id=999`)).status).toBe(400)
  })

  test('is refused when Meta does not accept its type, or when it is too large', async () => {
    const { graph } = await startSimulated()
    const code = async (file: { bytes?: string; type: string }) =>
      (await upload(graph, file)).json.error.code
    expect(await code({ type: 'image/gif' })).toBe(100)
    expect(await code({ type: 'application/octet-stream' })).toBe(100)
    expect(await code({ type: 'image/png', bytes: 'x'.repeat(5_242_881) })).toBe(100)
  })

  test('is sent only while it is there, and as what it is', async () => {
    const { graph, send, simulator } = await startSimulated()
    const { id } = (await upload(graph)).json
    const sent = async (type: string) =>
      (await send({ messaging_product: 'whatsapp', to: CUSTOMER, type, [type]: { id } })).status
    expect([await sent('document'), await sent('image')]).toEqual([200, 400])
    simulator.forgetMedia(id)
    expect(await sent('document')).toBe(400)
  })

  test('can be fetched after a customer sends it as a sample', async () => {
    const { simulator, receiver, graph } = await startSimulated()
    for (const kind of ['image', 'video', 'document', 'voice', 'sticker'] as const) {
      simulator.sendSample({ from: CUSTOMER, kind })
    }
    await simulator.idle()
    const payloads = JSON.stringify(receiver.messages())
    const ids = [...new Set([...payloads.matchAll(/"id":"(10{13}\d)"/g)].map(([, id]) => id!))]
    expect(ids).toHaveLength(5)
    for (const id of ids) {
      const { url } = (await graph(id)).json
      const bytes = Buffer.from(await (await fetch(url, bearer)).arrayBuffer())
      const sum = createHash('sha256').update(bytes).digest('base64')
      expect(payloads).toContain(JSON.stringify(sum))
    }
  })
})
