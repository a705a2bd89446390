/**
 * Decides whether a message may be sent to a customer now. The dashboard, the queueing code and the sender all apply
 * this one rule. Spec: Concepts › Channel capabilities; Concepts › Service window; Flows › Opt-out; Inbox › Allowed
 * messages.
 */
import { fact, type Fact } from '../../core/facts/fact.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { OPTED_OUT_REPLY_LIMITS } from '../../core/limits/messaging.ts'
import { HOUR_MS } from '../../core/limits/units.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { MediaKind } from '../../core/vocabulary/files.ts'
import { whyNoCaption } from './sendable-media.ts'
import { capabilitiesOf, mayReply, whyTooLong, type Capabilities } from './channel-capabilities.ts'

/** The sender of a message. Flows, broadcasts and notices of appointments write unprompted. */
export type Sender = 'member' | 'assistant' | 'flow' | 'broadcast' | 'notice'

const UNASKED: ReadonlySet<Sender> = new Set(['flow', 'broadcast', 'notice'])

/** The content to send: an approved template, a file, or the text that the customer reads. */
export type ToSend =
  | { kind: 'template' }
  | { kind: 'media'; mediaKind: MediaKind; caption: string | null }
  | { kind: 'text'; text: string }

/** The facts about a channel, its plan and a customer that decide whether a message may be sent. */
export type SendInputs = {
  channel: {
    type: string
    isConnected: boolean
    /** The reason for a broken connection, when it is known. */
    why: Fact | null
  }
  plan: Plan
  optedOutAt: Date | null
  lastCustomerAt: Date | null
}

/** The codes of refused sends. */
export type SendRefusalCode =
  | 'not_sendable'
  | 'channel_unavailable'
  | 'not_in_plan'
  | 'opted_out'
  | 'outside_service_window'
  | 'too_long'

/** A refused send, with the fact that explains it. */
export type SendRefusal<Code extends string = SendRefusalCode> = { code: Code; detail: Fact }

/** Returns why a message may not be sent; null when it may. Spec: reading N7. */
export function whyNotSent(
  facts: SendInputs,
  by: Sender,
  what: ToSend,
  now: Date,
): SendRefusal | null {
  const capabilities = capabilitiesOf(facts.channel.type)
  const isSendable = isSendableOn(capabilities, what)
  const refusal = whyNoneMayBeSent(facts, by, isSendable)
  if (refusal) return refusal
  if (facts.optedOutAt !== null && !mayAnswer(facts, facts.optedOutAt, by, what, now)) {
    return { code: 'opted_out', detail: fact('opted_out') }
  }
  if (what.kind === 'template') return null
  if (!mayReply(capabilities, facts.lastCustomerAt, now)) return windowClosed(capabilities, facts)
  const tooLong = whyTooMuch(what, capabilities)
  return tooLong && { code: 'too_long', detail: tooLong }
}

function isSendableOn({ hasTemplates, reply, media }: Capabilities, { kind }: ToSend): boolean {
  if (kind === 'template') return hasTemplates
  return reply.kind !== 'never' && (kind !== 'media' || media !== null)
}

function whyTooMuch(
  what: Exclude<ToSend, { kind: 'template' }>,
  capabilities: Capabilities,
): Fact | null {
  if (what.kind === 'media') return whyNoCaption(what.mediaKind, what.caption, capabilities)
  const tooLong = whyTooLong(what.text, capabilities)
  return tooLong && fact('text_too_long', tooLong)
}

/**
 * Returns why a member may not start a flow for a customer; null when they may. After the window a flow must send a
 * template first on every path. Spec: Flows › Triggers; reading F28.
 */
export function whyNotStarted(
  facts: SendInputs,
  flow: { isOn: boolean; sendsTemplateFirst: boolean },
  now: Date,
): SendRefusal<SendRefusalCode | 'flow_off'> | null {
  const capabilities = capabilitiesOf(facts.channel.type)
  const isSendable = capabilities.reply.kind !== 'never'
  const refusal = whyNoneMayBeSent(facts, 'flow', isSendable)
  if (refusal) return refusal
  if (facts.optedOutAt !== null) return { code: 'opted_out', detail: fact('start_opted_out') }
  if (!flow.isOn) return { code: 'flow_off', detail: fact('start_flow_off') }
  if (flow.sendsTemplateFirst && capabilities.hasTemplates) return null
  if (mayReply(capabilities, facts.lastCustomerAt, now)) return null
  return windowClosed(capabilities, facts)
}

/** Returns the refusal that would apply to every customer of the channel; null when there is none. */
function whyNoneMayBeSent(
  { channel, plan }: SendInputs,
  by: Sender,
  isSendable: boolean,
): SendRefusal | null {
  if (!isSendable) return { code: 'not_sendable', detail: fact('channel_sends_nothing') }
  if (!channel.isConnected) {
    return {
      code: 'channel_unavailable',
      detail: fact('channel_disconnected', { why: channel.why }),
    }
  }
  if (by === 'flow' && !PLAN_LIMITS[plan].automations) {
    return { code: 'not_in_plan', detail: fact('no_automations') }
  }
  return null
}

/**
 * Returns whether an opted-out customer may get an answer: for a day after their message, from a member or the
 * assistant. Unprompted messages are never sent.
 */
function mayAnswer(
  { lastCustomerAt }: SendInputs,
  optedOutAt: Date,
  by: Sender,
  { kind }: ToSend,
  now: Date,
): boolean {
  if (kind === 'template' || UNASKED.has(by)) return false
  if (lastCustomerAt === null || lastCustomerAt <= optedOutAt) return false
  return now.getTime() < lastCustomerAt.getTime() + OPTED_OUT_REPLY_LIMITS.afterOptOutMs
}

function windowClosed(
  { reply, afterWindow }: Capabilities,
  { lastCustomerAt }: SendInputs,
): SendRefusal {
  if (reply.kind !== 'window') {
    return { code: 'not_sendable', detail: fact('customer_has_not_begun') }
  }
  const templateMaySend = afterWindow === 'template'
  const detail =
    lastCustomerAt === null
      ? fact('reply_window_not_opened', { templateMaySend })
      : fact('reply_window_closed', { hours: reply.windowMs / HOUR_MS, templateMaySend })
  return { code: 'outside_service_window', detail }
}
