/**
 * Lists the capabilities of each channel as data, so that no other code decides by a channel's type. The numbers are
 * here and not in `limits/`, because they mean nothing apart from their row.
 * Spec: Concepts › Channel capabilities; Concepts › Service window; Flows › Opt-out; reading C9.
 */
import { HOUR_MS, SECOND_MS } from '../../core/limits/units.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { MediaKind } from '../../core/vocabulary/files.ts'
import { measureText, type TextUnit } from '../text/text-length.ts'

/** The events that a provider can report for a sent message. */
export type ReceiptKind = 'delivered' | 'read' | 'failed'

/** The sending rate of a number. */
export type Pacing =
  /** A limit per second, lower where the owner also uses the number in the provider's app. */
  | { kind: 'rate'; perSecond: number; perSecondInCoexistence: number }
  /** A random gap between two sends, and a limit per hour. */
  | { kind: 'gaps'; gapMinMs: number; gapMaxMs: number; perHour: number }

/** The limits of a form with options: the number of options, and the characters of each label and of the text. */
export type OptionForm = { max: number; labelChars: number; textChars: number }

/** The files that a channel accepts. Types are detected from the bytes; a file sent as a document has no preview. */
export type Media = {
  /** The limit in the channel's `textUnit`. */
  longestCaption: number
  kinds: Readonly<
    Record<MediaKind, { types: readonly string[]; maxBytes: number; hasCaption: boolean }>
  >
}

/** The capabilities of a type of channel. */
export type Capabilities = {
  /**
   * `window` allows replies for a time after the customer's last message; `any_time` allows them once the customer has
   * written.
   */
  reply: { kind: 'window'; windowMs: number } | { kind: 'any_time' } | { kind: 'never' }
  /** The message that may still be sent when `reply` does not allow a plain one. */
  afterWindow: 'template' | 'nothing'
  hasTemplates: boolean
  /** True when the channel may write to a customer who never wrote; only a template does so. */
  startsConversations: boolean
  /** The limit in `textUnit`; null when nothing can be sent. */
  longestText: number | null
  /** Instagram counts bytes of UTF-8; the others count code points. */
  textUnit: TextUnit
  /** The tappable options of a question; null when the channel has none. */
  buttons: OptionForm | null
  list: OptionForm | null
  /** Null when the channel sends no files. */
  media: Media | null
  /** The sending rate of one number; null when no limit is known. */
  pacing: Pacing | null
  /** The events that the provider reports after it accepted a message. */
  receipts: readonly ReceiptKind[]
  /** True when the owner can also answer in the provider's app and the provider reports these answers. */
  ownerMayAnswer: boolean
  /** `STOP` and `START` opt the customer out and in. */
  understandsStop: boolean
  /** True when the provider verifies the sender, so that an assistant's action may be about them. */
  verifiesIdentity: boolean
  /** True when senders become contacts. A visitor does not; only their conversation identifies them. */
  hasContacts: boolean
  /** True when each message is an enquiry that creates a lead. */
  makesLeads: boolean
  /** True when the customer's phone number can be known. */
  hasPhone: boolean
  /** True when webhooks lack the customer's name, so that the service requests it. */
  looksUpNames: boolean
  /** True when conversations are identified by an id that is shown as `whatsAppId`. */
  showsWhatsAppId: boolean
}

const DOCUMENTS = [
  'application/pdf',
  'text/plain',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]
const PICTURES = ['image/jpeg', 'image/png']
const SOUNDS = ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg']
const MEGABYTE = 1_048_576

const WHATSAPP_MEDIA: Media = {
  longestCaption: 1_024,
  kinds: {
    image: { types: PICTURES, maxBytes: 5 * MEGABYTE, hasCaption: true },
    audio: { types: SOUNDS, maxBytes: 16 * MEGABYTE, hasCaption: false },
    video: { types: ['video/mp4', 'video/3gpp'], maxBytes: 16 * MEGABYTE, hasCaption: true },
    document: { types: DOCUMENTS, maxBytes: 100 * MEGABYTE, hasCaption: true },
  },
}

const TELEGRAM_MEDIA: Media = {
  longestCaption: 1_024,
  kinds: {
    image: { types: PICTURES, maxBytes: 10 * MEGABYTE, hasCaption: true },
    audio: { types: SOUNDS, maxBytes: 50 * MEGABYTE, hasCaption: true },
    video: { types: ['video/mp4'], maxBytes: 50 * MEGABYTE, hasCaption: true },
    document: {
      types: [...DOCUMENTS, ...PICTURES, 'image/gif', 'application/zip'],
      maxBytes: 50 * MEGABYTE,
      hasCaption: true,
    },
  },
}

/** Files without a caption; the caption is sent as a separate message. */
const META_MEDIA: Media = {
  longestCaption: 0,
  kinds: {
    image: { types: [...PICTURES, 'image/gif'], maxBytes: 8 * MEGABYTE, hasCaption: false },
    audio: { types: SOUNDS, maxBytes: 25 * MEGABYTE, hasCaption: false },
    video: { types: ['video/mp4', 'video/quicktime'], maxBytes: 25 * MEGABYTE, hasCaption: false },
    document: { types: DOCUMENTS, maxBytes: 25 * MEGABYTE, hasCaption: false },
  },
}

/** Instagram accepts only PDF documents. */
const INSTAGRAM_MEDIA: Media = {
  longestCaption: 0,
  kinds: {
    ...META_MEDIA.kinds,
    audio: {
      types: ['audio/aac', 'audio/mp4', 'audio/wav'],
      maxBytes: 25 * MEGABYTE,
      hasCaption: false,
    },
    video: {
      types: ['video/mp4', 'video/quicktime', 'video/webm'],
      maxBytes: 25 * MEGABYTE,
      hasCaption: false,
    },
    document: { types: ['application/pdf'], maxBytes: 25 * MEGABYTE, hasCaption: false },
  },
}

/** A channel that only receives. */
const SILENT = {
  reply: { kind: 'never' },
  afterWindow: 'nothing',
  hasTemplates: false,
  startsConversations: false,
  longestText: null,
  textUnit: 'code_points',
  buttons: null,
  list: null,
  media: null,
  pacing: null,
  receipts: [],
  ownerMayAnswer: false,
  understandsStop: false,
  verifiesIdentity: false,
  hasContacts: true,
  makesLeads: false,
  hasPhone: true,
  looksUpNames: false,
  showsWhatsAppId: false,
} as const satisfies Capabilities

/** Every channel's capabilities, as differences from a channel that can do nothing. */
export const CAPABILITIES: Record<ChannelType, Capabilities> = {
  whatsapp: {
    ...SILENT,
    reply: { kind: 'window', windowMs: 24 * HOUR_MS },
    afterWindow: 'template',
    hasTemplates: true,
    startsConversations: true,
    longestText: 4_096,
    buttons: { max: 3, labelChars: 20, textChars: 1_024 },
    list: { max: 10, labelChars: 24, textChars: 4_096 },
    media: WHATSAPP_MEDIA,
    pacing: { kind: 'rate', perSecond: 80, perSecondInCoexistence: 20 },
    receipts: ['delivered', 'read', 'failed'],
    ownerMayAnswer: true,
    understandsStop: true,
    verifiesIdentity: true,
    showsWhatsAppId: true,
  },
  whatsapp_qr: {
    ...SILENT,
    reply: { kind: 'window', windowMs: 72 * HOUR_MS },
    longestText: 4_096,
    media: WHATSAPP_MEDIA,
    pacing: { kind: 'gaps', gapMinMs: 8 * SECOND_MS, gapMaxMs: 20 * SECOND_MS, perHour: 250 },
    ownerMayAnswer: true,
    understandsStop: true,
    verifiesIdentity: true,
    showsWhatsAppId: true,
  },
  telegram: {
    ...SILENT,
    reply: { kind: 'any_time' },
    longestText: 4_096,
    buttons: { max: 10, labelChars: 64, textChars: 4_096 },
    media: TELEGRAM_MEDIA,
    // The provider accepts 30 per second from one bot.
    pacing: { kind: 'rate', perSecond: 25, perSecondInCoexistence: 25 },
    understandsStop: true,
    hasPhone: false,
  },
  messenger: {
    ...SILENT,
    reply: { kind: 'window', windowMs: 24 * HOUR_MS },
    longestText: 2_000,
    buttons: { max: 13, labelChars: 20, textChars: 2_000 },
    media: META_MEDIA,
    receipts: ['delivered', 'read'],
    ownerMayAnswer: true,
    understandsStop: true,
    hasPhone: false,
    looksUpNames: true,
  },
  instagram: {
    ...SILENT,
    reply: { kind: 'window', windowMs: 24 * HOUR_MS },
    longestText: 1_000,
    textUnit: 'utf8_bytes',
    // The text also has a limit of 1,000 bytes.
    buttons: { max: 13, labelChars: 20, textChars: 1_000 },
    media: INSTAGRAM_MEDIA,
    receipts: ['read'],
    ownerMayAnswer: true,
    understandsStop: true,
    hasPhone: false,
    looksUpNames: true,
  },
  web_widget: {
    ...SILENT,
    reply: { kind: 'any_time' },
    longestText: 4_096,
    media: WHATSAPP_MEDIA,
    hasContacts: false,
    hasPhone: false,
  },
  website: { ...SILENT, makesLeads: true },
  voice: SILENT,
}

/**
 * Returns the capabilities of a type that a row holds. An unknown type has no capability; its inbound messages still
 * raise events.
 * Spec: Versioning › Compatible changes.
 */
export function capabilitiesOf(channelType: string): Capabilities {
  return Object.hasOwn(CAPABILITIES, channelType)
    ? CAPABILITIES[channelType as ChannelType]
    : SILENT
}

/** Returns the end of the service window that a customer's message opens; null when the channel has no window. */
export function windowEndsAt({ reply }: Capabilities, wroteAt: Date): Date | null {
  return reply.kind === 'window' ? new Date(wroteAt.getTime() + reply.windowMs) : null
}

/**
 * Returns whether a message other than a template may be sent now, given the customer's last message. Even on a channel
 * without a window only the customer begins a conversation. Spec: Concepts › Channel capabilities; Concepts › Service
 * window.
 */
export function mayReply(
  capabilities: Capabilities,
  lastCustomerAt: Date | null,
  now: Date,
): boolean {
  if (capabilities.reply.kind === 'never' || lastCustomerAt === null) return false
  const openUntil = windowEndsAt(capabilities, lastCustomerAt)
  return openUntil === null || now < openUntil
}

/**
 * Returns the length of a text that exceeds the channel's limit; null when it fits. Spec: Concepts › Channel
 * capabilities; reading N6.
 */
export function whyTooLong(
  text: string,
  { longestText, textUnit }: Capabilities,
): { length: number; max: number; unit: TextUnit } | null {
  if (longestText === null) return null
  const length = measureText(text, textUnit)
  return length <= longestText ? null : { length, max: longestText, unit: textUnit }
}
