import type { None } from './none.ts'

/** Reasons why a channel is not connected or changed. */
export type ChannelSetupFacts = {
  no_such_channel: None
  channel_changed: None
  /** A member has disconnected the channel. */
  channel_off_by_member: None
  channel_deleted: None
  /** `event` is the provider's word for it. */
  channel_account_lost: { event: string }
  channel_in_use: { flows: string[]; more: number }
  channel_country_unknown: None
  channel_connected_already: None
  channel_needs_credentials: None
  channel_is_another: None
  channel_credentials_unreadable: { secrets: string[] }
  simulator_not_running: None
  no_provider_of_type: { type: string }
  type_not_connectable: { type: string }
  risk_not_accepted: None
  qr_bridge_not_set: None
  /** `fault` is the code of the network error. */
  qr_bridge_away: { fault: string }
  qr_bridge_strange: None
  qr_bridge_wrong_secret: None
  qr_scan_needed: None
  qr_not_scanned: None
  /** `code` is WhatsApp's number for why the connection ended. */
  qr_connecting: { code: string }
  qr_logged_out: None
  qr_replaced: None
  qr_banned: None
  qr_other_number: { number: string }
  qr_number_taken: { number: string }
  /** The address that a provider is to post to is private, on this machine or plain http. */
  channel_callback_unreachable: { url: string }
  whatsapp_not_subscribed: None
  /** `origin` of the address that the provider posts to, `url` of this service's address. */
  whatsapp_posts_elsewhere: { origin: string; url: string }
  whatsapp_subscription_unknown: ProviderSaid
  telnyx_wrong_key: None
  telnyx_wrong_api_key: None
} & {
  [
    Class in
      | 'auth'
      | 'rate'
      | 'billing'
      | 'blocked'
      | 'transient'
      | 'content' as `whatsapp_${Class}`
  ]: ProviderSaid
} & {
  [
    Class in 'auth' | 'rate' | 'blocked' | 'transient' | 'content' as `meta_${Class}`
  ]: ProviderSaid & {
    product: MetaProduct
  }
} & {
  meta_token_of_another: { product: MetaProduct }
  meta_app_secret_wrong: None
}

type MetaProduct = 'messenger' | 'instagram'

/** The provider's message and code, unchanged. */
type ProviderSaid = { said: string; providerCode: string }
