/** The rule that says whether a message may be sent now: the order of the reasons, and their conditions. */
import { describe, expect, test } from 'vitest'
import { fact } from '../../../src/core/facts/fact.ts'
import { HOUR_MS } from '../../../src/core/limits/units.ts'
import type { ChannelType } from '../../../src/core/vocabulary/channels.ts'
import {
  whyNotSent,
  whyNotStarted,
  type Sender,
  type SendInputs,
  type ToSend,
} from '../../../src/rules/messaging/may-send.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
const on = (type: ChannelType, more: Partial<SendInputs> = {}): SendInputs => ({
  channel: { type, isConnected: true, why: null },
  plan: 'business',
  optedOutAt: null,
  lastCustomerAt: ago(1),
  ...more,
})
const text: ToSend = { kind: 'text', text: 'hello' }
const template: ToSend = { kind: 'template' }
const code = (facts: SendInputs, by: Sender = 'member', what: ToSend = text) =>
  whyNotSent(facts, by, what, now)?.code ?? null

test('the first matching reason is given: sendable, connected, plan, opted out, window, length', () => {
  const facts: SendInputs = {
    channel: { type: 'website', isConnected: false, why: null },
    plan: 'free',
    optedOutAt: ago(0),
    lastCustomerAt: null,
  }
  const long: ToSend = { kind: 'text', text: 'a'.repeat(5_000) }
  expect(code(facts, 'flow', long)).toBe('not_sendable')
  facts.channel.type = 'whatsapp'
  expect(code(facts, 'flow', long)).toBe('channel_unavailable')
  facts.channel.isConnected = true
  expect(code(facts, 'flow', long)).toBe('not_in_plan')
  facts.plan = 'pro'
  expect(code(facts, 'flow', long)).toBe('opted_out')
  facts.optedOutAt = null
  expect(code(facts, 'flow', long)).toBe('outside_service_window')
  facts.lastCustomerAt = ago(1)
  expect(code(facts, 'flow', long)).toBe('too_long')
  expect(code(facts, 'flow')).toBeNull()
})

const detailOf = (facts: SendInputs) => whyNotSent(facts, 'member', text, now)?.detail

test('people answer on every plan, flows only on one that has them', () => {
  expect(code(on('whatsapp', { plan: 'free' }))).toBeNull()
  expect(code(on('whatsapp', { plan: 'starter' }), 'flow')).toBe('not_in_plan')
})

test('a channel that is not connected says why', () => {
  const why = fact('channel_account_lost', { event: 'PARTNER_REMOVED' })
  const facts = on('whatsapp', { channel: { type: 'whatsapp', isConnected: false, why } })
  expect(detailOf(facts)).toEqual(fact('channel_disconnected', { why }))
})

test.each<[ChannelType, number]>([
  ['whatsapp', 24],
  ['whatsapp_qr', 72],
  ['messenger', 24],
  ['instagram', 24],
])('the window of %s closes at %d hours, for media too', (type, hours) => {
  const last = new Date(ago(hours).getTime() + 1)
  expect(code(on(type, { lastCustomerAt: last }))).toBeNull()
  const closed = on(type, { lastCustomerAt: ago(hours) })
  const media: ToSend = { kind: 'media', mediaKind: 'image', caption: null }
  for (const what of [text, media]) {
    expect(code(closed, 'member', what)).toBe('outside_service_window')
  }
  const why = fact('reply_window_closed', { hours, templateMaySend: type === 'whatsapp' })
  expect(detailOf(closed)).toEqual(why)
})

test('a channel without a window needs a customer who has begun', () => {
  expect(code(on('telegram', { lastCustomerAt: ago(10_000) }))).toBeNull()
  const never = on('telegram', { lastCustomerAt: null })
  expect(code(never)).toBe('not_sendable')
  expect(detailOf(never)).toEqual(fact('customer_has_not_begun'))
})

test.each<[ChannelType, boolean]>([
  ['whatsapp', true],
  ['messenger', false],
])('on %s the window of a customer who never wrote has yet to open', (type, templateMaySend) => {
  const never = on(type, { lastCustomerAt: null })
  const detail = fact('reply_window_not_opened', { templateMaySend })
  const refusal = { code: 'outside_service_window', detail }
  expect(whyNotSent(never, 'member', text, now)).toEqual(refusal)
  const flow = { isOn: true, sendsTemplateFirst: false }
  expect(whyNotStarted(never, flow, now)).toEqual(refusal)
})

test('a template may be sent at any time where there are templates; a future time counts as now', () => {
  expect(code(on('whatsapp', { lastCustomerAt: null }), 'member', template)).toBeNull()
  expect(code(on('telegram'), 'member', template)).toBe('not_sendable')
  expect(code(on('whatsapp', { lastCustomerAt: ago(-2) }))).toBeNull()
})

describe('a customer who opted out', () => {
  const out = (optedOutAt: Date, lastCustomerAt: Date | null, type: ChannelType = 'whatsapp') =>
    on(type, { optedOutAt, lastCustomerAt })

  test('is answered by people and the assistant alone after writing again', () => {
    const facts = out(ago(2), ago(1))
    expect(code(facts, 'member')).toBeNull()
    expect(code(facts, 'assistant')).toBeNull()
    expect(code(facts, 'flow')).toBe('opted_out')
    expect(code(facts, 'broadcast', template)).toBe('opted_out')
    expect(code(facts, 'member', template)).toBe('opted_out')
  })

  test('gets no answer before writing again', () => {
    expect(code(out(ago(1), ago(1)))).toBe('opted_out')
    expect(code(out(ago(1), ago(2)))).toBe('opted_out')
    expect(code(out(ago(1), null))).toBe('opted_out')
  })

  test('is answered for 24 hours, also when the window is longer', () => {
    const last = new Date(ago(24).getTime() + 1)
    expect(code(out(ago(40), last, 'whatsapp_qr'))).toBeNull()
    expect(code(out(ago(40), ago(24), 'whatsapp_qr'))).toBe('opted_out')
    expect(code(out(ago(40), ago(30), 'telegram'))).toBe('opted_out')
  })
})

test.each<[ChannelType, string, number]>([
  ['whatsapp', 'ب', 4_096],
  ['messenger', 'ب', 2_000],
  ['instagram', 'ب', 500],
  ['instagram', 'a', 1_000],
  ['whatsapp', '🙂', 4_096],
])('on %s a text of %s is too long after %d', (type, sign, max) => {
  expect(code(on(type), 'member', { kind: 'text', text: sign.repeat(max) })).toBeNull()
  expect(code(on(type), 'member', { kind: 'text', text: sign.repeat(max + 1) })).toBe('too_long')
})

describe('a member starts a flow', () => {
  const flow = { isOn: true, sendsTemplateFirst: false }
  const started = (facts: SendInputs, of = flow) => whyNotStarted(facts, of, now)?.code ?? null

  test('in the window, and after it where a template goes first', () => {
    expect(started(on('whatsapp'))).toBeNull()
    expect(started(on('whatsapp', { lastCustomerAt: ago(24) }))).toBe('outside_service_window')
    const first = { ...flow, sendsTemplateFirst: true }
    expect(started(on('whatsapp', { lastCustomerAt: null }), first)).toBeNull()
    const later = on('messenger', { lastCustomerAt: ago(25) })
    expect(started(later, first)).toBe('outside_service_window')
  })

  test('only when it is on, on a plan with flows, and never after an opt-out', () => {
    expect(started(on('whatsapp', { optedOutAt: ago(2) }))).toBe('opted_out')
    expect(started(on('whatsapp'), { ...flow, isOn: false })).toBe('flow_off')
    expect(started(on('whatsapp', { plan: 'free' }))).toBe('not_in_plan')
    expect(started(on('voice'))).toBe('not_sendable')
  })
})
