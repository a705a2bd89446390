/** The parser of Telegram's updates, with examples of this project for the gaps of the recorded ones. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../src/modules/channels/inbound.ts'
import { readUpdate } from '../../src/modules/channels/telegram/read-update.ts'
import { pollUpdates } from '../../src/modules/channels/telegram/poll.ts'
import { openClient, startMeta } from './loopback-meta.ts'

const BOT = '77'

const SARA = { id: 500, is_bot: false, first_name: 'Sara', language_code: 'ar' }
const CHAT = { id: 500, first_name: 'Sara', type: 'private' }
const ABOUT = { message_id: 7, date: 1_753_164_384, from: SARA, chat: CHAT }

const read = (update: object) => readUpdate({ update_id: 1, ...update }, BOT)
const readMessage = (message: object) => read({ message: { ...ABOUT, ...message } })

describe('A message of a private chat', () => {
  test('has its sender, with chat, name and language', () => {
    expect(readMessage({ text: 'مرحبا' })).toEqual({
      kind: 'message',
      route: BOT,
      providerMessageId: '500:7',
      customer: { providerUserId: '500', profileName: 'Sara', language: 'ar' },
      type: 'text',
      text: 'مرحبا',
      at: new Date(1_753_164_384_000),
    })
  })

  test('quotes another by its chat and number', () => {
    const quoting = readMessage({ text: 'this one', reply_to_message: { message_id: 5 } })
    expect(quoting).toMatchObject({ replyToProviderId: '500:5' })
  })

  test.each<[string, object, string]>([
    ['a voice note', { voice: { file_id: 'f' } }, 'audio'],
    ['a round video', { video_note: { file_id: 'f' } }, 'video'],
    [
      'an animation, which comes with a document',
      { animation: { file_id: 'f' }, document: { file_id: 'g' } },
      'video',
    ],
    ['a venue, which comes with a location', { venue: {}, location: {} }, 'location'],
    ['a poll', { poll: { id: '1' } }, 'unknown'],
    ['a die', { dice: { value: 3 } }, 'unknown'],
    ['a story', { story: {} }, 'unknown'],
    ['an unknown kind', { hologram: {} }, 'unknown'],
  ])('has the type of its content: %s', (_, content, type) => {
    expect(readMessage(content)).toMatchObject({ kind: 'message', type, text: null })
  })

  const FILES = ['voice', 'audio', 'photo', 'video', 'document', 'animation']
  test.each(FILES)('has the caption of a file as its text: %s', (kind) => {
    const file = kind === 'photo' ? [{ file_id: 'f', width: 1, height: 1 }] : { file_id: 'f' }
    expect(readMessage({ [kind]: file, caption: 'look' })).toMatchObject({ text: 'look' })
  })

  test('has the picture with the largest area, in any position', () => {
    const photo = [
      { file_id: 'small', width: 90, height: 90 },
      { file_id: 'large', width: 900, height: 900 },
      { file_id: 'middle', width: 300, height: 300 },
    ]
    expect(readMessage({ photo })).toMatchObject({ media: { providerMediaId: 'large' } })
  })

  test("shows a shared number to staff, but does not store it as the customer's", () => {
    const card = readMessage({ contact: { phone_number: '966500000001', user_id: 500 } })
    expect(card).toMatchObject({ type: 'contact', text: null, details: '966500000001' })
    expect(card).not.toHaveProperty('sharedOwnNumber')
    expect(card).not.toHaveProperty('customer.number')
  })

  test.each<[string, object]>([
    ['a pinned message', { pinned_message: {} }],
    ['a timer that was changed', { message_auto_delete_timer_changed: {} }],
    ['a payment', { successful_payment: {} }],
    ['a giveaway', { giveaway: {} }],
    ...['group', 'supergroup', 'channel'].map((type): [string, object] => [
      `a text in a ${type}`,
      { text: 'hi', chat: { id: -1, type } },
    ]),
    ['a text of a bot', { text: 'hi', from: { ...SARA, is_bot: true } }],
  ])('does not result from %s', (_, message) => {
    expect(readMessage(message).kind).toBe('ignored')
  })
})

describe('A tapped button', () => {
  const tap = (message: object, data = 'run:1:0') =>
    read({
      callback_query: {
        id: 'tap1',
        from: SARA,
        data,
        message: { chat: CHAT, message_id: 9, ...message },
      },
    })
  const keyboard = { inline_keyboard: [[{ text: 'Yes', callback_data: 'run:1:0' }]] }

  test("is a message with its label as text, at the time of arrival, and answers the button's message", () => {
    expect(tap({ date: 1_753_164_384, reply_markup: keyboard })).toMatchObject({
      kind: 'message',
      providerMessageId: 'cb:tap1',
      type: 'text',
      text: 'Yes',
      at: null,
      replyToProviderId: '500:9',
      buttonPayload: 'run:1:0',
    })
  })

  test('has its data as text if its label is unknown', () => {
    expect(tap({ date: 0 }, 'yes')).toMatchObject({ text: 'yes', at: null })
  })

  test('has no payload if the payload was too long', () => {
    expect(tap({ reply_markup: keyboard }, 'option:3')).not.toHaveProperty('buttonPayload')
  })
})

test('Blocking and unblocking the bot is reported', () => {
  const change = (status: string): ProviderEvent =>
    read({ my_chat_member: { chat: CHAT, from: SARA, date: 1, new_chat_member: { status } } })
  expect(change('kicked')).toMatchObject({ kind: 'reach', isReachable: false })
  expect(change('member')).toMatchObject({ kind: 'reach', isReachable: true })
  expect(change('restricted').kind).toBe('ignored')
})

test('An edit has the new text, and an update of a live location is ignored', () => {
  const edited = { ...ABOUT, edit_date: 1_753_164_390 }
  const told = {
    kind: 'annotation',
    route: BOT,
    what: 'edit',
    ofProviderId: '500:7',
    by: 'customer',
  }
  const at = new Date(1_753_164_390_000)
  const better = read({ edited_message: { ...edited, text: 'better' } })
  expect(better).toEqual({ ...told, at, text: 'better' })
  const captioned = { ...edited, photo: [{ file_id: 'f' }], caption: 'the blue one' }
  expect(read({ edited_message: captioned })).toMatchObject({ ...told, text: 'the blue one' })
  const moved = { ...edited, location: { latitude: 24, longitude: 46, live_period: 60 } }
  expect(read({ edited_message: moved }).kind).toBe('ignored')
})

test('No update causes an error', () => {
  const names = ['message', 'callback_query', 'my_chat_member', 'edited_message']
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
      expect(() => readUpdate({ [name]: value }, BOT)).not.toThrow()
      expect(() =>
        readUpdate({ message: { ...ABOUT, photo: value, caption: value } }, BOT),
      ).not.toThrow()
      expect(() => readUpdate(value, BOT)).not.toThrow()
    }),
  )
})

const CHANNEL = { route: BOT, account: null, settings: {}, isSimulated: false }
const NOW = new Date('2026-11-21T10:00:00.000Z')

/** Polls a bot for which messages with this many letters wait, a hundred by default. */
async function ask(letters: number, messages = 100) {
  // A letter of Arabic comes with six characters.
  const text = String.raw`\u0645`.repeat(letters)
  const waiting = Array.from({ length: messages }, (_, n) => {
    const chat = { id: 900, type: 'private' }
    return JSON.stringify({
      update_id: n + 1,
      message: { message_id: n, chat, text: '-' },
    }).replace('-', text)
  })
  const { url, seen } = await startMeta((response, { body }) => {
    const told = waiting.slice(0, Number(body['limit']))
    response.end(`{"ok":true,"result":[${told.join(',')}]}`)
  })
  const polled = await pollUpdates(
    openClient(),
    { baseUrl: url, botToken: '77:x' },
    { ...CHANNEL, credentials: { botToken: '77:x', webhookSecret: '' } },
    {
      recall: () => Promise.resolve(new Map()),
      waitMs: 1_000,
      signal: new AbortController().signal,
      webhookUrl: null,
      receivedAt: NOW,
    },
  )
  return { polled, asked: seen.map(({ body }) => body['limit']) }
}

test.each([
  ['a hundred of the longest messages in Arabic are polled together', 4_096, [100], 100],
  [
    'updates too large for one answer are polled one by one, and do not block the others',
    20_000,
    [100, 1],
    1,
  ],
])('%s', async (_, letters, limits, count) => {
  const { polled, asked } = await ask(letters)
  expect(asked).toEqual(limits)
  expect(polled).toMatchObject({
    outcome: 'polled',
    keep: { offset: `${count + 1} ${NOW.getTime()}` },
  })
  if (polled.outcome === 'polled') expect(polled.events).toHaveLength(count)
})

test('An update that is too large for an answer is skipped, and does not block the others', async () => {
  const { polled, asked } = await ask(1_500_000, 2)
  expect(asked).toEqual([100, 1])
  expect(polled).toEqual({
    outcome: 'polled',
    events: [{ kind: 'ignored', why: 'update 1 is over 8388608 bytes: skipped' }],
    keep: { offset: `2 ${NOW.getTime()}` },
    againInMs: 0,
  })
})
