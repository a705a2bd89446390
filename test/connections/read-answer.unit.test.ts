/** The outcome of an attempt, by its status and its error, and the parts of its body that are read. */
import { describe, expect, test } from 'vitest'
import {
  evaluateAttempt,
  isRetryable,
  readAnswer,
} from '../../src/modules/connections/read-answer.ts'
import { fact, type Fact } from '../../src/core/facts/fact.ts'
import { CALL_LIMITS } from '../../src/core/limits/calls.ts'
import type { OutboundAnswer } from '../../src/infra/egress/outbound-client.ts'
import { createRedactor, REMOVED } from '../../src/infra/redaction/redactor.ts'
import type { CallFailure } from '../../src/core/vocabulary/calls.ts'

type Answered = Extract<OutboundAnswer, { kind: 'answer' }>
type Failed = Extract<OutboundAnswer, { kind: 'error' }>
const WHERE = {
  remoteAddress: '192.0.2.1',
  timings: { dnsMs: null, connectMs: 3, answerMs: null, totalMs: 5 },
}

const answered = (status: number, change: Partial<Answered> = {}): Answered => ({
  kind: 'answer',
  status,
  headers: [],
  areHeadersCut: false,
  head: Buffer.from('{}'),
  truncated: false,
  ...WHERE,
  ...change,
})
const failed = (error: Failed['error'], change: Partial<Failed> = {}): Failed => ({
  kind: 'error',
  error,
  detail: fact('opted_out'),
  ...WHERE,
  ...change,
})
const PACKED: [string, string][] = [['Content-Encoding', 'zstd']]

const moved = (origin: string) => fact('call_redirected_to', { status: 302, origin })
const judged = (answer: OutboundAnswer) =>
  evaluateAttempt(answer, 'https://api.shop.example/v1/orders')

describe('An attempt', () => {
  test.each([200, 299])('with a complete answer %i is a success', (status) => {
    expect(judged(answered(status))).toEqual({ status, failure: null, detail: null })
  })

  test.each([300, 399])('answered %i fails as a redirect', (status) => {
    const detail = fact('call_redirected', { status })
    expect(judged(answered(status))).toEqual({ status, failure: 'redirect_refused', detail })
  })

  test.each<[string, Fact]>([
    ['https://www.shop.example/v1/orders?token=s3cret', moved('https://www.shop.example')],
    ['http://api.shop.example/v1/orders', moved('http://api.shop.example')],
    ['//other.example:8443', moved('https://other.example:8443')],
    ['https://user:s3cret@other.example/', moved('https://other.example')],
    ['/v1/orders/?token=s3cret', fact('call_redirected_within', { status: 302 })],
    ['', fact('call_redirected_within', { status: 302 })],
    ['mailto:owner@shop.example', fact('call_redirected', { status: 302 })],
    ['https://', fact('call_redirected', { status: 302 })],
    [`https://${'a'.repeat(4_000)}.example/`, fact('call_redirected', { status: 302 })],
  ])('redirected elsewhere names only the server in the target: %s', (to, detail) => {
    expect(judged(answered(302, { headers: [['Location', to]] })).detail).toEqual(detail)
  })

  test.each([100, 199, 400, 499, 500, 599])('answered %i fails for that status', (status) => {
    const wanted = { status, failure: 'http_error', detail: fact('call_answered', { status }) }
    expect(judged(answered(status))).toEqual(wanted)
    // An error in reading the body does not change the failure.
    expect(judged(failed('timeout', { status }))).toEqual(wanted)
    expect(judged(answered(status, { truncated: true, headers: PACKED }))).toEqual(wanted)
  })

  test('redirected without a complete answer fails as a redirect to an unknown server', () => {
    const detail = fact('call_redirected', { status: 302 })
    const judgement = judged(failed('timeout', { status: 302 }))
    expect(judgement).toEqual({ status: 302, failure: 'redirect_refused', detail })
  })

  test('without a complete answer fails for its error, with the status if it arrived', () => {
    const { detail } = failed('timeout')
    const failure = 'timeout'
    expect(judged(failed(failure))).toEqual({ status: null, failure, detail })
    expect(judged(failed(failure, { status: 204 }))).toEqual({ status: 204, failure, detail })
  })

  test('fails for an answer that is too large, and names an encoding that cannot be read', () => {
    const large = judged(answered(200, { truncated: true, headers: PACKED }))
    expect(large).toMatchObject({ status: 200, failure: 'answer_too_large' })
    expect(judged(answered(200, { headers: PACKED }))).toEqual({
      status: 200,
      failure: null,
      detail: fact('call_answer_packed', { encoding: 'zstd' }),
    })
    const nothing = answered(204, { headers: PACKED, head: Buffer.alloc(0) })
    expect(judged(nothing).failure).toBeNull()
  })
})

describe('A GET is retried', () => {
  const again = (answer: OutboundAnswer) => isRetryable(judged(answer), answer)

  test.each([
    [500, true],
    [599, true],
    [499, false],
    [400, false],
    [302, false],
    [200, false],
  ])('answered %i: %j', (status, may) => {
    expect(again(answered(status))).toBe(may)
  })

  test.each([
    ['timeout', true],
    ['dns_failed', true],
    ['connect_refused', true],
    ['connect_timeout', true],
    ['tls_failed', true],
    ['address_refused', false],
    ['connection_reset', false],
  ] as [Failed['error'], boolean][])('%s: %j', (error, may) => {
    expect(again(failed(error))).toBe(may)
  })

  test('on a kept-alive connection that was closed before any part of the answer', () => {
    const kept = { timings: { ...WHERE.timings, connectMs: null } }
    expect(again(failed('connection_reset', kept))).toBe(true)
    expect(again(failed('connection_reset', { ...kept, remoteAddress: null }))).toBe(false)
    expect(again(failed('connection_reset', { ...kept, status: 200 }))).toBe(false)
    expect(again(answered(200, { truncated: true }))).toBe(false)
  })

  test('but not without a status', () => {
    const verdict = { status: null, failure: 'http_error' as CallFailure, detail: null }
    expect(isRetryable(verdict, failed('timeout'))).toBe(false)
  })
})

describe('The body of an answer is read', () => {
  const redactor = createRedactor(['sk_live_secret_of_it'])
  const read = (head: string | Buffer, change: Partial<Answered> = {}) =>
    readAnswer(answered(200, { head: Buffer.from(head), ...change }), redactor)
  const NOTHING = { json: undefined, text: null, chars: null }

  test('as JSON and as a short text, without the credential', async () => {
    const told = await read(' {"a": [1, "sk_live_secret_of_it"]} ')
    expect(told.text).toBe(`{"a":[1,"${REMOVED}"]}`)
    expect(told.json).toMatchObject({ a: [expect.anything(), REMOVED] })
    const long = await read(JSON.stringify('x'.repeat(CALL_LIMITS.answerShownChars)))
    expect(long.text).toHaveLength(CALL_LIMITS.answerShownChars)
  })

  test('as any other text, without the credential', async () => {
    expect(await read('<p>sk_live_secret_of_it</p>')).toEqual({
      json: undefined,
      text: `<p>${REMOVED}</p>`,
      chars: `<p>${REMOVED}</p>`.length,
    })
    expect((await read(Buffer.from('caf\u00e9', 'latin1'))).text).toBe('caf\u00e9')
    expect((await read('caf\u00e9')).text).toBe('caf\u00e9')
    const long = await read('x'.repeat(CALL_LIMITS.answerShownChars + 1))
    expect(long.text).toHaveLength(CALL_LIMITS.answerShownChars)
    expect(long.chars).toBe(CALL_LIMITS.answerShownChars + 1)
  })

  const ARABIC = '{"a":"مرحبا"}'
  const IN_1256 = Buffer.from([0xe3, 0xd1, 0xcd, 0xc8, 0xc7])
  test.each<[string, string, string, Buffer]>([
    [
      'UTF-8, whatever the header says',
      'text/plain; charset=windows-1256',
      ARABIC,
      Buffer.from(ARABIC),
    ],
    ['UTF-8 for an unknown charset', 'text/plain; charset=nonsense', ARABIC, Buffer.from(ARABIC)],
    ['its charset if it is not UTF-8', 'text/plain; Charset = "windows-1256"', 'مرحبا', IN_1256],
    [
      'UTF-16 of letters that are UTF-8 too',
      'text/plain;charset=utf-16le',
      '{"a":1}',
      Buffer.from('{"a":1}', 'utf16le'),
    ],
    [
      'UTF-8 that is no UTF-16',
      'text/plain; charset=utf-16le',
      '{"ab":1}x',
      Buffer.from('{"ab":1}x'),
    ],
    [
      'Latin-1 if it is neither',
      'text/plain; charset=utf-8',
      'café',
      Buffer.from('café', 'latin1'),
    ],
  ])('as %s: %s', async (_, type, text, head) => {
    expect(await read(head, { headers: [['CONTENT-TYPE', type]] })).toMatchObject({ text })
  })

  test('as JSON in UTF-16', async () => {
    const headers: Answered['headers'] = [['Content-Type', 'application/json; charset=utf-16le']]
    expect((await read(Buffer.from(ARABIC, 'utf16le'), { headers })).json).toEqual({ a: 'مرحبا' })
  })

  test('as nothing if it is incomplete, encoded or binary', async () => {
    expect(await read('')).toEqual(NOTHING)
    expect(await read('a\0b')).toEqual(NOTHING)
    expect(await read('{}', { truncated: true })).toEqual(NOTHING)
    expect(await read('{}', { headers: PACKED })).toEqual(NOTHING)
    expect(await readAnswer(failed('timeout'), redactor)).toEqual(NOTHING)
  })
})
