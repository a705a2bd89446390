import { expect, test } from 'vitest'
import { fact } from '../../../src/core/facts/fact.ts'
import { ATTEMPT_ERRORS } from '../../../src/core/vocabulary/deliveries.ts'
import { attemptHint } from '../../../src/rules/deliveries/attempt-hint.ts'

test.each(ATTEMPT_ERRORS)('%s has its own sentence, and one that says what to do', (error) => {
  const { message, hint } = attemptHint(error, null)
  expect(message.code).toBe(`attempt_${error}`)
  expect(hint.code).toMatch(/^hint_/)
  const others = ATTEMPT_ERRORS.filter((other) => other !== error)
  expect(others.map((other) => attemptHint(other, null).hint.code)).not.toContain(hint.code)
})

test('an HTTP error names its status, and its hint depends on it', () => {
  expect(attemptHint('http_error', 418).message.params).toEqual({ status: 418 })
  const hints = [400, 401, 403, 404, 405, 413, 415, 429, 500].map(
    (status) => attemptHint('http_error', status).hint.code,
  )
  expect(new Set(hints).size).toBe(hints.length)
  const message = { code: 'attempt_http_error', params: { status: 502 } }
  const { hint: ofAny5xx } = attemptHint('http_error', 500)
  expect(attemptHint('http_error', 502)).toEqual({ message, hint: ofAny5xx, detail: null })
  // The hint for other statuses depends on whose fault their class is.
  const hint = (status: number) => attemptHint('http_error', status).hint.code
  expect(hint(500)).toBe('hint_http_5xx')
  expect(hint(599)).toBe(hint(500))
  expect(hint(499)).toBe('hint_http_other')
  expect(hint(100)).toBe(hint(499))
})

test('the details of a fault are shown once: as the hint, next to it, or not again', () => {
  const expired = fact('certificate_expired')
  const message = { code: 'attempt_tls_failed', params: {} }
  expect(attemptHint('tls_failed', null, expired)).toEqual({ message, hint: expired, detail: null })
  const refused = attemptHint('connect_refused', null, fact('connection_refused'))
  expect(refused).toMatchObject({ hint: { code: 'hint_connect_refused' }, detail: null })
  const closed = fact('tls_closed')
  const beside = { hint: { code: 'hint_tls_failed' }, detail: closed }
  expect(attemptHint('tls_failed', null, closed)).toMatchObject(beside)
})
