import { describe, expect, test } from 'vitest'
import { readGraphError, readRefusal } from '../../src/modules/channels/meta/read-graph-error.ts'
import { classifyWhatsAppCode } from '../../src/modules/channels/whatsapp/errors.ts'

const readMetaError = (text: string) => readGraphError(text, classifyWhatsAppCode)
const readProviderError = (status: number, text: string, retryAfter?: string) =>
  readRefusal({ status, body: text, retryAfter }, classifyWhatsAppCode)

function body(code: unknown, more: object = {}): string {
  return JSON.stringify({ error: { message: `(#${String(code)}) It failed`, code, ...more } })
}

test.each([
  ['window', [131047]],
  ['template', [132000, 132012, 132005, 132018, 132001, 132007, 132015, 132016]],
  ['recipient', [131026, 131030, 131062, 130497]],
  ['opt_out', [131049, 131050, 130472]],
  ['rate', [130429, 131056, 80007, 4]],
  ['blocked', [131048, 368, 131031]],
  ['auth', [190, 10, 200, 250, 299, 133010, 131045]],
  ['billing', [131042]],
  ['transient', [131000, 131016, 2]],
  ['content', [100, 131009]],
  ['other', [199, 300, 999_999]],
])('the codes of class %s are recognised', (errorClass, codes) => {
  for (const code of codes) {
    expect(readProviderError(400, body(code))).toMatchObject({
      code: String(code),
      class: errorClass,
    })
  }
})

describe('An answer with a refusal is read as far as possible', () => {
  test('a missing message is left empty', () => {
    expect(readProviderError(503, '<html>')).toMatchObject({ code: 'http_503', message: '' })
    expect(readProviderError(400, JSON.stringify({ error: { code: 100 } })).message).toBe('')
  })

  test('the details are added to the message', () => {
    const details = 'Recipient is not in the allowed list'
    expect(readProviderError(400, body(131030, { error_data: { details } })).message).toBe(
      '(#131030) It failed: Recipient is not in the allowed list',
    )
  })

  test.each([
    [401, 'auth'],
    [429, 'rate'],
    [408, 'transient'],
    [503, 'transient'],
    [404, 'other'],
    [302, 'other'],
  ])('without a code, %i has the class %s', (status, errorClass) => {
    const error = readProviderError(status, '<html>')
    expect(error).toMatchObject({ code: `http_${status}`, class: errorClass })
  })

  test('a 401 is about the token whatever its code, and so is a number that is invisible to the token', () => {
    expect(readProviderError(401, body(100)).class).toBe('auth')
    expect(readProviderError(400, body(100, { error_subcode: 33 })).class).toBe('auth')
  })

  test('an unknown code is transient if the answer says so, or if the server failed', () => {
    expect(readProviderError(400, body(999, { is_transient: true })).class).toBe('transient')
    expect(readProviderError(500, body(999)).class).toBe('transient')
  })

  test('the requested wait is kept', () => {
    expect(readProviderError(429, '', '30').retryAfterMs).toBe(30_000)
    expect(readProviderError(429, '', 'soon')).not.toHaveProperty('retryAfterMs')
  })

  test('the pair rate limit waits six seconds', () => {
    expect(readProviderError(400, body(131056)).retryAfterMs).toBe(6_000)
  })

  test('a very long message is cut without breaking a character', () => {
    const message = '👍'.repeat(5_000)
    const error = readProviderError(400, JSON.stringify({ error: { code: 100, message } }))
    expect(error.message.length).toBeLessThanOrEqual(500)
    expect(error.message.isWellFormed()).toBe(true)
  })

  test.each([
    '',
    'null',
    '[]',
    '{"error":"no"}',
    '{"error":{"message":"x"}}',
    '{"error":{"code":{}}}',
  ])('%j is no error of WhatsApp', (text) => {
    expect(readMetaError(text)).toBeNull()
  })
})
