import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { parseWhatsAppWebhook } from '../../src/modules/channels/whatsapp/parse.ts'
import { peekAt } from '../support/peek-at.ts'

const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const OWN = '12025550100'
const CUSTOMER = '12025550123'

function parse(body: unknown): ProviderEvent[] {
  return parseText(JSON.stringify(body))
}

function parseText(text: string): ProviderEvent[] {
  return parseWhatsAppWebhook(Buffer.from(text), { receivedAt: RECEIVED_AT })
}

function envelope(field: string, value: object, account = '100000000000001'): unknown {
  const metadata = { display_phone_number: OWN, phone_number_id: '200000000000001' }
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: account, changes: [{ field, value: { metadata, ...value } }] }],
  }
}

function parseMessage(message: object, contacts: unknown[] = []): ProviderEvent {
  const sent = { id: 'wamid.A', from: CUSTOMER, timestamp: '1750000000', ...message }
  const [event] = parse(envelope('messages', { contacts, messages: [sent] }))
  return event as ProviderEvent
}

function parseStatus(status: object): ProviderEvent {
  const [event] = parse(envelope('messages', { statuses: [{ id: 'wamid.A', ...status }] }))
  return event as ProviderEvent
}

const TEXT = { type: 'text', text: { body: 'hi' } }
const IGNORED = [{ kind: 'ignored' }]

describe("Posts other than WhatsApp's message webhooks are ignored", () => {
  const noNumber = { metadata: {}, messages: [{ id: 'wamid.A', from: CUSTOMER, type: 'text' }] }
  test.each<[string, unknown]>([
    ['of another product', { object: 'page', entry: [] }],
    ['without a phone number id', envelope('messages', noNumber)],
  ])('a webhook %s', (_, body) => {
    expect(parse(body)).toMatchObject(IGNORED)
  })

  test('a very deep nesting, and an unknown field, which is named', () => {
    expect(parseText('['.repeat(500_000))).toMatchObject(IGNORED)
    expect(parse(envelope('calls', { calls: [{}] }))).toEqual([
      { kind: 'ignored', why: 'a field that is not read: calls' },
    ])
  })
})

describe('The customer of a message', () => {
  const contact = { wa_id: CUSTOMER, user_id: 'US.77', profile: { name: 'Sara', username: 'sara' } }

  test('has the number and the business-scoped id', () => {
    const ids = { number: CUSTOMER, businessScopedId: 'US.77' }
    const customer = { ...ids, profileName: 'Sara', username: 'sara' }
    expect(parseMessage(TEXT, [contact])).toMatchObject({ customer })
  })

  test('has the business-scoped id alone if the number is withheld', () => {
    const message = { from: undefined, from_user_id: 'US.77', ...TEXT }
    const event = parseMessage(message, [{ user_id: 'US.77', profile: { name: 'Sara' } }])
    expect(event).toMatchObject({ customer: { businessScopedId: 'US.77', profileName: 'Sara' } })
    expect(event).not.toHaveProperty('customer.number')
  })

  test("has the parent's id alone if the webhook has no other", () => {
    expect(parseMessage({ from_parent_user_id: 'US.ENT.7', ...TEXT }, [])).toMatchObject({
      customer: { parentBusinessScopedId: 'US.ENT.7' },
    })
  })

  test('has no number from a business-scoped id in its place', () => {
    const event = parseMessage({ from: 'US.ENT.77', ...TEXT })
    expect(event).toMatchObject({ customer: { businessScopedId: 'US.ENT.77' } })
    expect(event).not.toHaveProperty('customer.number')
  })

  test('has no id from a user id of another form, and the message is kept', () => {
    const strange = { from_user_id: 'foo_bar', from_parent_user_id: 'foo_bar', type: 'text' }
    const contacts = [{ wa_id: CUSTOMER, user_id: 'foo_bar', parent_user_id: 'foo_bar' }]
    for (const message of [strange, { type: 'text' }]) {
      const event = parseMessage(message, contacts)
      expect(event).toMatchObject({ kind: 'message', customer: { number: CUSTOMER } })
      expect(Object.keys((event as { customer: object }).customer)).toEqual(['number'])
    }
  })

  test('has an id of another form as provider id, which is not shown, if there is no other', () => {
    const named = { from: undefined, from_user_id: 'foo_bar', ...TEXT }
    const listed = { from: undefined, ...TEXT }
    const contacts = [{ user_id: 'foo_bar', profile: { name: 'Sara' } }]
    for (const message of [named, listed]) {
      expect(parseMessage(message, contacts)).toMatchObject({
        kind: 'message',
        customer: { providerUserId: 'foo_bar', profileName: 'Sara' },
      })
    }
  })

  test('does not get the name of another contact of the same webhook', () => {
    const other = { wa_id: '12025550199', profile: { name: 'Omar' } }
    const event = parseMessage(TEXT, [other])
    expect(event).not.toHaveProperty('customer.profileName')
  })

  test('is separate for each of several messages in one webhook', () => {
    const second = '12025550124'
    const messages = [CUSTOMER, second].map((from, index) => {
      return { ...TEXT, id: `wamid.${index}`, from }
    })
    const contacts = [
      { wa_id: second, profile: { name: 'Omar' } },
      { wa_id: CUSTOMER, profile: { name: 'Sara' } },
    ]
    expect(parse(envelope('messages', { contacts, messages }))).toMatchObject([
      { customer: { number: CUSTOMER, profileName: 'Sara' } },
      { customer: { number: second, profileName: 'Omar' } },
    ])
  })

  test("is never the business's own number, in any spelling", () => {
    const metadata = { display_phone_number: '+1 202-555-0100', phone_number_id: '2' }
    const messages = [{ ...TEXT, id: 'wamid.A', from: OWN }]
    expect(parse(envelope('messages', { metadata, messages }))).toMatchObject(IGNORED)
  })

  test('is needed: a message without an id or a sender is ignored', () => {
    expect(parseMessage({ id: undefined, type: 'text' }).kind).toBe('ignored')
    expect(parseMessage({ from: undefined, type: 'text' }).kind).toBe('ignored')
  })

  test('has a number proved by a card sent on request, but by no other card', () => {
    const card = { phones: [{ phone: '+1 202 555 0123', wa_id: CUSTOMER }] }
    const asked = { type: 'contacts', contacts: [{ ...card, origin: 'contact_request' }] }
    expect(parseMessage(asked)).toMatchObject({ type: 'contact', sharedOwnNumber: CUSTOMER })
    expect(parseMessage({ type: 'contacts', contacts: [card] })).not.toHaveProperty(
      'sharedOwnNumber',
    )
  })
})

describe('An unreadable message is unknown', () => {
  test.each([
    ['a message of a type that came later', { type: 'hologram' }],
    ['a message without a type', {}],
    ['a type named after a property of every object', { type: 'constructor' }],
    ['a text without words', { type: 'text', text: {} }],
    ['an interactive message without a body', { type: 'interactive' }],
    ['an order', { type: 'order', order: { text: '' } }],
    ['an unsupported message', { type: 'unsupported', errors: [{ code: 131051 }] }],
  ])('%s', (_, message) => {
    expect(parseMessage(message)).toMatchObject({ kind: 'message', type: 'unknown', text: null })
  })

  test.each(['edit', 'pin', 'keep_in_chat', 'poll_update', 'reaction'])(
    'but no message at all: %s',
    (type) => {
      expect(parseMessage({ type: 'unsupported', unsupported: { type } }).kind).toBe('ignored')
    },
  )
})

describe('The time of a message is the provider’s', () => {
  test.each(['1750000000', 1_750_000_000])('in seconds as %j', (timestamp) => {
    const at = new Date('2025-06-15T15:06:40.000Z')
    expect(parseMessage({ timestamp, type: 'location' })).toMatchObject({ at })
  })

  const NO_TIMES = ['soon', '', '-5', 0, null, Number.MAX_VALUE, {}, '17500000000000000']
  test.each(NO_TIMES)('if valid, unlike %j', (timestamp) => {
    expect(parseMessage({ timestamp, type: 'location' })).toMatchObject({ at: null })
  })

  test('except for a receipt without a time, which has the time of arrival', () => {
    expect(parseStatus({ status: 'read', timestamp: 'now' })).toMatchObject({ at: RECEIVED_AT })
  })
})

describe('Statuses become receipts', () => {
  test('played is read, the reference is returned, and a failure without a reason is of class other', () => {
    expect(parseStatus({ status: 'played' })).toMatchObject({ kind: 'receipt', status: 'read' })
    const sent = parseStatus({ status: 'sent', biz_opaque_callback_data: 'msg_1' })
    expect(sent).toMatchObject({ ourReference: 'msg_1' })
    expect(parseStatus({ status: 'failed' })).toMatchObject({ error: { class: 'other' } })
  })

  test('a success has no error', () => {
    const event = parseStatus({ status: 'delivered', errors: [{ code: 131026 }] })
    expect(event).not.toHaveProperty('error')
  })

  const NONE = [{ status: 'deleted' }, { status: 'constructor' }, { status: 'read', id: '' }]
  test.each(NONE)('%j gives no receipt', (status) => {
    expect(parseStatus(status).kind).toBe('ignored')
  })
})

test('Messages of customers and of the business are read while another app answers', () => {
  const value = {
    messages: [{ id: 'wamid.A', from: CUSTOMER, ...TEXT }],
    message_echoes: [{ id: 'wamid.B', from: OWN, to: CUSTOMER, ...TEXT }],
    statuses: [{ id: 'wamid.B', status: 'delivered' }],
  }
  expect(parse(envelope('standby', value))).toMatchObject([
    { kind: 'message', providerMessageId: 'wamid.A', customer: { number: CUSTOMER }, text: 'hi' },
    { kind: 'receipt', providerMessageId: 'wamid.B', status: 'delivered' },
    { kind: 'echo', providerMessageId: 'wamid.B', customer: { number: CUSTOMER }, text: 'hi' },
  ])
})

describe('The history is imported in any form', () => {
  test('a plain list of messages under it is history, not new messages', () => {
    const messages = [
      { id: 'wamid.A', from: CUSTOMER, type: 'image', image: { id: '1' } },
      { id: 'wamid.B', from: OWN, to: CUSTOMER, type: 'text', text: { body: 'STOP' } },
    ]
    const customer = { number: CUSTOMER }
    const told = [false, true].map((outbound) => ({ customer, outbound }))
    expect(parse(envelope('history', { messages }))).toMatchObject([
      { kind: 'history', messages: told },
    ])
  })

  test('a thread belongs to the customer that it is named after', () => {
    const messages = [{ id: 'wamid.A', from: OWN, type: 'media_placeholder' }]
    const history = [{ threads: [{ id: 'US.77', messages }] }]
    expect(parse(envelope('history', { history }))).toMatchObject([
      { messages: [{ customer: { businessScopedId: 'US.77' }, outbound: true, type: 'unknown' }] },
    ])
  })

  test('reactions and system notes in it are left out', () => {
    const messages = ['reaction', 'system'].map((type, index) => {
      return { id: `wamid.${index}`, from: CUSTOMER, type }
    })
    const history = [{ threads: [{ id: CUSTOMER, messages }] }]
    expect(parse(envelope('history', { history }))).toMatchObject([{ kind: 'ignored' }])
  })
})

describe('A change of the account', () => {
  const parseAccount = (value: object) => parse(envelope('account_update', value))

  test.each([
    ['DISABLE', { kind: 'channel_state', isConnected: false }],
    ['REINSTATE', { kind: 'channel_state', isConnected: true }],
    // This event only announces a ban.
    ['SCHEDULE_FOR_DISABLE', { kind: 'ignored' }],
  ])('is read from a ban in state %s', (waba_ban_state, told) => {
    const value = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } }
    expect(parseAccount(value)).toMatchObject([told])
  })

  test('applies to the account in the value, rather than to that of the entry', () => {
    const value = { event: 'PARTNER_REMOVED', waba_info: { waba_id: '42' } }
    expect(parseAccount(value)).toMatchObject([{ account: '42', isConnected: false }])
  })

  test('sets a reinstated template to approved, and leaves a flagged one as it was', () => {
    const template = { message_template_name: 'n', message_template_language: 'ar' }
    const update = (event: string) =>
      parse(envelope('message_template_status_update', { ...template, event }))
    expect(update('REINSTATED')).toMatchObject([{ kind: 'template', status: 'APPROVED' }])
    expect(update('FLAGGED')).toMatchObject(IGNORED)
  })
})

describe('A customer who changes number or id', () => {
  test('is read from an older form of the number change too', () => {
    const system = { type: 'customer_changed_number', new_wa_id: '12025550124' }
    expect(parseMessage({ type: 'system', system })).toMatchObject({
      kind: 'identity',
      before: { number: CUSTOMER },
      after: { number: '12025550124' },
    })
  })

  const update = (...updates: object[]) =>
    parse(envelope('user_id_update', { user_id_update: updates }))
  const renamed = (previous: string | undefined, current: string) =>
    update({ wa_id: CUSTOMER, user_id: { previous, current } })
  const tiedToNumber = [{ before: { number: CUSTOMER }, after: { businessScopedId: 'US.2' } }]

  test('by an id update without an earlier id is found by the number', () => {
    expect(renamed(undefined, 'US.2')).toMatchObject(tiedToNumber)
  })

  test('to an id of another form is ignored', () => {
    expect(renamed('US.1', 'foo_bar')).toMatchObject(IGNORED)
    expect(renamed('foo_bar', 'US.2')).toMatchObject(tiedToNumber)
    const system = { type: 'user_changed_user_id', user_id: 'foo_bar' }
    expect(parseMessage({ type: 'system', system })).toMatchObject({ kind: 'ignored' })
  })

  test('without any known id is ignored', () => {
    expect(update({ user_id: { current: 'US.2' } }, {})).toMatchObject([...IGNORED, ...IGNORED])
  })
})

describe('The numbers and accounts of an unverified webhook', () => {
  test('are listed once each', () => {
    const one = envelope('messages', {}) as { entry: object[] }
    const body = { ...one, entry: [...one.entry, ...one.entry] }
    expect(peekAt(Buffer.from(JSON.stringify(body)))).toMatchObject({
      routes: ['200000000000001'],
      accounts: ['100000000000001'],
    })
  })

  test('are at most sixty-four each, and plain ids only', () => {
    const entry = Array.from({ length: 500 }, (_, index) => {
      const phone_number_id = index % 2 === 0 ? `\u0000${index}` : `p${index}`
      return { id: index, changes: [{ value: { metadata: { phone_number_id } } }] }
    })
    const { routes, accounts } = peekAt(Buffer.from(JSON.stringify({ entry })))
    expect(routes).toHaveLength(64)
    expect(routes.every((route) => /^p\d+$/.test(route))).toBe(true)
    expect(accounts).toHaveLength(64)
  })
})
