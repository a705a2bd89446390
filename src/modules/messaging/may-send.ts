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

/** What decides whether a message may go, as it is at the moment of the send. */
export type QueuedSendFacts = {
  channel: { type: string; isConnected: boolean; disconnectedReason: string | null }
  plan: string
  by: Sender
  optedOutAt: Date | null
  /** Null where whoever sends may speak beside staff. */
  handling: Handling | null
  lastCustomerAt: Date | null
}

/** Ours, where a provider's code would stand. */
type Code = SendRefusalCode | 'staff_handles' | 'sender_ended' | 'customer_not_reachable'
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
 * Why a message may not go out now; null when it may. Asked when it is queued, and again when it is sent,
 * since what was true then may no longer be. Spec: Inbox › What may be sent.
 */
export function refusalOfSend(
  { handling, by, ...facts }: QueuedSendFacts,
  content: Outbound,
  now: Date,
): SendRefusal<Code> | null {
  if (handling && isStaffHandling(handling, now)) {
    return { code: 'staff_handles', detail: fact('staff_handling') }
  }
  return whyNotSent(sendFacts(facts), by, toSend(content), now)
}

/** What the rule is asked with, of rows. */
export function sendFacts({
  channel: { type, isConnected, disconnectedReason: reason },
  plan,
  ...customer
}: Omit<QueuedSendFacts, 'handling' | 'by'>): SendInputs {
  const why = reason === null ? null : parseFact(reason)
  return { channel: { type, isConnected, why }, plan: plan as Plan, ...customer }
}

/** What the rule is asked about, of a message. */
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

/** Whether the code of a failed message is one of ours: nothing of it went out. */
export function isRefusalOfOurs(code: string | null): boolean {
  return code !== null && Object.hasOwn(CODES, code)
}
