import { fact } from '../../src/facts/fact.ts'
import { Client } from 'undici'
import { expect, test } from 'vitest'
import { exchange } from '../../src/outbound/exchange.ts'
import { OutboundError } from '../../src/outbound/outbound-error.ts'

test('a connection that is gone before the request is written is told from one lost afterwards', async () => {
  const client = new Client('https://receiver.example', {
    connect: (_options, callback) =>
      queueMicrotask(() =>
        callback(new OutboundError('connection_reset', fact('connection_gone')), null),
      ),
  })
  const result = await exchange(client, {
    method: 'POST',
    path: '/',
    headers: [],
    body: null,
    waitMs: 1_000,
    answerBytes: 10,
    readWholeAnswer: false,
  })
  expect(result).toMatchObject({ isUnsent: true, isUnanswered: true, isReusable: false })
  expect(result.error?.code).toBe('connection_reset')
  await client.destroy()
})
