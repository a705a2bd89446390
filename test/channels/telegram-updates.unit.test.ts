/** How a bot is asked for what happened, however much that is. */
import { expect, test } from 'vitest'
import { pollUpdates } from '../../src/modules/channels/telegram/poll.ts'
import { openClient, startMeta } from './loopback-meta.ts'

const BOT = { route: '77', account: null, settings: {}, isSimulated: false }
const NOW = new Date('2026-11-21T10:00:00.000Z')

/** Asks a bot for whom a hundred messages of so many letters wait. */
async function ask(letters: number) {
  // A letter of Arabic comes with six characters.
  const text = String.raw`\u0645`.repeat(letters)
  const waiting = Array.from({ length: 100 }, (_, n) => {
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
    { ...BOT, credentials: { botToken: '77:x', webhookSecret: '' } },
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
  ['a hundred of the longest messages in Arabic come together', 4_096, [100], 100],
  [
    'what is more than is read at once comes one by one, and does not keep all news away',
    20_000,
    [100, 1],
    1,
  ],
])('%s', async (_, letters, limits, count) => {
  const { polled, asked } = await ask(letters)
  expect(asked).toEqual(limits)
  expect(polled).toMatchObject({
    outcome: 'asked',
    keep: { offset: `${count + 1} ${NOW.getTime()}` },
  })
  if (polled.outcome === 'asked') expect(polled.facts).toHaveLength(count)
})
