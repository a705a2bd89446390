/** The parser of the bridge's events, with examples of this project for the gaps of the recorded ones. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { readMediaId } from '../../src/modules/channels/whatsapp-qr/media-id.ts'
import { ourReferenceIn, qrMessageId } from '../../src/modules/channels/whatsapp-qr/message-id.ts'
import {
  readQrEvent,
  type QrEventContext,
} from '../../src/modules/channels/whatsapp-qr/read-event.ts'
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
const only = (event: unknown, at: Partial<QrEventContext> = {}): ProviderEvent => {
  const events = read(event, at)
  expect(events).toHaveLength(1)
  return events[0]!
}

describe('A message of a customer', () => {
  const inside = (wrapper: string, message: object) => ({ [wrapper]: { message } })
  const image = { imageMessage: { caption: 'look' } }
  const wrapped = inside('ephemeralMessage', inside('viewOnceMessageV2', image))
  const bill = { documentMessage: { caption: 'bill', fileName: 'b.pdf' } }
  const tapped = { selectedDisplayText: 'Yes', selectedId: 'y' }
  const chosen = { title: 'Large', singleSelectReply: { selectedRowId: '2' } }
  const edit = (type: number | string) => ({ protocolMessage: { type, key: { id: 'B' } } })
  test.each<[string, object, object]>([
    ['a text', { conversation: 'hi' }, { type: 'text', text: 'hi' }],
    [
      'a text after the context',
      { messageContextInfo: { deviceListMetadata: {} }, conversation: 'hi' },
      { type: 'text', text: 'hi' },
    ],
    ['several wrappers deep', wrapped, { type: 'image', text: 'look' }],
    [
      'a document with a caption',
      inside('documentWithCaptionMessage', bill),
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
      { templateButtonReplyMessage: tapped },
      { type: 'text', text: 'Yes', buttonPayload: 'y' },
    ],
    [
      'a row of a list',
      { listResponseMessage: chosen },
      { type: 'text', text: 'Large', buttonPayload: '2' },
    ],
    [
      'an order with words',
      { orderMessage: { message: 'two please' } },
      { type: 'unknown', text: 'two please' },
    ],
    ['a poll', { pollCreationMessageV3: { name: 'Which?' } }, { type: 'unknown', text: null }],
  ])('is read from %s', (_, message, wanted) => {
    expect(only(upsert(message))).toMatchObject({ kind: 'message', ...wanted })
  })

  test.each<[string, object | null, string]>([
    ['a reaction', { reactionMessage: { key: { id: 'B' } } }, 'annotation'],
    ['an edit by its number', edit(14), 'annotation'],
    ['an edit by its word', edit('MESSAGE_EDIT'), 'annotation'],
    ['an edit in its wrapper', inside('editedMessage', edit(14)), 'annotation'],
    ['an unsend', { protocolMessage: { key: { id: 'B' } } }, 'annotation'],
    ['a change of settings', { protocolMessage: { type: 3 } }, 'ignored'],
    ['a vote', { pollUpdateMessage: {} }, 'ignored'],
    ['the head of an album', { albumMessage: { expectedImageCount: 3 } }, 'ignored'],
    ['keys of a group', { senderKeyDistributionMessage: {} }, 'ignored'],
    ['a stub', null, 'ignored'],
  ])('does not result from %s', (_, message, kind) => {
    expect(only(upsert(message)).kind).toBe(kind)
  })

  test('is read from edits inside one another, however many', () => {
    const nested = Array.from({ length: 20_000 }).reduce<object>(
      (editedMessage) => ({ protocolMessage: { type: 14, key: { id: 'B' }, editedMessage } }),
      {},
    )
    expect(only(upsert(nested))).toMatchObject({ what: 'edit', ofProviderId: 'B', text: null })
  })

  test('about an earlier message is an annotation with its author', () => {
    const words = { editedMessage: { extendedTextMessage: { text: 'three' } } }
    const protocolMessage = { type: 14, key: { id: 'B' }, ...words }
    const told = { kind: 'annotation', ofProviderId: 'B', by: 'customer' }
    const edited = only(upsert({ protocolMessage }))
    expect(edited).toMatchObject({ ...told, what: 'edit', text: 'three' })
    const reaction = (text: string) => upsert({ reactionMessage: { key: { id: 'B' }, text } })
    expect(only(reaction('👍'))).toMatchObject({ ...told, what: 'reaction', emoji: '👍' })
    expect(only(reaction(''))).toMatchObject({ ...told, what: 'reaction', emoji: null })
    const ours = only(upsert({ protocolMessage }, { fromMe: true }))
    expect(ours).toMatchObject({ ...told, by: 'business' })
  })

  test('names the message that it quotes', () => {
    const message = { extendedTextMessage: { text: 'yes', contextInfo: { stanzaId: 'B7' } } }
    expect(only(upsert(message))).toMatchObject({ replyToProviderId: 'B7' })
    // The quote is also read in a chat with disappearing messages.
    const disappearing = { ephemeralMessage: { message }, messageContextInfo: {} }
    const quote = { text: 'yes', replyToProviderId: 'B7' }
    expect(only(upsert(disappearing))).toMatchObject(quote)
  })

  const vcard =
    'BEGIN:VCARD\r\nitem1.TEL;waid=966500000001:+966 50 000\r\n  0001\nEMAIL:o@example.com'
  const cards = [{ displayName: 'Omar' }, { displayName: 'Lina' }]
  const form = {
    body: { text: 'Sent' },
    nativeFlowResponseMessage: { paramsJson: JSON.stringify({ size: 42, flow_token: 'x' }) },
  }
  const poll = { name: 'Which?', options: [{ optionName: 'Red' }, { optionName: 'Blue' }] }
  const order = { message: 'two please', orderTitle: 'Dates', itemCount: 2 }
  test.each<[string, object, string, string | null, string]>([
    [
      'a card',
      { contactMessage: { displayName: 'Omar', vcard } },
      'contact',
      null,
      'Omar, +966 50 000 0001, o@example.com',
    ],
    ['cards', { contactsArrayMessage: { contacts: cards } }, 'contact', null, 'Omar\nLina'],
    ['an order', { orderMessage: order }, 'unknown', 'two please', '2 × Dates'],
    ['a form', { interactiveResponseMessage: form }, 'text', 'Sent', 'size: 42'],
    ['a poll', { pollCreationMessageV3: poll }, 'unknown', null, 'Which?\nRed\nBlue'],
  ])('with %s has its content as details besides its text', (_, message, type, text, details) => {
    expect(only(upsert(message))).toMatchObject({ type, text, details })
  })

  test.each([
    ['another host behind the one of WhatsApp', { directPath: '.example.com/v/x' }],
    ['another host after a name', { directPath: '@10.0.0.7/v/x' }],
    ['another port', { directPath: ':8443/v/x' }],
    ['an address that is not WhatsApp’s', { url: 'https://mmg.whatsapp.net.example.com/v/x' }],
    ['a name before another host', { url: 'https://mmg.whatsapp.net@10.0.0.7/v/x' }],
    ['a name and a port', { url: 'https://sara@mmg.whatsapp.net:8443/v/x' }],
    ['an address without https', { url: 'http://mmg.whatsapp.net/v/x' }],
  ])('with a file has it at WhatsApp only, not at %s', (_, where) => {
    const mediaKey = Buffer.alloc(32, 7).toString('base64')
    const told = only(upsert({ imageMessage: { mediaKey, ...where, mimetype: 'image/jpeg' } }))
    const { media } = told as Extract<ProviderEvent, { kind: 'message' }>
    expect(media).toEqual({ mimeType: 'image/jpeg' })
    expect(readMediaId(JSON.stringify({ kind: 'image', mediaKey, ...where }))).toBeNull()
  })

  test('has a time in digits or in the halves of a long', () => {
    const at = new Date(AT * 1_000)
    for (const messageTimestamp of [AT, String(AT), { low: AT, high: 0, unsigned: true }]) {
      expect(only(upsert({ conversation: 'hi' }, {}, { messageTimestamp }))).toMatchObject({ at })
    }
    const none = only(upsert({ conversation: 'hi' }, {}, { messageTimestamp: 'soon' }))
    expect(none).toMatchObject({ at: null })
  })

  test('keeps the key of its file, as text or as bytes', () => {
    const bytes = Buffer.alloc(32, 7)
    for (const mediaKey of [bytes.toString('base64'), bytes.toJSON(), { ...bytes }]) {
      const one = only(
        upsert({ imageMessage: { mediaKey, directPath: '/v/x', mimetype: 'image/jpeg' } }),
      )
      const { media } = one as Extract<ProviderEvent, { kind: 'message' }>
      expect(media?.mimeType).toBe('image/jpeg')
      expect(readMediaId(media?.providerMediaId)).toEqual({
        kind: 'image',
        mediaKey: bytes.toString('base64'),
        directPath: '/v/x',
      })
    }
  })
})

describe('The sender of a message', () => {
  const number = '16505551234'
  const both = { number, lid: LID }
  const list = '1749416383@broadcast'
  test.each<[string, object, object]>([
    ['a number behind a lid', { remoteJid: LID, remoteJidAlt: NUMBER }, both],
    ['a lid behind a number', { remoteJid: NUMBER, remoteJidAlt: LID }, both],
    ['a hosted number', { remoteJid: '16505551234:99@hosted' }, { number }],
    [
      'digits that can be no number',
      { remoteJid: '190997547974788@s.whatsapp.net' },
      { lid: '190997547974788@lid' },
    ],
    ['a linked device', { remoteJid: '123456789012345:7@lid' }, { lid: LID }],
    ['a customer’s broadcast list', { remoteJid: list, participant: NUMBER }, { number }],
    [
      'the other id of a list’s sender',
      { remoteJid: list, participant: LID, remoteJidAlt: NUMBER },
      both,
    ],
  ])('is recognised by %s', (_, key, customer) => {
    expect(only(upsert({ conversation: 'hi' }, key))).toMatchObject({ kind: 'message', customer })
  })

  test.each([
    ['a group', '1203630@g.us'],
    ['a channel', '1203630@newsletter'],
    ['statuses', 'status@broadcast'],
    ['a bot', '867051314767696@bot'],
    ['WhatsApp itself', '0@s.whatsapp.net'],
    ['nothing', ''],
  ])('is not a customer if it is %s', (_, remoteJid) => {
    expect(only(upsert({ conversation: 'hi' }, { remoteJid })).kind).toBe('ignored')
  })

  test('gets a number that is mapped to their lid', () => {
    const event = { event: 'lid-mapping.update', data: { lid: LID, pn: NUMBER } }
    expect(only(event)).toEqual({
      kind: 'identity',
      what: 'mapping',
      route: 'r',
      before: {},
      after: { number: '16505551234', lid: LID },
      at: null,
    })
  })
})

describe('A message of the linked number itself', () => {
  const reference = `o_${'0123456789abcdef'.repeat(2)}`

  test("is a receipt if its id is one of the service's", () => {
    const id = qrMessageId(reference)
    expect(id).toMatch(/^3EB0[0-9A-F]{36}$/)
    expect(ourReferenceIn(id)).toBe(reference)
    const back = upsert({ conversation: 'hi' }, { id, fromMe: true })
    back.data.type = 'append'
    expect(only(back)).toMatchObject({ kind: 'receipt', status: 'sent', ourReference: reference })
  })

  test("is not one of a customer whose id has the service's form", () => {
    const forged = upsert({ conversation: 'hi' }, { id: qrMessageId(reference) })
    expect(only(forged).kind).toBe('message')
  })

  test('is an echo to the customer if the owner typed it on the phone', () => {
    const event = upsert({ conversation: 'hi' }, { fromMe: true }, { pushName: 'The owner' })
    expect(only(event)).toMatchObject({ kind: 'echo', customer: { number: '16505551234' } })
    expect(JSON.stringify(only(event))).not.toContain('The owner')
  })
})

describe('A late message', () => {
  const late = { ...upsert({ conversation: 'hi' }) }
  late.data = { ...late.data, type: 'append' }

  test('is new if it was written after the last connection', () => {
    const missedSince = new Date((AT - 1) * 1_000)
    expect(only(late, { missedSince }).kind).toBe('message')
  })

  test('is history if it is older, or if there was no connection before', () => {
    expect(only(late, { missedSince: new Date(AT * 1_000) }).kind).toBe('ignored')
    expect(only(late).kind).toBe('ignored')
  })
})

const NAMES =
  'key message messages type id remoteJid fromMe conversation imageMessage ephemeralMessage protocolMessage messageTimestamp contextInfo'.split(
    ' ',
  )

systemTest('any event gives provider events and never an error', () => {
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...NAMES), tie('value'))),
  })).value
  const named: unknown[] = []
  fc.assert(
    fc.property(anything, anything, (data, message) => {
      for (const event of [{ event: 'messages.upsert', data }, upsert(message), data]) {
        for (const one of read(event)) {
          if (one.kind === 'message') named.push(one.customer.number ?? one.customer.lid)
        }
      }
    }),
  )
  expect(named.every(Boolean)).toBe(true)
})
