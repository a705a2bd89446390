import type { ChannelSetupFacts } from '../../core/facts/channel-setup.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

type ProviderSaid = ChannelSetupFacts['whatsapp_auth']

const fromProvider =
  (what: string) =>
  ({ said, providerCode }: ProviderSaid): string =>
    `${what}${said ? `. It said: ${inEnglish(said)}` : ''} (${providerCode}).`

const META = { messenger: 'Messenger', instagram: 'Instagram' }

const fromMeta =
  (what: string) =>
  ({ product, ...said }: ChannelSetupFacts['meta_auth']): string =>
    fromProvider(`${META[product]} ${what}`)(said)

export const EN_CHANNEL_SETUP: Catalog<ChannelSetupFacts> = {
  no_such_channel: () => 'No channel with this ID.',
  channel_changed: () =>
    'Someone else changed this channel while you were editing. Review it before you save.',
  channel_off_by_member: () => 'A team member disconnected it.',
  channel_deleted: () => 'A team member deleted it.',
  channel_account_lost: ({ event }) => `The provider reported: ${inEnglish(event)}.`,
  channel_in_use: ({ flows }) =>
    `Published flows use this channel: ${flows.map(quotedInEnglish).join(', ')}. Publish them on another channel, or delete them first.`,
  channel_country_unknown: () => 'The number’s country is unknown. Enter it.',
  channel_connected_already: () =>
    'This channel is already connected, here or in another account. Delete it there first.',
  channel_is_another: () =>
    'These details belong to a different channel at the provider. Connect it as a new channel.',
  channel_needs_credentials: () => 'A different channel at the provider needs its own credentials.',
  channel_credentials_unreadable: ({ secrets }) =>
    secrets.length === 0
      ? 'This channel’s saved data couldn’t be read. Save the channel again to start over, or ask the operator of this service.'
      : `The channel’s credentials couldn’t be read. Enter ${secrets.join(', ')} again, or ask the operator of this service.`,
  simulator_not_running: () => 'The simulator isn’t running.',
  no_provider_of_type: ({ type }) => `This version doesn’t support ${type} channels.`,
  type_not_connectable: ({ type }) => `${type} channels can’t be connected in this version.`,
  risk_not_accepted: () =>
    'WhatsApp doesn’t offer linking by QR code, and may restrict or permanently ban the number. Accept the risk first.',
  qr_bridge_not_set: () =>
    'There’s no bridge for numbers linked by QR code. The operator of this service needs to install it and set WHATSAPP_QR_BRIDGE.',
  qr_bridge_away: ({ fault }) =>
    `The bridge for numbers linked by QR code isn’t responding (${fault}). The operator of this service needs to start it.`,
  qr_bridge_strange: () =>
    'The bridge address responds, but not with a compatible bridge. The operator of this service needs to check it.',
  qr_bridge_wrong_secret: () =>
    'The bridge rejected the secret. The operator of this service needs to set WHATSAPP_QR_BRIDGE_SECRET to the bridge’s secret.',
  qr_scan_needed: () => 'Waiting for the phone. Scan the code under WhatsApp, Linked devices.',
  qr_not_scanned: () => 'The QR code expired. Reconnect to get a new one.',
  qr_connecting: ({ code }) => `WhatsApp can’t be reached right now (${code}). We keep retrying.`,
  qr_logged_out: () =>
    'The phone removed the link, and its keys were deleted here. Reconnect and scan a new code.',
  qr_replaced: () => 'This link is in use elsewhere. End it there, then reconnect.',
  qr_banned: () => 'WhatsApp has banned or restricted the number.',
  qr_other_number: ({ number }) =>
    `A different number scanned the code. This channel belongs to ${inEnglish(number)}: reconnect and scan with that number, or connect a new channel.`,
  qr_number_taken: ({ number }) =>
    `${inEnglish(number)} is already linked to another channel. Delete that channel first, or scan with another number.`,
  channel_callback_unreachable: ({ url }) =>
    `The credentials work, but the provider can’t reach ${inEnglish(url)}, because it needs a public https URL. The operator of this service sets BASE_URL to one; then enter the new callback URL at the provider.`,
  whatsapp_not_subscribed: () =>
    'The number works, but no app is subscribed to its WhatsApp Business account, so Meta doesn’t send customers’ messages. Subscribe your app to the account (POST /{account}/subscribed_apps), then check again.',
  whatsapp_posts_elsewhere: ({ origin, url }) =>
    `The number works, but Meta sends customers’ messages to another URL, at ${inEnglish(origin)}. Set the callback URL to ${inEnglish(url)}, then check again.`,
  whatsapp_subscription_unknown: fromProvider(
    'The number works, but WhatsApp does not say whether it posts to this service. The access token needs the permission whatsapp_business_management',
  ),
  telnyx_wrong_key: () =>
    'This isn’t a Telnyx public key. It has 44 characters, ends in = and is found under Keys & Credentials, Public key.',
  telnyx_wrong_api_key: () => 'Telnyx rejected the API key. Copy one from Keys & Credentials.',
  whatsapp_auth: fromProvider('WhatsApp rejected the access token for this phone number ID'),
  whatsapp_rate: fromProvider('WhatsApp is limiting our requests; try again in a few minutes'),
  whatsapp_billing: fromProvider(
    'WhatsApp needs a billing problem on the business account to be fixed',
  ),
  whatsapp_blocked: fromProvider('WhatsApp has restricted the business account'),
  whatsapp_transient: fromProvider('WhatsApp couldn’t be reached; try again in a minute'),
  whatsapp_content: fromProvider('WhatsApp doesn’t recognise this phone number ID'),
  meta_auth: fromMeta('rejected the access token for this ID'),
  meta_rate: fromMeta('is limiting our requests; try again in a few minutes'),
  meta_blocked: fromMeta('has restricted the account'),
  meta_transient: fromMeta('couldn’t be reached; try again in a minute'),
  meta_content: fromMeta('doesn’t recognise this ID'),
  meta_app_secret_wrong: () =>
    'The app secret doesn’t belong to the app of this access token. Copy it from that app: App settings, Basic.',
  meta_token_of_another: ({ product }) =>
    product === 'messenger'
      ? 'This access token belongs to another page. Use the token of the page with this page ID.'
      : 'This access token belongs to another account. Use the token of the account with this Instagram ID.',
}
