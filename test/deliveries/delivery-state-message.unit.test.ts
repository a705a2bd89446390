import { describe, expect, test } from 'vitest'
import { DELIVERY_STATES } from '../../src/core/vocabulary/deliveries.ts'
import {
  stateMessage,
  type DeliveryStateInputs,
} from '../../src/rules/deliveries/delivery-state-message.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'

const messageOf = (change: Partial<DeliveryStateInputs>) =>
  formatFact(
    stateMessage({
      state: 'dead_lettered',
      kind: 'event',
      attempts: 8,
      lastError: 'timeout',
      lastResend: null,
      dueAt: null,
      isEndpointOn: true,
      isEndpointDeleted: false,
      isInPlan: true,
      ...change,
    }),
    'en',
  )

test('every state has different sentences', () => {
  const messages = DELIVERY_STATES.map((state) => messageOf({ state }))
  expect(new Set(messages).size).toBe(DELIVERY_STATES.length)
  for (const message of messages) expect(message).toMatch(/^[A-Z].*\.$/)
})

test('a delivery that waits says whether an attempt has failed, and when the next is due', () => {
  const dueAt = '2026-11-21T09:05:00.000Z'
  expect(messageOf({ state: 'pending', attempts: 0, lastError: null, dueAt })).toBe(
    'Waiting for its first attempt.',
  )
  expect(messageOf({ state: 'pending', attempts: 1, dueAt })).toBe(
    `Attempt 1 failed. Next retry at 2026-11-21 09:05:00 UTC.`,
  )
})

describe('A dead-lettered delivery says why, and what a person can do now', () => {
  test.each<[string, Partial<DeliveryStateInputs>, RegExp]>([
    ['all attempts failed', {}, /^All attempts failed \(8\)\. .*then resend it\.$/],
    ['the endpoint is gone', { lastError: 'gone', attempts: 1 }, /^The endpoint returned 410 Gone/],
    ['it was a test', { kind: 'test', attempts: 1 }, /aren’t retried\. .*send another test\.$/],
    ['a test that was answered 410', { kind: 'test', lastError: 'gone' }, /^The test failed/],
    ['its endpoint is off', { isEndpointOn: false }, /switch the endpoint on, then resend it\.$/],
    ['its endpoint is on', {}, /shown in the attempts, then resend it\.$/],
    [
      'the plan has no webhooks',
      { isInPlan: false },
      /Return to the Business plan to resend it\.$/,
    ],
    [
      'its endpoint is deleted, whatever else there is',
      { isEndpointDeleted: true, isInPlan: false, isEndpointOn: false },
      /Its endpoint was deleted\.$/,
    ],
    [
      'it was resent and delivered',
      { lastResend: { state: 'delivered' } },
      /resend was delivered\.$/,
    ],
    ['its resend waits', { lastResend: { state: 'pending' } }, /resend isn’t delivered yet\.$/],
    ['its resend is held', { lastResend: { state: 'held' } }, /resend isn’t delivered yet\.$/],
    ['its resend failed too', { lastResend: { state: 'dead_lettered' } }, /then resend it\.$/],
    ['it is expired', { state: 'expired' }, /^It wasn’t delivered within 7 days.*resend it\.$/],
  ])('%s', (_, change, message) => {
    expect(messageOf(change)).toMatch(message)
  })
})

describe('A held delivery says what holds it', () => {
  test.each<[string, Partial<DeliveryStateInputs>, RegExp]>([
    [
      'the plan',
      { isInPlan: false, isEndpointOn: false },
      /^Held because the plan doesn’t include webhooks/,
    ],
    ['the endpoint', { isEndpointOn: false }, /^Held because the endpoint is off\. Switch it on/],
    ['neither any more', {}, /^Held while .* Send the held deliveries\./],
  ])('%s', (_, change, message) => {
    expect(messageOf({ state: 'held', ...change })).toMatch(message)
    expect(messageOf({ state: 'held', ...change })).toMatch(
      /It expires 7 days after it was created\.$/,
    )
  })
})
