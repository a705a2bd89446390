import { verifySignature } from '@kapso/whatsapp-cloud-api/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerHandshake } from '../../src/modules/channels/meta/meta-webhook.ts'
import { verifyMetaSignature } from '../../src/modules/channels/meta/meta-webhook.ts'
import { signMetaWebhook } from '../../simulators/index.ts'
import { walkAtOnce } from '../support/walk-at-once.ts'
import { loadHttpVectors } from '../support/whatsapp-payloads.ts'

const SECRET = 'an app secret'
const BODY = Buffer.from('{"text":"\\u0627\\u0644\\u0633\\u0644\\u0627\\u0645"}')

const vectors = loadHttpVectors()

const verify = (rawBody: Uint8Array, header: string | undefined, appSecret: string) =>
  walkAtOnce(verifyMetaSignature(rawBody, header, appSecret))

describe('A webhook is genuine when its raw bytes are signed with the app secret', () => {
  test('a signature of RFC 4231 is verified', () => {
    const header = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    const body = Buffer.from('what do ya want for nothing?')
    expect(verify(body, header, 'Jefe')).toBe(true)
  })

  test('a long body is hashed in slices of 256 KB, up to its end', () => {
    const body = Buffer.alloc(600_000, 'x')
    const header = signMetaWebhook(body, SECRET)
    expect([...verifyMetaSignature(body, header, SECRET)]).toEqual([262_144, 262_144, 75_712])
    expect(verify(body, header, SECRET)).toBe(true)
    for (const at of [0, 262_143, 262_144, 599_999]) {
      const changed = Buffer.from(body)
      changed[at] = 0x79
      expect(verify(changed, header, SECRET)).toBe(false)
    }
  })

  test('the same JSON with other bytes is refused', () => {
    const header = signMetaWebhook(BODY, SECRET)
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(BODY.toString())))
    expect(verify(BODY, header, SECRET)).toBe(true)
    expect(verify(rewritten, header, SECRET)).toBe(false)
  })

  const good = signMetaWebhook(BODY, SECRET)
  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another secret', signMetaWebhook(BODY, 'another')],
    ['SHA-1', good.replace('sha256', 'sha1')],
    ['no scheme', good.slice('sha256='.length)],
    ['a cut signature', good.slice(0, -2)],
    ['a longer signature', `${good}00`],
    ['text that is not hex', `sha256=${'z'.repeat(64)}`],
    ['two signatures in one header', `${good}, ${good}`],
  ])('%s is refused', (_, header) => {
    expect(verify(BODY, header, SECRET)).toBe(false)
  })

  test('an empty app secret verifies nothing', () => {
    expect(verify(BODY, signMetaWebhook(BODY, ''), '')).toBe(false)
  })

  test('an independent library agrees on every signature and every changed byte', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.string({ minLength: 1 }),
        fc.nat(),
        (bytes, appSecret, at) => {
          const rawBody = Buffer.from(bytes)
          const signatureHeader = signMetaWebhook(rawBody, appSecret)
          expect(verifySignature({ rawBody, appSecret, signatureHeader })).toBe(true)
          const changed = Buffer.from(rawBody)
          changed[at % changed.length]! ^= 1
          expect(verifySignature({ rawBody: changed, appSecret, signatureHeader })).toBe(false)
          expect(verify(changed, signatureHeader, appSecret)).toBe(false)
        },
      ),
    )
  })

  // The list is empty on a machine without the recorded vectors.
  const appSecret = vectors?.appSecret ?? ''
  test.each(vectors?.signatures ?? [])('recorded: $name', ({ rawBody, header, valid }) => {
    const body = Buffer.from(rawBody)
    const signatureHeader = header ?? ''
    expect(verify(body, header ?? undefined, appSecret)).toBe(valid)
    expect(verifySignature({ rawBody: body, appSecret, signatureHeader })).toBe(valid)
  })
})

function answer(query: Record<string, string>, tokens = ['secret word']) {
  return answerHandshake(new URLSearchParams(query), (token) =>
    Promise.resolve(tokens.includes(token)),
  )
}

describe('A client with a verify token gets its challenge back', () => {
  const good = {
    'hub.mode': 'subscribe',
    'hub.verify_token': 'secret word',
    'hub.challenge': '1158201444',
  }

  test('as the plain challenge, with 200', async () => {
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
  ])('but with %s gets 403', async (_, query) => {
    expect(await answer(query, ['secret word', ''])).toEqual({ status: 403 })
  })

  // The list is empty on a machine without the recorded vectors.
  const recorded = [vectors].flatMap((all) => all?.handshake ?? [])
  test.each(recorded)('recorded: $request', async (vector) => {
    const { request, verifyToken, ok, wrongToken } = vector
    const { searchParams } = new URL(request.replace('GET ', ''), 'http://localhost')
    const knows = (token: string) => Promise.resolve(token === verifyToken)
    expect(await answerHandshake(searchParams, knows)).toEqual(ok)
    expect(await answerHandshake(searchParams, () => Promise.resolve(false))).toEqual(wrongToken)
  })
})
