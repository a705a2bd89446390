/** What the bridge of a linked number tells, as facts: recorded events, and our own of what they lack. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Inbound } from '../../src/channels/channel-adapter.ts'
import { readMediaId } from '../../src/channels/whatsapp-qr/media-id.ts'
import { ourReferenceIn, qrMessageId } from '../../src/channels/whatsapp-qr/message-id.ts'
import { readQrEvent, type QrEventContext } from '../../src/channels/whatsapp-qr/read-event.ts'
import { loadRecordedPayloads } from '../support/recorded-payloads.ts'
import { systemTest } from '../support/system-tests.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const context: QrEventContext = { route: 'r', receivedAt: RECEIVED_AT, missedSince: null, own: {} }
const AT = 1_749_416_383
const NUMBER = '16505551234@s.whatsapp.net'
const LID = '123456789012345@lid'

const upsert = (message: unknown, key: object = {}, rest: object = {}) => ({
  event: 'messages.upsert',
  data: {
    type: 'notify',
    messages: [
      {
        key: { id: 'A1', remoteJid: NUMBER, fromMe: false, ...key },
        messageTimestamp: AT,
        message,
        ...rest,
      },
    ],
  },
})
const read = (event: unknown, at: Partial<QrEventContext> = {}) =>
  readQrEvent(event, { ...context, ...at })
const only = (event: unknown, at: Partial<QrEventContext> = {}): Inbound => {
  const facts = read(event, at)
  expect(facts).toHaveLength(1)
  return facts[0]!
}

const recorded = loadRecordedPayloads('whatsapp_qr')

describe.runIf(recorded.length > 0)(
  'A recorded event of a linked number tells what its index says',
  () => {
    test.each(recorded)('$file', ({ rawBody, expect: wanted }) => {
      const facts = read(JSON.parse(rawBody.toString()))
      const messages = facts.filter((fact) => fact.kind === 'message')
      expect(
        messages.map(({ providerMessageId, customer, type, text, at }) => ({
          providerMessageId,
          contact: {
            whatsAppId: customer.number ?? customer.lid,
            phone: customer.number === undefined ? null : `+${customer.number}`,
            name: customer.profileName ?? null,
          },
          message: { type, text, receivedAt: at?.toISOString() },
        })),
      ).toEqual(
        wanted.messageReceived.map(({ providerMessageId, contact, message }) => ({
          providerMessageId,
          contact,
          message,
        })),
      )
      expect(facts.filter(({ kind }) => kind === 'receipt')).toEqual(wanted.receipts)
    })
  },
)

describe('What a customer writes', () => {
  const image = { imageMessage: { caption: 'look' } }
  test.each<[string, object, object]>([
    ['a text', { conversation: 'hi' }, { type: 'text', text: 'hi' }],
    [
      'what stands after the context',
      { messageContextInfo: { deviceListMetadata: {} }, conversation: 'hi' },
      { type: 'text', text: 'hi' },
    ],
    [
      'several wrappers deep',
      { ephemeralMessage: { message: { viewOnceMessageV2: { message: image } } } },
      { type: 'image', text: 'look' },
    ],
    [
      'a document with a caption',
      {
        documentWithCaptionMessage: {
          message: { documentMessage: { caption: 'bill', fileName: 'b.pdf' } },
        },
      },
      { type: 'document', text: 'bill', media: { fileName: 'b.pdf' } },
    ],
    [
      'a live location',
      { liveLocationMessage: { caption: 'on my way' } },
      { type: 'location', text: 'on my way' },
    ],
    ['a place', { locationMessage: { name: 'Shop' } }, { type: 'location', text: null }],
    ['contacts', { contactsArrayMessage: {} }, { type: 'contact', text: null }],
    ['a sticker', { stickerMessage: {} }, { type: 'sticker', text: null }],
    ['a round video', { ptvMessage: {} }, { type: 'video', text: null }],
    [
      'a tapped button of a template',
      { templateButtonReplyMessage: { selectedDisplayText: 'Yes', selectedId: 'y' } },
      { type: 'text', text: 'Yes', buttonPayload: 'y' },
    ],
    [
      'a row of a list',
      { listResponseMessage: { title: 'Large', singleSelectReply: { selectedRowId: '2' } } },
      { type: 'text', text: 'Large', buttonPayload: '2' },
    ],
    [
      'an order with words',
      { orderMessage: { message: 'two please' } },
      { type: 'unknown', text: 'two please' },
    ],
    ['a poll', { pollCreationMessageV3: { name: 'Which?' } }, { type: 'unknown', text: null }],
  ])('is read of %s', (_, message, wanted) => {
    expect(only(upsert(message))).toMatchObject({ kind: 'message', ...wanted })
  })

  test.each<[string, object | null, string]>([
    ['a reaction', { reactionMessage: { key: { id: 'B' } } }, 'annotation'],
    ['an edit by its number', { protocolMessage: { type: 14, key: { id: 'B' } } }, 'annotation'],
    [
      'an edit by its word',
      { protocolMessage: { type: 'MESSAGE_EDIT', key: { id: 'B' } } },
      'annotation',
    ],
    [
      'an edit in its wrapper',
      { editedMessage: { message: { protocolMessage: { type: 14, key: { id: 'B' } } } } },
      'annotation',
    ],
    ['an unsend', { protocolMessage: { key: { id: 'B' } } }, 'annotation'],
    ['a change of settings', { protocolMessage: { type: 3 } }, 'ignored'],
    ['a vote', { pollUpdateMessage: {} }, 'ignored'],
    ['the head of an album', { albumMessage: { expectedImageCount: 3 } }, 'ignored'],
    ['keys of a group', { senderKeyDistributionMessage: {} }, 'ignored'],
    ['a stub', null, 'ignored'],
  ])('%s is no message', (_, message, kind) => {
    expect(only(upsert(message)).kind).toBe(kind)
  })

  test('a quoted message is named', () => {
    const message = { extendedTextMessage: { text: 'yes', contextInfo: { stanzaId: 'B7' } } }
    expect(only(upsert(message))).toMatchObject({ replyToProviderId: 'B7' })
  })

  test('what cards, orders, forms and polls say is told beside their words', () => {
    const vcard =
      'BEGIN:VCARD\r\nitem1.TEL;waid=966500000001:+966 50 000\r\n  0001\nEMAIL:o@example.com'
    const paramsJson = JSON.stringify({ size: 42, flow_token: 'x' })
    const options = [{ optionName: 'Red' }, { optionName: 'Blue' }]
    const told: [object, object][] = [
      [
        { contactMessage: { displayName: 'Omar', vcard } },
        { type: 'contact', text: null, details: 'Omar, +966 50 000 0001, o@example.com' },
      ],
      [
        { contactsArrayMessage: { contacts: [{ displayName: 'Omar' }, { displayName: 'Lina' }] } },
        { type: 'contact', text: null, details: 'Omar\nLina' },
      ],
      [
        { orderMessage: { message: 'two please', orderTitle: 'Dates', itemCount: 2 } },
        { type: 'unknown', text: 'two please', details: '2 × Dates' },
      ],
      [
        {
          interactiveResponseMessage: {
            body: { text: 'Sent' },
            nativeFlowResponseMessage: { paramsJson },
          },
        },
        { type: 'text', text: 'Sent', details: 'size: 42' },
      ],
      [
        { pollCreationMessageV3: { name: 'Which?', options } },
        { type: 'unknown', text: null, details: 'Which?\nRed\nBlue' },
      ],
    ]
    for (const [message, wanted] of told) expect(only(upsert(message))).toMatchObject(wanted)
  })

  test('a quote is read in a chat whose messages disappear, too', () => {
    const quote = { extendedTextMessage: { text: 'yes', contextInfo: { stanzaId: 'B7' } } }
    const message = { ephemeralMessage: { message: quote }, messageContextInfo: {} }
    expect(only(upsert(message))).toMatchObject({ text: 'yes', replyToProviderId: 'B7' })
  })

  test.each([
    ['another host behind the one of WhatsApp', { directPath: '.example.com/v/x' }],
    ['another host after a name', { directPath: '@10.0.0.7/v/x' }],
    ['another port', { directPath: ':8443/v/x' }],
    ['an address that is not WhatsApp’s', { url: 'https://mmg.whatsapp.net.example.com/v/x' }],
    ['a name before another host', { url: 'https://mmg.whatsapp.net@10.0.0.7/v/x' }],
    ['a name and a port', { url: 'https://sara@mmg.whatsapp.net:8443/v/x' }],
    ['an address without https', { url: 'http://mmg.whatsapp.net/v/x' }],
  ])('a file lies at WhatsApp alone, and not at %s', (_, where) => {
    const mediaKey = Buffer.alloc(32, 7).toString('base64')
    const told = only(upsert({ imageMessage: { mediaKey, ...where, mimetype: 'image/jpeg' } }))
    const { media } = told as Extract<Inbound, { kind: 'message' }>
    expect(media).toEqual({ mimeType: 'image/jpeg' })
    expect(readMediaId(JSON.stringify({ kind: 'image', mediaKey, ...where }))).toBeNull()
  })

  test('the time may be digits or the halves of a long', () => {
    const at = new Date(AT * 1_000)
    for (const messageTimestamp of [AT, String(AT), { low: AT, high: 0, unsigned: true }]) {
      expect(only(upsert({ conversation: 'hi' }, {}, { messageTimestamp }))).toMatchObject({ at })
    }
    const none = only(upsert({ conversation: 'hi' }, {}, { messageTimestamp: 'soon' }))
    expect(none).toMatchObject({ at: null })
  })

  test('the key to a file is kept with it, as text or as bytes', () => {
    const bytes = Buffer.alloc(32, 7)
    for (const mediaKey of [bytes.toString('base64'), bytes.toJSON(), { ...bytes }]) {
      const fact = only(
        upsert({ imageMessage: { mediaKey, directPath: '/v/x', mimetype: 'image/jpeg' } }),
      )
      const { media } = fact as Extract<Inbound, { kind: 'message' }>
      expect(media?.mimeType).toBe('image/jpeg')
      expect(readMediaId(media?.providerMediaId)).toEqual({
        kind: 'image',
        mediaKey: bytes.toString('base64'),
        directPath: '/v/x',
      })
    }
  })
})

describe('Who writes', () => {
  test.each<[string, object, object]>([
    [
      'a number behind a lid',
      { remoteJid: LID, remoteJidAlt: NUMBER },
      { number: '16505551234', lid: LID },
    ],
    [
      'a lid behind a number',
      { remoteJid: NUMBER, remoteJidAlt: LID },
      { number: '16505551234', lid: LID },
    ],
    ['a hosted number', { remoteJid: '16505551234:99@hosted' }, { number: '16505551234' }],
    ['a linked device', { remoteJid: '123456789012345:7@lid' }, { lid: LID }],
    [
      'a customer’s broadcast list',
      { remoteJid: '1749416383@broadcast', participant: NUMBER },
      { number: '16505551234' },
    ],
    [
      'the other id of a list’s sender',
      { remoteJid: '1749416383@broadcast', participant: LID, remoteJidAlt: NUMBER },
      { number: '16505551234', lid: LID },
    ],
  ])('is known by %s', (_, key, customer) => {
    expect(only(upsert({ conversation: 'hi' }, key))).toMatchObject({ kind: 'message', customer })
  })

  test.each([
    ['a group', '1203630@g.us'],
    ['a channel', '1203630@newsletter'],
    ['statuses', 'status@broadcast'],
    ['a bot', '867051314767696@bot'],
    ['WhatsApp itself', '0@s.whatsapp.net'],
    ['nothing', ''],
  ])('%s is nobody', (_, remoteJid) => {
    expect(only(upsert({ conversation: 'hi' }, { remoteJid })).kind).toBe('ignored')
  })

  test('a number that becomes known belongs to whom the lid is of', () => {
    const event = { event: 'lid-mapping.update', data: { lid: LID, pn: NUMBER } }
    expect(only(event)).toEqual({
      kind: 'identity',
      route: 'r',
      before: { lid: LID },
      after: { number: '16505551234', lid: LID },
    })
  })
})

describe('What the number itself writes', () => {
  const reference = `o_${'0123456789abcdef'.repeat(2)}`

  test('our own message coming back says that it went out', () => {
    const id = qrMessageId(reference)
    expect(id).toMatch(/^3EB0[0-9A-F]{36}$/)
    expect(ourReferenceIn(id)).toBe(reference)
    const back = upsert({ conversation: 'hi' }, { id, fromMe: true })
    back.data.type = 'append'
    expect(only(back)).toMatchObject({ kind: 'receipt', status: 'sent', ourReference: reference })
  })

  test('a customer who takes the form of our ids is a customer', () => {
    const forged = upsert({ conversation: 'hi' }, { id: qrMessageId(reference) })
    expect(only(forged).kind).toBe('message')
  })

  test('what the owner types on the phone is an echo to the customer', () => {
    const event = upsert({ conversation: 'hi' }, { fromMe: true }, { pushName: 'The owner' })
    expect(only(event)).toMatchObject({ kind: 'echo', customer: { number: '16505551234' } })
    expect(JSON.stringify(only(event))).not.toContain('The owner')
  })
})

describe('What comes late', () => {
  const late = { ...upsert({ conversation: 'hi' }) }
  late.data = { ...late.data, type: 'append' }

  test('was missed where it is newer than the last connection', () => {
    const missedSince = new Date((AT - 1) * 1_000)
    expect(only(late, { missedSince }).kind).toBe('message')
  })

  test('is of before where it is older, or where there was none', () => {
    expect(only(late, { missedSince: new Date(AT * 1_000) }).kind).toBe('ignored')
    expect(only(late).kind).toBe('ignored')
  })
})

systemTest('whatever is told gives facts and never an error', () => {
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          'key',
          'message',
          'messages',
          'type',
          'id',
          'remoteJid',
          'fromMe',
          'conversation',
          'imageMessage',
          'ephemeralMessage',
          'protocolMessage',
          'messageTimestamp',
          'contextInfo',
        ),
        tie('value'),
      ),
    ),
  })).value
  const named: unknown[] = []
  fc.assert(
    fc.property(anything, anything, (data, message) => {
      for (const event of [{ event: 'messages.upsert', data }, upsert(message), data]) {
        for (const fact of read(event)) {
          if (fact.kind === 'message') named.push(fact.customer.number ?? fact.customer.lid)
        }
      }
    }),
  )
  expect(named.every(Boolean)).toBe(true)
})
