/**
 * What each channel can do, once, as data: refusing a send, the dashboard and the tests read this.
 * Its numbers stand here and not in `limits.ts`, because they mean nothing apart from their row.
 * Spec: Concepts › Channel capabilities; Concepts › Service window; Flows › Opt-out; reading C9.
 */
import { HOUR_MS, MESSAGING_LIMITS, SECOND_MS } from '../limits.ts'
import { measureText, type TextUnit } from '../rules/text-length.ts'
import type { ChannelType } from '../vocabulary.ts'

export type Capabilities = {
  /** `window`: so long after the customer's last message; `any_time`: once the customer wrote. */
  reply: { kind: 'window'; windowMs: number } | { kind: 'any_time' } | { kind: 'never' }
  /** What may still be sent where `reply` does not allow a plain message. */
  afterWindow: 'template' | 'nothing'
  hasTemplates: boolean
  /** May write to a customer who never wrote; only a template does it. */
  startsConversations: boolean
  hasMedia: boolean
  receipts: readonly ('delivered' | 'read' | 'failed')[]
  /** In `textUnit`; null where nothing can be sent. */
  longestText: number | null
  /** Instagram counts the bytes of UTF-8, the others count code points. */
  textUnit: TextUnit
  /** Sends of one number keep a distance picked between the two gaps. */
  pacing: { gapMinMs: number; gapMaxMs: number; perHour: number } | null
  /** `STOP` and `START` opt the customer out and in. */
  understandsStop: boolean
  /** The provider vouches for who writes. */
  verifiesIdentity: boolean
  /** The customer's phone number can be known. */
  hasPhone: boolean
  /** Conversations are filed under an id that is shown as `whatsAppId`. */
  showsWhatsAppId: boolean
}

const SILENT = {
  reply: { kind: 'never' },
  afterWindow: 'nothing',
  hasTemplates: false,
  startsConversations: false,
  hasMedia: false,
  receipts: [],
  longestText: null,
  textUnit: 'code_points',
  pacing: null,
  understandsStop: false,
  verifiesIdentity: false,
  hasPhone: true,
  showsWhatsAppId: false,
} as const satisfies Capabilities

export const CAPABILITIES: Record<ChannelType, Capabilities> = {
  whatsapp: {
    reply: { kind: 'window', windowMs: MESSAGING_LIMITS.serviceWindowMs },
    afterWindow: 'template',
    hasTemplates: true,
    startsConversations: true,
    hasMedia: true,
    receipts: ['delivered', 'read', 'failed'],
    longestText: 4_096,
    textUnit: 'code_points',
    pacing: null,
    understandsStop: true,
    verifiesIdentity: true,
    hasPhone: true,
    showsWhatsAppId: true,
  },
  whatsapp_qr: {
    reply: { kind: 'window', windowMs: 72 * HOUR_MS },
    afterWindow: 'nothing',
    hasTemplates: false,
    startsConversations: false,
    hasMedia: true,
    receipts: [],
    longestText: 4_096,
    textUnit: 'code_points',
    pacing: { gapMinMs: 8 * SECOND_MS, gapMaxMs: 20 * SECOND_MS, perHour: 250 },
    understandsStop: true,
    verifiesIdentity: true,
    hasPhone: true,
    showsWhatsAppId: true,
  },
  telegram: {
    reply: { kind: 'any_time' },
    afterWindow: 'nothing',
    hasTemplates: false,
    startsConversations: false,
    hasMedia: true,
    receipts: [],
    longestText: 4_096,
    textUnit: 'code_points',
    pacing: null,
    understandsStop: true,
    verifiesIdentity: true,
    hasPhone: false,
    showsWhatsAppId: false,
  },
  messenger: {
    reply: { kind: 'window', windowMs: 24 * HOUR_MS },
    afterWindow: 'nothing',
    hasTemplates: false,
    startsConversations: false,
    hasMedia: true,
    receipts: ['delivered', 'read'],
    longestText: 2_000,
    textUnit: 'code_points',
    pacing: null,
    understandsStop: true,
    verifiesIdentity: true,
    hasPhone: false,
    showsWhatsAppId: false,
  },
  instagram: {
    reply: { kind: 'window', windowMs: 24 * HOUR_MS },
    afterWindow: 'nothing',
    hasTemplates: false,
    startsConversations: false,
    hasMedia: true,
    receipts: ['read'],
    longestText: 1_000,
    textUnit: 'utf8_bytes',
    pacing: null,
    understandsStop: true,
    verifiesIdentity: true,
    hasPhone: false,
    showsWhatsAppId: false,
  },
  web_widget: {
    reply: { kind: 'any_time' },
    afterWindow: 'nothing',
    hasTemplates: false,
    startsConversations: false,
    hasMedia: true,
    receipts: [],
    longestText: 4_096,
    textUnit: 'code_points',
    pacing: null,
    understandsStop: false,
    verifiesIdentity: false,
    hasPhone: false,
    showsWhatsAppId: false,
  },
  website: SILENT,
  voice: SILENT,
}

/**
 * Of a conversation's or channel's type, as its row holds it. A type that is not known here can do
 * nothing; what comes in on it is told of all the same.
 * Spec: Versioning › What may come at any time.
 */
export function capabilitiesOf(channelType: string): Capabilities {
  return Object.hasOwn(CAPABILITIES, channelType)
    ? CAPABILITIES[channelType as ChannelType]
    : SILENT
}

/** When the window closes that a customer's message of this time opens anew; null without a window. */
export function windowEndsAt({ reply }: Capabilities, wroteAt: Date): Date | null {
  return reply.kind === 'window' ? new Date(wroteAt.getTime() + reply.windowMs) : null
}

/**
 * Decides whether a message that is no template may be sent now. Where any time will do, nobody but the
 * customer begins a conversation. Spec: Concepts › Channel capabilities; Concepts › Service window.
 */
export function mayReply({ reply }: Capabilities, openUntil: Date | null, now: Date): boolean {
  if (reply.kind === 'window') return openUntil !== null && now < openUntil
  return reply.kind === 'any_time'
}

/**
 * Why a text is no message of a channel: it has more than the channel's most, as the channel counts.
 * Null when it fits. Spec: Concepts › Channel capabilities; reading N6.
 */
export function whyTooLong(text: string, { longestText, textUnit }: Capabilities): string | null {
  if (longestText === null) return null
  const length = measureText(text, textUnit)
  if (length <= longestText) return null
  const unit = textUnit === 'utf8_bytes' ? 'bytes of UTF-8' : 'characters'
  return `it has ${length} ${unit}, and the channel takes at most ${longestText}`
}
