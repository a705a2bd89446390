/**
 * Updates of the simulator have the keys of the recorded ones, if the project has any. No key of a recorded update is
 * missing, and every additional key is one of Telegram's.
 */
import { afterAll, expect, test } from 'vitest'
import { createClock } from '../../src/core/clock.ts'
import { startSimulators } from '../index.ts'
import { loadRecordedPayloads } from '../../test/support/recorded-payloads.ts'
import { keysOf } from './keys-of.ts'

const TOKEN = '77:AAHofTheShapes'
const CHAT = { botId: '77', personId: '1111111' }
const recorded = new Map(
  loadRecordedPayloads('telegram').map(({ file, rawBody }) => [file, rawBody]),
)

type Json = { [key: string]: unknown; update_id: number; message_id: number }

const clock = createClock()
const person = { id: '1111111', firstName: 'Test', lastName: 'Last', username: 'test' }
const bots = [{ token: TOKEN, name: 'Bot', username: 'bot' }]
const { telegram, close } = await startSimulators(
  { clock },
  { telegram: { bots, people: [person] } },
)
afterAll(close)

async function call(method: string, body: object): Promise<Json> {
  const response = await fetch(`${telegram.baseUrl}/bot${TOKEN}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return ((await response.json()) as { result: Json }).result
}

/** Keys that Telegram writes and the recorded update lacks, because it is older or handwritten. */
const ALSO =
  /\.(file_unique_id|file_size|file_name|width|height|type|is_animated|edit_date|username|last_name)$/
/** Keys of recorded updates that no bot needs: old names, and those that only a phone produces. */
const NOT_PLAYED =
  /\.(emoji|set_name|thumb|thumbnail|is_video|performer|title|caption)(\.|$)|\.thumb/

const SAMPLES = {
  'tg-photo-caption.json': () => telegram.sendSample(CHAT, 'image'),
  'tg-video.json': () => telegram.sendSample(CHAT, 'video'),
  'tg-voice.json': () => telegram.sendSample(CHAT, 'voice'),
  'tg-document.json': () => telegram.sendSample(CHAT, 'document'),
  'tg-sticker.json': () => telegram.sendSample(CHAT, 'sticker'),
  'tg-location.json': () => telegram.sendSample(CHAT, 'location'),
  'tg-contact-own-number.json': () => telegram.sendSample(CHAT, 'contact'),
  'tg-poll.json': () => telegram.sendSample(CHAT, 'poll'),
  'tg-text-start.json': () => telegram.sendText(CHAT, '/start'),
  'tg-edited.json': () => telegram.edit(CHAT, 'better'),
  'tg-blocked-bot.json': () => telegram.block(CHAT, true),
} as const

async function lastUpdate(): Promise<Json> {
  const updates = (await call('getUpdates', {})) as unknown as Json[]
  const last = updates.at(-1)!
  await call('getUpdates', { offset: last.update_id + 1 })
  return last
}

test.each(Object.entries(SAMPLES))('%s', async (file, happens) => {
  happens()
  const played = keysOf(await lastUpdate())
  const body = recorded.get(file)
  if (!body) return expect(played).toContain('.update_id')
  const wanted = [...keysOf(JSON.parse(body.toString()))].filter((key) => !NOT_PLAYED.test(key))
  expect(wanted.filter((key) => !played.has(key) && !/language_code/.test(key))).toEqual([])
  const more = [...played].filter((key) => !wanted.includes(key) && !ALSO.test(key))
  expect(more.filter((key) => !/caption|reply_markup/.test(key))).toEqual([])
})

test('tg-callback-button.json', async () => {
  telegram.block(CHAT, false)
  telegram.sendText(CHAT, 'hello')
  const keyboard = ['Yes', 'No'].map((text) => ({ text, callback_data: text.toLowerCase() }))
  const sent = await call('sendMessage', {
    chat_id: CHAT.personId,
    text: 'Confirm?',
    reply_markup: { inline_keyboard: [keyboard] },
  })
  telegram.tap(CHAT, sent.message_id, 0)
  const played = keysOf(await lastUpdate())
  const body = recorded.get('tg-callback-button.json')
  const wanted = body ? keysOf(JSON.parse(body.toString())) : new Set(['.callback_query.data'])
  expect([...wanted.difference(played)]).toEqual([])
})
