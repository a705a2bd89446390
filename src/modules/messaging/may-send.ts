import type { Outbound } from '../channels/channel-adapter.ts'
import { fact } from '../../core/facts/fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import {
  whyNotSent,
  type Sender,
  type SendInputs,
  type SendRefusal,
  type SendRefusalCode,
  type ToSend,
} from '../../rules/messaging/may-send.ts'
import { isStaffHandling, type Handling } from '../../rules/messaging/take-over.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'

/** The facts that decide whether a message may go out at the moment of the send. */
export type QueuedSendInputs = {
  channel: { type: string; isConnected: boolean; disconnectedReason: string | null }
  plan: string
  by: Sender
  optedOutAt: Date | null
  /** The conversation's handling; null for a sender who may write while staff handles it. */
  handling: Handling | null
  lastCustomerAt: Date | null
}

/** A reason of this service, stored in place of a provider's code. */
type Code = SendRefusalCode | 'staff_handles' | 'sender_ended' | 'customer_not_reachable'
/** All codes of this service. */
const CODES = {
  not_sendable: true,
  channel_unavailable: true,
  not_in_plan: true,
  opted_out: true,
  outside_service_window: true,
  too_long: true,
  staff_handles: true,
  sender_ended: true,
  customer_not_reachable: true,
} satisfies Record<Code, true>

/**
 * Returns why a queued message may not go out now, or null. Callers check when they queue a message and again when they
 * send it, as the facts may have changed. Spec: Inbox › Allowed messages.
 */
export function refusalOfSend(
  { handling, by, ...facts }: QueuedSendInputs,
  content: Outbound,
  now: Date,
): SendRefusal<Code> | null {
  if (handling && isStaffHandling(handling, now)) {
    return { code: 'staff_handles', detail: fact('staff_handling') }
  }
  return whyNotSent(sendInputs(facts), by, toSend(content), now)
}

/** Converts rows to the input of the rule that says what may be sent. */
export function sendInputs({
  channel: { type, isConnected, disconnectedReason: reason },
  plan,
  ...customer
}: Omit<QueuedSendInputs, 'handling' | 'by'>): SendInputs {
  const why = reason === null ? null : parseFact(reason)
  return { channel: { type, isConnected, why }, plan: plan as Plan, ...customer }
}

/** Converts a message to the input of the rule that says what may be sent. */
export function toSend(content: Outbound): ToSend {
  switch (content.kind) {
    case 'template':
      return { kind: 'template' }
    case 'media':
      return { kind: 'media', mediaKind: content.mediaKind, caption: content.caption }
    case 'text':
    case 'buttons':
    case 'list':
      return { kind: 'text', text: content.text }
  }
}

/** Returns whether a failed message has a code of this service: nothing of it went out. */
export function isInternalRefusal(code: string | null): boolean {
  return code !== null && Object.hasOwn(CODES, code)
}
