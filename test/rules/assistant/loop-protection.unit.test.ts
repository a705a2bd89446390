import { describe, expect, test } from 'vitest'
import { findLoop, type ExchangedMessage } from '../../../src/rules/assistant/loop-protection.ts'

const START = Date.UTC(2026, 9, 5, 12)
const one = (
  seconds: number,
  by: ExchangedMessage['by'],
  text: string | null,
  kind: ExchangedMessage['kind'],
) => {
  return { at: new Date(START + seconds * 1_000), by, kind, text }
}
const theirs = (seconds: number, text = `unlike others ${seconds}`) =>
  one(seconds, 'customer', text, 'text')
const press = (seconds: number) => one(seconds, 'customer', 'نعم', 'button')
const photo = (seconds: number) => one(seconds, 'customer', null, 'media')
const reply = (seconds: number, text = `our words ${seconds}`) =>
  one(seconds, 'reply', text, 'text')
const flow = (seconds: number) => one(seconds, 'ours', `a flow says ${seconds}`, 'text')
const many = <Item>(times: number, make: (place: number) => Item) =>
  Array.from({ length: times }, (_, place) => make(place))

describe('more than 20 messages in a minute', () => {
  test('the 21st trips', () => {
    expect(findLoop(many(20, (place) => theirs(place)))).toBeNull()
    expect(findLoop(many(21, (place) => theirs(place)))).toBe('messages')
  })

  test('messages that are a minute old no longer count', () => {
    expect(findLoop(many(21, (place) => theirs(place * 3)))).toBeNull()
    expect(findLoop(many(21, (place) => theirs(place * 2.999)))).toBe('messages')
  })

  test('buttons and photos count, an album once', () => {
    expect(findLoop(many(21, (place) => press(place)))).toBe('messages')
    expect(findLoop(many(21, (place) => photo(place * 1.1)))).toBe('messages')
    expect(findLoop(many(40, (place) => photo(place)))).toBeNull()
  })
})

describe('more than 20 replies in ten minutes', () => {
  const talk = (replies: number, every: number) => [
    ...many(replies, (place) => [theirs(place * every), reply(place * every + 5)]).flat(),
    theirs(replies * every),
  ]

  test('the message that asks for the 21st trips', () => {
    expect(findLoop(talk(19, 25))).toBeNull()
    expect(findLoop(talk(20, 25))).toBe('replies')
  })

  test('older ones are no longer counted', () => {
    expect(findLoop(talk(40, 31))).toBeNull()
  })

  test('messages of a flow are no replies', () => {
    const said = many(30, (place) => [theirs(place * 10), flow(place * 10 + 5)]).flat()
    expect(findLoop([...said, theirs(301)])).toBeNull()
  })
})

describe('four in a row within 2 s of a sent message', () => {
  const quick = (times: number, after = 0.8, from = 0, ours = reply) =>
    many(times, (place) => [ours(from + place * 10), theirs(from + place * 10 + after)]).flat()

  test.each([
    ['a reply', quick(4), 'quick'],
    ['a flow', quick(4, 0.8, 0, flow), 'quick'],
    ['exactly 2 s', quick(4, 2), 'quick'],
    ['three of them', quick(3), null],
    ['later than 2 s', quick(4, 2.001), null],
    ['a slow reply between', [...quick(3), reply(40), theirs(45), ...quick(3, 0.8, 50)], null],
    ['a press between', [...quick(3), reply(40), press(41), ...quick(1, 0.8, 50)], 'quick'],
    ['presses', many(4, (place) => [reply(place * 10), press(place * 10 + 1)]).flat(), null],
    ['an album', [reply(0), photo(1), photo(1.2), photo(1.4), photo(1.6)], null],
    ['no message of this service', many(4, (place) => theirs(place)), null],
  ])('%s', (_, history, rule) => expect(findLoop(history)).toBe(rule))
})

describe('the same text four times in ten minutes', () => {
  const said = (...texts: string[]) => texts.map((text, place) => theirs(place * 60, text))

  test.each([
    ['the same', said('وين طلبي', 'وين طلبي', 'وين طلبي', 'وين طلبي'), 'same_text'],
    ['folded', said('طَلَب ١٢', 'طلب 12', ' طلب ۱۲', 'طلب １２'), 'same_text'],
    ['others between', [...said('my order', 'my order', 'b', 'my order', 'my order')], 'same_text'],
    ['three', said('my order', 'my order', 'my order'), null],
    ['short, as people write', said('مرحبا', 'مرحبا', 'مرحبا', 'مرحبا'), null],
    ['over more than ten minutes', many(4, (place) => theirs(place * 200, 'my order')), null],
    ['captions', many(4, (place) => one(place * 50, 'customer', 'how much is it', 'media')), null],
  ])('%s', (_, history, rule) => expect(findLoop(history)).toBe(rule))
})

describe('two that echo one of the last five sent messages', () => {
  const HELLO = reply(0, 'Hello?')
  const SEVEN = many(7, (place) => reply(place * 40, `Reply ${place}`))
  test.each([
    ['two', [HELLO, theirs(20, 'hello?'), reply(30, 'Sorry?'), theirs(50, 'SORRY?')], 'echo'],
    ['two, not in a row', [HELLO, theirs(20, 'Hello?'), theirs(40), theirs(60, 'Hello?')], 'echo'],
    ['one', [HELLO, theirs(20, 'Hello?')], null],
    ['echoes of older ones', [...SEVEN, theirs(300, 'Reply 0'), theirs(320, 'Reply 1')], null],
    ['a part of it', [HELLO, theirs(20, '> Hello?'), theirs(40, '> Hello?')], null],
    ['a press', [reply(0, 'نعم'), press(20), press(40)], null],
  ])('%s', (_, history, rule) => expect(findLoop(history)).toBe(rule))
})

describe('the 101st reply of a day', () => {
  const day = (replies: number, from: number) =>
    many(replies, (place) => [theirs(from + place * 120), reply(from + place * 120 + 6)]).flat()

  test('is not started', () => {
    expect(findLoop([...day(99, 0), theirs(12_500)])).toBeNull()
    expect(findLoop([...day(100, 0), theirs(12_500)])).toBe('day')
  })

  test('a day is a day in UTC', () => {
    const evening = 12 * 3_600 - 6_000
    const twoDays = [...day(60, evening), ...day(60, 12 * 3_600 + 1_300), theirs(52_000)]
    expect(findLoop(twoDays)).toBeNull()
  })
})

test('only a message of the customer can trip it', () => {
  expect(findLoop([])).toBeNull()
  expect(findLoop([...many(30, (place) => theirs(place)), reply(31)])).toBeNull()
})
