/**
 * The parser of Messenger's and Instagram's posts, with examples of this project.
 * Spec: Events › Types; Events › Payloads.
 */
import { describe, expect, test } from 'vitest'
import { peekPages } from '../../src/modules/channels/meta/peek-pages.ts'
import { parseMessaging } from '../../src/modules/channels/meta/read-messaging.ts'
import { listPaths, replaceAt } from '../support/replace-values.ts'
import { walkAtOnce } from '../support/walk-at-once.ts'

const PAGE = '100000000000001'
const CUSTOMER = '200000000000001'
const RECEIVED_AT = new Date('2026-11-21T10:00:00.000Z')
const AT = 1_772_998_024_000

const bytes = (json: unknown) => Buffer.from(typeof json === 'string' ? json : JSON.stringify(json))

function parse(json: unknown, object = 'page') {
  return parseMessaging(bytes(json), { object }, { receivedAt: RECEIVED_AT })
}

const envelope = (item: object, list = 'messaging', id: unknown = PAGE) => ({
  object: 'page',
  entry: [{ id, time: AT, [list]: [item] }],
})

const between = (sender: string, recipient: string) => (what: object) => ({
  sender: { id: sender },
  recipient: { id: recipient },
  timestamp: AT,
  ...what,
})
const fromCustomer = between(CUSTOMER, PAGE)
const fromPage = between(PAGE, CUSTOMER)
/** Returns the events of a post with this one item. */
const eventsOf = (item: object) => parse(envelope(item))
const IGNORED = [{ kind: 'ignored' }]
/** Fields that every event of the page has, and those of events about its customer. */
const OF_PAGE = { route: PAGE, at: new Date(AT) }
const OF_CUSTOMER = { ...OF_PAGE, customer: { providerUserId: CUSTOMER } }

const message = (more: object) => fromCustomer({ message: { mid: 'm_1', ...more } })
const attached = (...attachments: object[]) => message({ attachments })

describe('a message of a customer', () => {
  test("has the id, text, time and the customer's id at the provider", () => {
    const words = { providerMessageId: 'm_1', type: 'text', text: 'Hello' }
    expect(eventsOf(message({ text: 'Hello' }))).toEqual([
      { kind: 'message', ...OF_CUSTOMER, ...words },
    ])
  })

  test.each([
    ['image', 'image'],
    ['video', 'video'],
    ['audio', 'audio'],
    ['file', 'document'],
    ['sticker', 'sticker'],
  ])('with %s becomes %s, and its file is fetched', (type, told) => {
    const url = 'https://scontent.xx.fbcdn.net/x'
    expect(eventsOf(attached({ type, payload: { url } }))).toMatchObject([
      { type: told, text: null, media: { url } },
    ])
  })

  test("with a picture that has a sticker's number is a sticker", () => {
    const payload = { url: 'https://scontent.xx.fbcdn.net/x', sticker_id: 369239263222822 }
    expect(eventsOf(attached({ type: 'image', payload }))).toMatchObject([{ type: 'sticker' }])
  })

  const OF_META = ['like_heart', 'unsupported_type', 'story_mention', 'ig_post', 'share', 'reel']
  test.each([...OF_META, 'ig_reel', 'template', 'fallback', 'something_new'])(
    'with %s and without text is unknown',
    (type) => {
      expect(eventsOf(attached({ type, payload: { url: 'https://example.com' } }))).toEqual([
        expect.objectContaining({ kind: 'message', type: 'unknown', text: null }),
      ])
    },
  )

  test('with text next to an unknown attachment is a text', () => {
    for (const type of ['template', 'fallback', 'ig_post']) {
      const item = message({ text: 'Is this yours?', attachments: [{ type, payload: {} }] })
      expect(eventsOf(item)).toMatchObject([{ type: 'text', text: 'Is this yours?' }])
    }
  })

  test('with text next to a picture has it as caption, and keeps the other attachments that can be shown', () => {
    const url = 'https://scontent.xx.fbcdn.net/1'
    const item = message({
      text: 'Look',
      attachments: [
        { type: 'fallback', payload: {} },
        { type: 'image', payload: { url } },
        { type: 'video', payload: { url: 'https://scontent.xx.fbcdn.net/2' } },
      ],
    })
    const media = { url: 'https://scontent.xx.fbcdn.net/2' }
    const further = [{ providerMessageId: 'm_1:2', type: 'video', media }]
    const [event, ...others] = eventsOf(item)
    expect(event).toMatchObject({ type: 'image', text: 'Look', media: { url }, further })
    expect(others).toEqual([])
  })

  test('with a location has no file', () => {
    const payload = { coordinates: { lat: 24.7, long: 46.7 } }
    const [event] = eventsOf(attached({ type: 'location', payload }))
    expect(event).toMatchObject({ kind: 'message', type: 'location', text: null })
    expect(event).not.toHaveProperty('media')
  })

  test('in answer to a story is a text, and one in answer to a message quotes it', () => {
    const story = { story: { id: '17900000000000001', url: 'https://example.com' } }
    expect(eventsOf(message({ text: 'Nice', reply_to: story }))[0]).not.toHaveProperty(
      'replyToProviderId',
    )
    expect(eventsOf(message({ text: 'Yes', reply_to: { mid: 'm_0' } }))).toMatchObject([
      { replyToProviderId: 'm_0' },
    ])
  })

  test('is read even if another app handles it', () => {
    expect(parse(envelope(message({ text: 'Hi' }), 'standby'))).toMatchObject([
      { kind: 'message', text: 'Hi' },
    ])
  })
})

describe('a tap of a customer', () => {
  test('on a quick reply is a text with its payload', () => {
    const item = message({ text: 'Yes', quick_reply: { payload: 'run:1:0' } })
    expect(eventsOf(item)).toMatchObject([{ text: 'Yes', buttonPayload: 'run:1:0' }])
  })

  test('without an id gets one from the customer and the time', () => {
    const item = fromCustomer({ postback: { title: 'Track', payload: 'track' } })
    const told = { kind: 'message', type: 'text', text: 'Track', buttonPayload: 'track' }
    for (const timestamp of [AT, AT + 1]) {
      const providerMessageId = `postback:${CUSTOMER}:${timestamp}`
      expect(eventsOf({ ...item, timestamp })).toMatchObject([{ ...told, providerMessageId }])
    }
  })

  test('without a label has its payload as text', () => {
    const item = fromCustomer({ postback: { payload: 'GET_STARTED', mid: 'm_2' } })
    expect(eventsOf(item)).toMatchObject([{ providerMessageId: 'm_2', text: 'GET_STARTED' }])
  })
})

describe('other events that are no message', () => {
  const reacted = (more: object) => ({ reaction: { mid: 'm_1', ...more } })
  const edited = { message_edit: { mid: 'm_1', text: 'x', num_edit: 1 } }
  const heart = { what: 'reaction', emoji: '❤' }
  test.each([
    ['a reaction', reacted({ action: 'react', emoji: '👍' }), { ...heart, emoji: '👍' }],
    ['a reaction named by its word alone', reacted({ action: 'react', reaction: 'love' }), heart],
    ['a removed reaction', reacted({ action: 'unreact' }), { ...heart, emoji: null }],
    ['an edit', edited, { what: 'edit', text: 'x' }],
    ['an unsend', { message: { mid: 'm_1', is_deleted: true } }, { what: 'delete' }],
  ])('%s', (_, what, told) => {
    const about = { kind: 'annotation', route: PAGE, ofProviderId: 'm_1', by: 'customer' }
    expect(eventsOf(fromCustomer(what))).toMatchObject([{ ...about, ...told }])
  })

  const FIELDS = ['referral', 'optin', 'account_linking', 'pass_thread_control', 'app_roles']
  test.each(FIELDS)('a field %s', (field) => {
    expect(eventsOf(fromCustomer({ [field]: {} }))).toMatchObject(IGNORED)
  })

  test('a message of the page itself, or an item without ids', () => {
    expect(eventsOf(fromPage({ message: { mid: 'm_1', text: 'x' } }))).toMatchObject(IGNORED)
    expect(eventsOf({ message: { mid: 'm_1', text: 'x' } })).toMatchObject(IGNORED)
  })

  test('a comment on a post', () => {
    const value = { from: { id: CUSTOMER }, text: 'Nice' }
    expect(
      parse({ object: 'page', entry: [{ id: PAGE, changes: [{ field: 'feed', value }] }] }),
    ).toEqual([])
  })
})

describe('echoes', () => {
  const echo = (more: object) =>
    eventsOf(fromPage({ message: { mid: 'm_9', is_echo: true, app_id: 1, ...more } }))

  test("with the service's reference are receipts of a sent message", () => {
    const ourReference = 'o_0123456789abcdef0123456789abcdef'
    const sent = { providerMessageId: 'm_9', status: 'sent', ourReference }
    expect(echo({ text: 'Hi', metadata: `wasla:${ourReference}` })).toEqual([
      { kind: 'receipt', ...OF_PAGE, ...sent },
    ])
  })

  const FOREIGN = [{}, { metadata: 'another app' }, { metadata: 'wasla:../../x' }]
  test.each(FOREIGN)("without it may be the service's or the owner’s: %j", (more) => {
    const words = { providerMessageId: 'm_9', type: 'text', text: 'Hi' }
    expect(echo({ text: 'Hi', ...more })).toEqual([
      { kind: 'echo', ...OF_CUSTOMER, ...words, mayBeOurs: true },
    ])
  })

  test.each([
    { message: { mid: 'm_9', is_echo: true, text: 'Hi' } },
    { message: { mid: 'm_9', is_echo: true, attachments: [{ type: 'image' }, { type: 'video' }] } },
    { postback: { mid: 'm_9', payload: 'track' } },
  ])('with the page as recipient never make it a customer: %j', (what) => {
    const item = { ...fromPage(what), recipient: { id: PAGE } }
    expect(eventsOf(item)).toEqual([{ kind: 'ignored', why: 'written to ourselves' }])
  })
})

describe('receipts', () => {
  test('without ids cover all messages until their time', () => {
    for (const delivery of [{ watermark: AT }, { mids: [], watermark: AT }]) {
      expect(eventsOf(fromCustomer({ delivery }))).toEqual([
        { kind: 'watermark', ...OF_CUSTOMER, status: 'delivered', upTo: new Date(AT) },
      ])
    }
  })

  test('have the time of their event, and cover messages until their watermark', () => {
    const watermark = AT - 5_000
    expect(eventsOf(fromCustomer({ delivery: { watermark } }))).toMatchObject([
      { kind: 'watermark', upTo: new Date(watermark), at: new Date(AT) },
    ])
    expect(eventsOf(fromCustomer({ delivery: { mids: ['m_1'], watermark } }))).toMatchObject([
      { kind: 'receipt', providerMessageId: 'm_1', at: new Date(AT) },
    ])
  })

  test('naming the last seen message cover those before it too', () => {
    const read = { providerMessageId: 'm_5', status: 'read', andBefore: true }
    expect(eventsOf(fromCustomer({ read: { mid: 'm_5' } }))).toEqual([
      { kind: 'receipt', ...OF_PAGE, ...read },
    ])
  })
})

test.each([
  ['block', false],
  ['unblock', true],
])("a change of the page's right to send is read: %s", (action, isConnected) => {
  const item = { recipient: { id: PAGE }, timestamp: AT, policy_enforcement: { action } }
  expect(eventsOf(item)).toMatchObject([{ kind: 'channel_state', account: PAGE, isConnected }])
})

describe('ids and times in every form', () => {
  test('ids that are numbers too large for a double keep their digits', () => {
    const big = '90071992547409931234'
    const body = `{"object":"page","entry":[{"id":${big},"time":${AT},"messaging":[{"sender":{"id":${big.slice(0, 18)}},"recipient":{"id":${big}},"timestamp":${AT},"message":{"mid":"m_1","text":"Hi"}}]}]}`
    expect(parse(body)).toMatchObject([
      { route: big, customer: { providerUserId: big.slice(0, 18) }, text: 'Hi' },
    ])
    expect(walkAtOnce(peekPages(bytes(body))).routes).toEqual([big])
  })

  const TIMES = [AT, `${AT}`, AT / 1_000, `${AT / 1_000}`, '2026-03-08T19:27:04+0000']
  test.each(TIMES)('the time %s is read', (timestamp) => {
    const at = new Date('2026-03-08T19:27:04.000Z')
    expect(eventsOf({ ...message({ text: 'x' }), timestamp })).toMatchObject([{ at }])
  })

  const NO_TIMES = [0, -1, 'soon', null, {}, 1e300, '99999999999999999999']
  test.each(NO_TIMES)('the time %s is none, so that of the entry is used', (timestamp) => {
    expect(eventsOf({ ...message({ text: 'x' }), timestamp })).toMatchObject([{ at: new Date(AT) }])
  })
})

test('trial events of an app’s own page are read like real ones, with the route of their recipient', () => {
  const [sender, recipient] = [{ id: '12334' }, { id: '23245' }]
  const written = { mid: 'random_mid', text: 'random_text' }
  const value = { sender, recipient, timestamp: '1527459824', message: written }
  const entry = [{ id: '0', time: AT, changes: [{ field: 'messages', value }] }]
  const body = { object: 'instagram', entry }
  const customer = { providerUserId: '12334' }
  const at = new Date(1_527_459_824_000)
  expect(parse(body, 'instagram')).toMatchObject([
    { kind: 'message', route: '23245', customer, text: 'random_text', at },
  ])
  expect(walkAtOnce(peekPages(bytes(body))).routes).toEqual(['0', '23245'])
})

describe('a post is read whatever its bytes', () => {
  test('another product’s post, and invalid JSON, are ignored', () => {
    for (const body of ['', '{', '[]', 'null', '{"object":"instagram"}', '\xff\xfe']) {
      expect(parse(body)).toMatchObject(IGNORED)
    }
  })

  test('4 MB of brackets, of names and of zeros are walked over without parsing', () => {
    const size = 4 * 1_048_576
    expect(walkAtOnce(peekPages(Buffer.alloc(size, '['))).isTooComplex).toBe(true)
    expect(walkAtOnce(peekPages(Buffer.alloc(size, '"'))).routes).toEqual([])
    const entries = Array.from({ length: 2_000 }, (_, place) => `{"id":"${place}"}`).join()
    const many = walkAtOnce(peekPages(bytes(`{"object":"page","entry":[${entries}]}`)))
    expect(many).toMatchObject({ isCut: true })
    expect(many.routes.length).toBeLessThanOrEqual(64)
  })

  const WRONG = [null, 0, -1, '', 'x', [], {}, [[]], true, 1e308, '\u0000', { id: null }]

  test('a valid post with any value replaced gives events and never an error', () => {
    const shapes = [
      envelope(message({ text: 'x', attachments: [{ type: 'image', payload: { url: 'x' } }] })),
      envelope(fromCustomer({ postback: { title: 'x', payload: 'y', mid: 'z' } })),
      envelope(fromCustomer({ delivery: { mids: ['m'], watermark: AT } })),
      envelope(fromCustomer({ read: { watermark: AT } })),
      envelope(fromPage({ message: { mid: 'm', is_echo: true, metadata: 'x', text: 'x' } })),
    ]
    for (const shape of shapes) {
      for (const path of listPaths(shape).slice(1)) {
        for (const wrong of WRONG) {
          expect(Array.isArray(parse(replaceAt(shape, path, wrong)))).toBe(true)
        }
      }
    }
  })
})
