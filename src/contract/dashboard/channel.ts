import { z } from 'zod'
import { CHANNEL_LIMITS } from '../../core/limits/messaging.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../core/vocabulary/channels.ts'
import { country } from './phone.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { Page, PageQuery } from './page.ts'
import type { ListedTemplate, SyncedTemplates, TemplateQuery } from './template.ts'
import type { Route } from './route.ts'

/** Credentials, which the adapter of the channel's type validates. */
const credentials = z.record(z.string(), z.unknown())
const fields = { name: formText(1, CHANNEL_LIMITS.nameChars), country, credentials }
const takeOverHours = z
  .int()
  .min(CHANNEL_LIMITS.minTakeOverHours)
  .max(CHANNEL_LIMITS.maxTakeOverHours)

/**
 * Credentials and settings of a channel to connect. The country defaults to that of the channel's number.
 * `acceptsRisk` is needed if the provider does not support this kind of connection.
 */
export const ConnectChannel = z
  .strictObject({ type: z.enum(CHANNEL_TYPES), ...fields, acceptsRisk: z.boolean() })
  .partial({ country: true, acceptsRisk: true })
export type ConnectChannel = z.output<typeof ConnectChannel>

/** The fields to change. Another channel of the provider requires its secrets again. */
export const EditChannel = z.strictObject({ ...fields, takeOverHours }).partial()
export type EditChannel = z.output<typeof EditChannel>

export type ChannelView = {
  id: string
  type: ChannelType
  name: string | null
  /** The fields of the type's form that are no secrets. */
  credentials: Record<string, string | null>
  /** The last characters of each saved secret, to distinguish secrets; null for a short one. */
  secretEnds: Record<string, string | null>
  country: string | null
  isConnected: boolean
  disconnectedReason: LocalizedFact | null
  /** The channel's provider is the simulator on this machine. */
  isSimulated: boolean
  /** Hours after the owner's last reply in the provider's app until a conversation returns to automation. */
  takeOverHours: number
  /** The problem that stops the provider's webhooks although the channel is connected. */
  problem: LocalizedFact | null
  /**
   * The URL for the provider's webhook settings, besides the values that are shown once; null for a provider without
   * webhooks.
   */
  webhookUrl: string | null
  /** The owner uses the number in the provider's own app too. */
  isCoexistence: boolean
  /** The progress of importing the number's older history; null if the provider has announced none. */
  history: { percent: number; isDeclined: boolean; reportedAt: string } | null
  /** The time at which a member accepted the risk of an unsupported connection; null for a supported one. */
  riskAcceptedAt: string | null
  createdAt: string
  updatedAt: string
}

/** The state of a number that is linked by a QR code. `qr` is the content of the picture. */
export type ChannelLink = {
  status:
    | 'none'
    | 'pairing'
    | 'expired'
    | 'connecting'
    | 'linked'
    | 'logged_out'
    | 'replaced'
    | 'banned'
  qr: string | null
  qrUntil: string | null
  number: string | null
}

/**
 * A connected channel. `shownOnce` holds the secrets that the service made, by field. Only the answer that makes or
 * changes a secret has it.
 */
export type ConnectedChannel = { channel: ChannelView; shownOnce: Record<string, string> }

/**
 * The result of a check. `isSubscribed` is true if the provider says that it posts the channel's events to this
 * service. It is null if the provider cannot say, or is polled.
 */
export type ChannelCheck =
  | { ok: true; label: string; isSubscribed: true | null }
  | { ok: false; reason: LocalizedFact }

export interface ChannelRoutes {
  '/companies/:companyId/channels': {
    get: Route<Page<ChannelView>, { query: typeof PageQuery }>
    post: Route<ConnectedChannel, { json: typeof ConnectChannel }>
  }
  '/companies/:companyId/channels/:channelId': {
    get: Route<ChannelView>
    patch: Route<ConnectedChannel, { json: typeof EditChannel }>
    delete: Route<null>
  }
  '/companies/:companyId/channels/:channelId/check': { post: Route<ChannelCheck> }
  '/companies/:companyId/channels/:channelId/connect': { post: Route<ChannelView> }
  '/companies/:companyId/channels/:channelId/disconnect': { post: Route<ChannelView> }
  '/companies/:companyId/channels/:channelId/link': { get: Route<ChannelLink> }
  '/companies/:companyId/channels/:channelId/templates/sync': { post: Route<SyncedTemplates> }
  '/companies/:companyId/templates': {
    get: Route<Page<ListedTemplate>, { query: typeof TemplateQuery }>
  }
}
