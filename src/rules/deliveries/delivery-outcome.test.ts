import { expect, test } from 'vitest'
import { attemptErrorOf, deliveryOutcome, type AttemptResult } from './delivery-outcome.ts'

test.each([
  ['any 2XX is delivered', 200, 'delivered', null],
  ['any 2XX is delivered', 204, 'delivered', null],
  ['any 2XX is delivered', 299, 'delivered', null],
  ['a status below 200 is a failure', 199, 'failed', 'http_error'],
  ['a 3xx is a failure', 300, 'failed', 'redirect_refused'],
  ['a 3xx is a failure', 399, 'failed', 'redirect_refused'],
  ['anything else is a failure', 400, 'failed', 'http_error'],
  ['410 switches the endpoint off at once', 410, 'gone', 'gone'],
  ['a 3xx is a failure', 304, 'failed', 'redirect_refused'],
  ['anything else is a failure', 404, 'failed', 'http_error'],
  ['anything else is a failure', 500, 'failed', 'http_error'],
  ['anything else is a failure', 101, 'failed', 'http_error'],
])('%s: %i', (_, status, outcome, error) => {
  const result: AttemptResult = { kind: 'answer', status }
  expect(deliveryOutcome(result)).toBe(outcome)
  expect(attemptErrorOf(result)).toBe(error)
})

test('a timeout or no answer is a failure', () => {
  const result: AttemptResult = { kind: 'error', error: 'timeout' }
  expect(deliveryOutcome(result)).toBe('failed')
  expect(attemptErrorOf(result)).toBe('timeout')
})
