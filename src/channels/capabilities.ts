/**
 * What each channel can do, once, as data: refusing a send, the dashboard and the tests read this.
 * Its numbers stand here and not in `limits.ts`, because they mean nothing apart from their row.
 * Spec: Channel capabilities; Messaging rule; States › Contact opt-out; AI action.
 */
import { HOUR_MS, SECOND_MS } from '../limits.ts'
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
  textUnit: 'code_points' | 'utf8_bytes'
  /** Sends of one number keep a distance picked between the two gaps. */
  pacing: { gapMinMs: number; gapMaxMs: number; perHour: number } | null
  /** `STOP` and `START` opt the customer out and in. */
  understandsStop: boolean
  /** The provider vouches for who writes. */
  verifiesIdentity: boolean
  /** The customer's phone number can be known. */
  hasPhone: boolean
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
} as const satisfies Capabilities

export const CAPABILITIES: Record<ChannelType, Capabilities> = {
  whatsapp: {
    reply: { kind: 'window', windowMs: 24 * HOUR_MS },
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
  },
  website: SILENT,
  voice: SILENT,
}
