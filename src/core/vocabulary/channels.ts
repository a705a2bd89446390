/** The types of channels. Extensible. Spec: Concepts › Channel capabilities. */
export const CHANNEL_TYPES = [
  'whatsapp',
  'whatsapp_qr',
  'telegram',
  'messenger',
  'instagram',
  'web_widget',
  'website',
  'voice',
] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]

/** Providers of call reports. `signed`: any sender that signs in this service's format. */
export const VOICE_PROVIDERS = ['retell', 'vapi', 'telnyx', 'signed'] as const
export type VoiceProvider = (typeof VOICE_PROVIDERS)[number]

/**
 * The types of messages. `unknown` is a message that cannot be read. Extensible.
 * Spec: Events › Words in payloads; reading E9.
 */
export const MESSAGE_TYPES = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contact',
  'unknown',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** Statuses of a message that the business sent. `unknown`: the provider's answer was lost. */
export const SENT_MESSAGE_STATUSES = [
  'queued',
  'sending',
  'unknown',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
] as const
export type SentMessageStatus = (typeof SENT_MESSAGE_STATUSES)[number]
