import { describe, expect, test } from 'vitest'
import { answerHandshake } from '../../src/channels/meta/handshake.ts'
import { loadHttpVectors } from '../support/whatsapp-payloads.ts'

function answer(query: Record<string, string>, tokens = ['secret word']) {
  return answerHandshake(new URLSearchParams(query), (token) =>
    Promise.resolve(tokens.includes(token)),
  )
}

describe('Whoever knows a verify token gets its challenge back', () => {
  const good = {
    'hub.mode': 'subscribe',
    'hub.verify_token': 'secret word',
    'hub.challenge': '1158201444',
  }

  test('the bare challenge, with 200', async () => {
    expect(await answer(good)).toEqual({ status: 200, body: '1158201444' })
  })

  test.each([
    ['another token', { ...good, 'hub.verify_token': 'guess' }],
    ['an empty token', { ...good, 'hub.verify_token': '' }],
    ['another mode', { ...good, 'hub.mode': 'unsubscribe' }],
    ['no challenge', { ...good, 'hub.challenge': '' }],
    ['a challenge that is markup', { ...good, 'hub.challenge': '<script>' }],
    ['a challenge without end', { ...good, 'hub.challenge': '1'.repeat(300) }],
    ['nothing at all', {}],
  ])('%s is 403', async (_, query) => {
    expect(await answer(query, ['secret word', ''])).toEqual({ status: 403 })
  })

  // None when the recorded vectors are not on this machine.
  const recorded = [loadHttpVectors()].flatMap((vectors) => vectors?.handshake ?? [])
  test.each(recorded)('recorded: $request', async (vector) => {
    const { request, verifyToken, ok, wrongToken } = vector
    const { searchParams } = new URL(request.replace('GET ', ''), 'http://localhost')
    const knows = (token: string) => Promise.resolve(token === verifyToken)
    expect(await answerHandshake(searchParams, knows)).toEqual(ok)
    expect(await answerHandshake(searchParams, () => Promise.resolve(false))).toEqual(wrongToken)
  })
})
