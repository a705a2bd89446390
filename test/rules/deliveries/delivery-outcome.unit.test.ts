import { expect, test } from 'vitest'
import {
  attemptErrorOf,
  deliveryOutcome,
  type AttemptResult,
} from '../../../src/rules/deliveries/delivery-outcome.ts'

test.each<[string, number[], string, string | null]>([
  ['any 2XX is delivered', [200, 204, 299], 'delivered', null],
  ['a 3xx is a failure', [300, 304, 399], 'failed', 'redirect_refused'],
  ['410 switches the endpoint off immediately', [410], 'gone', 'gone'],
  ['anything else is a failure', [101, 199, 400, 404, 500], 'failed', 'http_error'],
])('%s: %j', (_, statuses, outcome, error) => {
  for (const status of statuses) {
    const result: AttemptResult = { kind: 'answer', status }
    const expected = [status, outcome, error]
    expect([status, deliveryOutcome(result), attemptErrorOf(result)]).toEqual(expected)
  }
})

test('a timeout or no answer is a failure', () => {
  const result: AttemptResult = { kind: 'error', error: 'timeout' }
  expect([deliveryOutcome(result), attemptErrorOf(result)]).toEqual(['failed', 'timeout'])
})
