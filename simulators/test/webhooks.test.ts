import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { NUMBER } from './business.ts'
import { CUSTOMER, orderReadyTo, startSimulated, templateTo, text, textTo } from './simulated.ts'
import { systemTest } from '../../test/support/system-tests.ts'

const READING = { autoRead: true }

describe('statuses', () => {
  test('a template is sent, delivered and read, and each status names our reference', async () => {
    const { send, simulator, receiver } = await startSimulated(READING)
    await send(orderReadyTo(CUSTOMER, { biz_opaque_callback_data: 'msg-1' }))
    await simulator.idle()
    const [message] = simulator.messages()
    expect(message?.statuses).toEqual(['sent', 'delivered', 'read'])
    expect(receiver.statuses().map(({ status }) => status)).toEqual(['sent', 'delivered', 'read'])
    for (const status of receiver.statuses()) {
      expect(status).toMatchObject({
        id: message?.wamid,
        recipient_id: CUSTOMER,
        recipient_user_id: expect.stringMatching(/^US\.\d{19}$/),
        biz_opaque_callback_data: 'msg-1',
        pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
        conversation: { origin: { type: 'utility' } },
      })
    }
    expect(receiver.received[0]?.json.entry[0]?.changes[0]?.value.contacts).toMatchObject([
      { wa_id: CUSTOMER, user_id: receiver.statuses()[0]?.recipient_user_id },
    ])
  })

  test('a text outside the 24 hours is accepted and fails later with 131047', async () => {
    const { send, simulator, receiver, clock } = await startSimulated()
    simulator.sendText({ from: CUSTOMER, text: 'Hello' })
    clock.forwardMs(23 * HOUR_MS)
    expect((await send(textTo(CUSTOMER))).status).toBe(200)
    clock.forwardMs(HOUR_MS)
    expect((await send(textTo(CUSTOMER))).status).toBe(200)
    await simulator.idle()
    expect(simulator.messages().map(({ status }) => status)).toEqual(['delivered', 'failed'])
    const failed = receiver.statuses().find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({ errors: [{ code: 131047, title: 'Re-engagement message' }] })
    expect(failed).not.toHaveProperty('pricing')
    expect(failed).not.toHaveProperty('recipient_user_id')
    // The reply window can also be shifted.
    simulator.sendText({ from: CUSTOMER, text: 'Hello' })
    simulator.advanceWindow({ from: CUSTOMER, hours: 25 })
    await send(textTo(CUSTOMER))
    await simulator.idle()
    expect(simulator.messages().at(-1)).toMatchObject({ status: 'failed', failedWith: 131047 })
  })

  test('inside the window only marketing costs something', async () => {
    const { send, simulator, receiver } = await startSimulated()
    simulator.sendText({ from: CUSTOMER, text: 'Hello' })
    await send(textTo(CUSTOMER))
    const values = [text('Sara', 'name'), text('this', 'thing')]
    await send(templateTo(CUSTOMER, 'named', 'en', [{ type: 'body', parameters: values }]))
    await simulator.idle()
    const sent = receiver.statuses().filter(({ status }) => status === 'sent')
    expect(sent.map(({ pricing }) => [pricing.category, pricing.billable])).toEqual([
      ['service', false],
      ['marketing', true],
    ])
  })

  test.each([131026, 131049, 131047])('to …%i a message fails with that code', async (code) => {
    const { send, simulator, receiver } = await startSimulated()
    expect((await send(orderReadyTo(`15550${code}`))).status).toBe(200)
    await simulator.idle()
    expect(receiver.statuses()).toMatchObject([{ status: 'failed', errors: [{ code }] }])
  })
})

describe('delivery', () => {
  test('the signature is over the exact bytes, escaped as Meta escapes', async () => {
    const { simulator, receiver } = await startSimulated()
    const written = 'أين طلبي؟ 👍 https://example.com/a'
    simulator.sendText({ from: CUSTOMER, text: written })
    await simulator.idle()
    const [first] = receiver.received
    const raw = first!.rawBody.toString('latin1')
    expect(raw).toContain(
      String.raw`\u0623\u064a\u0646 \u0637\u0644\u0628\u064a\u061f \ud83d\udc4d`,
    )
    expect(raw).toContain(String.raw`https:\/\/example.com\/a`)
    expect(raw).toMatch(/^[\x20-\x7e]*$/)
    expect(receiver.messages()[0]?.text.body).toBe(written)
    const hmac = createHmac('sha256', NUMBER.appSecret).update(first!.rawBody).digest('hex')
    expect(first?.headers['x-hub-signature-256']).toBe(`sha256=${hmac}`)
    expect(first?.headers['content-type']).toBe('application/json')
  })

  systemTest.each([
    ['comes again, and what comes after it waits', {}, [500, 0], ['one', 'one', 'one', 'two']],
    ['is set aside after as many attempts', { attempts: 2 }, [500, 500], ['one', 'one', 'two']],
  ])('a webhook without a 2xx response %s', async (_, webhooks, answers, expected) => {
    const { simulator, receiver } = await startSimulated({ webhooks })
    receiver.answers.push(...answers)
    for (const word of ['one', 'two']) simulator.sendText({ from: CUSTOMER, text: word })
    await simulator.idle()
    expect(receiver.messages().map((message) => message.text.body)).toEqual(expected)
  })

  test('every POST can be made twice', async () => {
    const { simulator, receiver } = await startSimulated({ webhooks: { deliverTwice: true } })
    simulator.sendText({ from: CUSTOMER, text: 'one' })
    await simulator.idle()
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[0]?.rawBody).toEqual(receiver.received[1]?.rawBody)
  })

  test('statuses can come in the wrong order', async () => {
    const webhooks = { shuffleStatuses: true }
    const { send, simulator, receiver } = await startSimulated({ ...READING, webhooks })
    await send(orderReadyTo(CUSTOMER))
    await simulator.idle()
    expect(receiver.statuses().map(({ status }) => status)).toEqual(['read', 'delivered', 'sent'])
  })

  test('waiting webhooks can go out in one POST', async () => {
    const webhooks = { batch: true, delayMs: 5 }
    const { simulator, receiver } = await startSimulated({ webhooks })
    for (const word of ['one', 'two', 'three']) {
      simulator.sendText({ from: CUSTOMER, text: word })
    }
    await simulator.idle()
    expect(receiver.received).toHaveLength(1)
    expect(receiver.received[0]?.json.entry[0]?.changes).toHaveLength(3)
  })

  test('webhooks of a number go to the receiver of that number', async () => {
    const { simulator, receiver } = await startSimulated()
    const other = await startSimulated()
    simulator.addNumber({
      ...NUMBER,
      phoneNumberId: '200',
      displayPhoneNumber: '15550999999',
      webhookUrl: other.receiver.url,
      templates: [],
    })
    simulator.sendText({ from: CUSTOMER, text: 'Hello', phoneNumberId: '200' })
    await simulator.idle()
    expect(receiver.received).toEqual([])
    expect(other.receiver.received[0]?.json.entry[0]?.changes[0]?.value.metadata).toEqual({
      display_phone_number: '15550999999',
      phone_number_id: '200',
    })
  })
})

describe('customers', () => {
  test('a tapped button answers the template with the payload of the send', async () => {
    const { send, simulator, receiver } = await startSimulated()
    const sent = await send(orderReadyTo(CUSTOMER))
    const wamid = simulator.tapButton()
    simulator.tapButton({ messageId: sent.json.messages[0].id, buttonIndex: 1 })
    expect(() => simulator.tapButton({ buttonIndex: 2 })).toThrow('cannot be tapped')
    await simulator.idle()
    const context = { from: NUMBER.displayPhoneNumber, id: sent.json.messages[0].id }
    expect(receiver.messages()).toMatchObject([
      { id: wamid, type: 'button', button: { payload: 'run:1:0', text: 'I am coming' }, context },
      { type: 'button', button: { payload: 'Later', text: 'Later' }, context },
    ])
  })

  test('with auto-reply the customer reads a template and taps its first button, once', async () => {
    const { send, simulator, receiver } = await startSimulated({ autoReply: true })
    await send(orderReadyTo(CUSTOMER))
    await simulator.idle()
    expect(receiver.statuses().at(-1)).toMatchObject({ status: 'read' })
    expect(receiver.messages()).toMatchObject([{ button: { payload: 'run:1:0' } }])
    simulator.readChat({ from: CUSTOMER, phoneNumberId: NUMBER.phoneNumberId })
    await simulator.idle()
    expect(receiver.messages()).toHaveLength(1)
  })

  systemTest('a customer who has tapped by hand does not tap again automatically', async () => {
    const autoReply = { afterMs: 200 }
    const { send, simulator, receiver } = await startSimulated({ autoReply })
    await send(orderReadyTo(CUSTOMER))
    await expect.poll(() => simulator.messages()[0]?.status, { interval: 5 }).toBe('read')
    simulator.tapButton({ buttonIndex: 1 })
    await simulator.idle()
    expect(receiver.messages()).toMatchObject([{ button: { text: 'Later' } }])
  })

  test('with auto-reply a message without buttons can be answered with a text', async () => {
    const autoReply = { text: 'Thank you' }
    const { send, simulator, receiver } = await startSimulated({ autoReply })
    await send(templateTo('+44 7700 900123', 'plain', 'ar'))
    await simulator.idle()
    expect(receiver.messages()).toMatchObject([
      { from: '447700900123', text: { body: 'Thank you' } },
    ])
  })

  test('a reply button of a message in the window is answered as interactive', async () => {
    const { send, simulator, receiver } = await startSimulated()
    const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }]
    const interactive = { type: 'button', body: { text: 'Well?' }, action: { buttons } }
    const to = { messaging_product: 'whatsapp', to: CUSTOMER }
    await send({ ...to, type: 'interactive', interactive })
    simulator.tapButton({ from: CUSTOMER })
    await simulator.idle()
    expect(receiver.messages()).toMatchObject([
      { interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } } },
    ])
  })

  test('who hides the number is known by the business-scoped id alone', async () => {
    const { send, simulator, receiver } = await startSimulated()
    simulator.hideNumber({ from: CUSTOMER, isHidden: true })
    simulator.sendText({ from: CUSTOMER, text: 'Hello' })
    await send(orderReadyTo(CUSTOMER))
    simulator.ownerAnswers({ from: CUSTOMER, text: 'Yes' })
    await simulator.idle()
    for (const { rawBody, json } of receiver.received) {
      expect(rawBody.toString()).not.toContain(CUSTOMER)
      expect(json.entry[0]?.changes[0]?.value.contacts[0].user_id).toMatch(/^US\./)
    }
    expect(receiver.received).toHaveLength(4)
  })

  test('an answer of the owner is an echo and opens no window', async () => {
    const { send, simulator, receiver } = await startSimulated()
    simulator.ownerAnswers({ from: CUSTOMER, text: 'We are open' })
    await send(textTo(CUSTOMER))
    await simulator.idle()
    const change = receiver.received[0]?.json.entry[0]?.changes[0]
    expect(change?.field).toBe('smb_message_echoes')
    expect(change?.value.message_echoes).toMatchObject([
      { from: NUMBER.displayPhoneNumber, to: CUSTOMER, text: { body: 'We are open' } },
    ])
    expect(simulator.messages()[0]?.failedWith).toBe(131047)
  })
})
