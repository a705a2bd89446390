/** An independent client and webhook reader verify the simulator. */
import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { expect, test } from 'vitest'
import { NUMBER } from './business.ts'
import { CUSTOMER, startSimulated } from './simulated.ts'

const { phoneNumberId, businessAccountId, accessToken, appSecret } = NUMBER

function clientFor(baseUrl: string, token: string = accessToken) {
  return new WhatsAppClient({ baseUrl, accessToken: token, graphVersion: 'v23.0' })
}

test('an independent client sends a text and a template and lists the templates', async () => {
  const { simulator } = await startSimulated()
  const client = clientFor(simulator.baseUrl)
  simulator.sendText({ from: CUSTOMER, text: 'Hello' })
  const sentText = await client.messages.sendText({ phoneNumberId, to: CUSTOMER, body: 'Hi' })
  const sentTemplate = await client.messages.sendTemplate({
    phoneNumberId,
    to: CUSTOMER,
    bizOpaqueCallbackData: 'msg-1',
    template: {
      name: 'order_ready',
      language: { code: 'en' },
      components: [
        { type: 'header', parameters: [{ type: 'text', text: 'A-17' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Sara' },
            { type: 'text', text: 'A-17' },
          ],
        },
        { type: 'button', subType: 'url', index: 2, parameters: [{ type: 'text', text: 'A-17' }] },
      ],
    },
  })
  expect(simulator.messages()).toMatchObject([
    { wamid: sentText.messages[0]?.id, text: 'Hi', ourReference: null },
    { wamid: sentTemplate.messages[0]?.id, params: ['Sara', 'A-17'], ourReference: 'msg-1' },
  ])
  const listed = await client.templates.list({ businessAccountId, status: 'APPROVED', limit: 2 })
  expect(listed.data.map(({ name }) => name)).toEqual(['order_ready', 'plain'])
  expect(listed.paging.cursors.after).toEqual(expect.any(String))
})

test('an independent client understands the refusals', async () => {
  const { simulator } = await startSimulated()
  const send = (token: string, to: string) =>
    clientFor(simulator.baseUrl, token)
      .messages.sendText({ phoneNumberId, to, body: 'Hi' })
      .then(
        () => null,
        (error: unknown) => error as GraphApiError,
      )
  const refused = await send('wrong', CUSTOMER)
  expect(refused).toBeInstanceOf(GraphApiError)
  expect(refused).toMatchObject({ httpStatus: 401, code: 190 })
  expect(refused?.isAuthError()).toBe(true)
  const limited = await send(accessToken, '15550130429')
  expect(limited).toMatchObject({ httpStatus: 429, code: 130429 })
  expect(limited?.isRateLimit()).toBe(true)
})

test('an independent reader accepts the signatures and reads the webhooks', async () => {
  const { simulator, receiver } = await startSimulated()
  const client = clientFor(simulator.baseUrl)
  simulator.sendText({ from: CUSTOMER, text: 'أين طلبي؟' })
  await client.messages.sendText({ phoneNumberId, to: CUSTOMER, body: 'Hi' })
  await simulator.idle()
  simulator.hideNumber({ from: CUSTOMER, isHidden: true })
  simulator.sendSample({ from: CUSTOMER, kind: 'voice' })
  simulator.ownerAnswers({ from: '12025550102', text: 'Yes' })
  await simulator.idle()
  const read = receiver.received.map(({ headers, rawBody, json }) => {
    const signatureHeader = String(headers['x-hub-signature-256'])
    expect(verifySignature({ appSecret, rawBody, signatureHeader })).toBe(true)
    expect(verifySignature({ appSecret: 'other', rawBody, signatureHeader })).toBe(false)
    return normalizeWebhook(json)
  })
  expect(read.every((webhook) => webhook.phoneNumberId === phoneNumberId)).toBe(true)
  expect(read.flatMap(({ statuses }) => statuses.map(({ status }) => status))).toEqual([
    'sent',
    'delivered',
  ])
  const bsuid = expect.stringMatching(/^US\.\d+$/)
  expect(read.flatMap(({ messages }) => messages)).toMatchObject([
    { from: CUSTOMER, text: { body: 'أين طلبي؟' }, kapso: { direction: 'inbound' } },
    { type: 'audio', fromUserId: bsuid, kapso: { direction: 'inbound' } },
    { to: '12025550102', kapso: { direction: 'outbound', source: 'smb_message_echo' } },
  ])
})
