import type { None } from './none.ts'

/** Connecting a channel and changing one. */
export type ChannelSetupFacts = {
  no_such_channel: None
  channel_changed: None
  /** Why a channel is not connected. */
  channel_off_by_member: None
  channel_deleted: None
  /** `event` is the provider's word for it. */
  channel_account_lost: { event: string }
  channel_in_use: { flows: string[] }
  channel_country_unknown: None
  channel_connected_already: None
  channel_needs_credentials: None
  channel_credentials_unreadable: { secrets: string[] }
  simulator_not_running: None
  no_provider_of_type: { type: string }
  type_not_connectable: { type: string }
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
}

type MetaProduct = 'messenger' | 'instagram'

/** The provider's own words, as they came. */
type ProviderSaid = { said: string; providerCode: string }
