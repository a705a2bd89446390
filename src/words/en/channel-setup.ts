import type { ChannelSetupFacts } from '../../facts/channel-setup.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

type ProviderSaid = ChannelSetupFacts['whatsapp_auth']

const told =
  (what: string) =>
  ({ said, providerCode }: ProviderSaid): string =>
    `${what}${said ? `. It said: ${inEnglish(said)}` : ''} (${providerCode}).`

const META = { messenger: 'Messenger', instagram: 'Instagram' }

const toldByMeta =
  (what: string) =>
  ({ product, ...said }: ChannelSetupFacts['meta_auth']): string =>
    told(`${META[product]} ${what}`)(said)

export const EN_CHANNEL_SETUP: Sentences<ChannelSetupFacts> = {
  no_such_channel: () => 'This company has no such channel.',
  channel_changed: () => 'The channel was changed meanwhile. Look at it again.',
  channel_off_by_member: () => 'A member took it out of use.',
  channel_deleted: () => 'A member deleted it.',
  channel_account_lost: ({ event }) => `The provider says: ${inEnglish(event)}.`,
  channel_in_use: ({ flows }) =>
    `Published flows use this channel: ${flows.map(quotedInEnglish).join(', ')}. Publish them on another channel or delete them first.`,
  channel_country_unknown: () => 'The country of the number is not known.',
  channel_connected_already: () =>
    'This channel is connected already, here or in another account. Delete it there first.',
  channel_is_another: () =>
    'This is another channel at the provider. Connect it as a channel of its own.',
  channel_needs_credentials: () => 'Another channel at the provider needs its credentials.',
  channel_credentials_unreadable: ({ secrets }) =>
    secrets.length === 0
      ? 'What is kept of the channel could not be read here. Save the channel again to begin anew, or ask who runs the service.'
      : `The channel's credentials could not be read here. Enter ${secrets.join(', ')} again, or ask who runs the service.`,
  simulator_not_running: () => 'The simulator is not running.',
  no_provider_of_type: ({ type }) => `This version knows no provider of ${type} channels.`,
  type_not_connectable: ({ type }) => `No ${type} channel can be connected in this version.`,
  risk_not_accepted: () =>
    'Linking a number by QR code is not offered by WhatsApp, which may restrict or close the number for good. Accept that first.',
  qr_bridge_not_set: () =>
    'There is no bridge for numbers that are linked by QR code: whoever runs the service installs it and sets WHATSAPP_QR_BRIDGE.',
  qr_bridge_away: ({ fault }) =>
    `The bridge for numbers that are linked by QR code does not answer (${fault}). Whoever runs the service starts it.`,
  qr_bridge_strange: () =>
    'What answers at the address of the bridge for linked numbers is no bridge of this version. Whoever runs the service has to look after it.',
  qr_bridge_wrong_secret: () =>
    'The bridge does not accept the secret. Whoever runs the service sets WHATSAPP_QR_BRIDGE_SECRET to that of the bridge.',
  qr_scan_needed: () => 'It waits for its phone: scan the code in WhatsApp, Linked devices.',
  qr_not_scanned: () => 'Nobody scanned the code in time. Reconnect to get a new one.',
  qr_connecting: ({ code }) =>
    `WhatsApp is not reached for the moment (${code}); it is tried again and again.`,
  qr_logged_out: () =>
    'The phone has removed the link, and its keys are deleted here. Reconnect and scan a new code.',
  qr_replaced: () => 'The same link is used elsewhere. End that first, and then reconnect.',
  qr_banned: () => 'WhatsApp has closed or restricted the number.',
  qr_other_number: ({ number }) =>
    `Another number scanned the code: this channel is of ${inEnglish(number)}. Reconnect and scan with that, or connect a channel of its own.`,
  qr_number_taken: ({ number }) =>
    `${inEnglish(number)} is linked by another channel already. Delete that first, or scan with another number.`,
  channel_callback_unreachable: ({ url }) =>
    `The credentials work, but the provider cannot post to ${inEnglish(url)}: it needs a public https address. Whoever runs the service sets BASE_URL to one; then enter the new callback URL at the provider.`,
  whatsapp_not_subscribed: () =>
    'The number works, but its WhatsApp Business account is subscribed to no app: Meta posts nothing that customers write. Subscribe your app to the account (POST /{account}/subscribed_apps), then check again.',
  whatsapp_posts_elsewhere: ({ origin, url }) =>
    `The number works, but Meta posts what customers write to another address, at ${inEnglish(origin)}. Set the callback URL to ${inEnglish(url)}, then check again.`,
  whatsapp_subscription_unknown: told(
    'The number works, but WhatsApp does not say whether it posts to this service. The access token needs the permission whatsapp_business_management',
  ),
  telnyx_wrong_key: () =>
    'That is no public key of Telnyx: 44 characters that end in =, from Keys & Credentials, Public key.',
  telnyx_wrong_api_key: () =>
    'Telnyx does not accept the API key. Take one from Keys & Credentials.',
  whatsapp_auth: told('WhatsApp does not accept the access token for this phone number id'),
  whatsapp_rate: told('WhatsApp takes no more requests for the moment; try again in a few minutes'),
  whatsapp_billing: told('WhatsApp asks for the billing of the business account to be settled'),
  whatsapp_blocked: told('WhatsApp has restricted the business account'),
  whatsapp_transient: told('WhatsApp could not be asked; try again in a minute'),
  whatsapp_content: told('WhatsApp does not know this phone number id'),
  meta_auth: toldByMeta('does not accept the access token for this id'),
  meta_rate: toldByMeta('takes no more requests for the moment; try again in a few minutes'),
  meta_blocked: toldByMeta('has restricted the account'),
  meta_transient: toldByMeta('could not be asked; try again in a minute'),
  meta_content: toldByMeta('does not know this id'),
  meta_token_of_another: ({ product }) =>
    product === 'messenger'
      ? 'The access token is of another page. Take the one of the page with this page ID.'
      : 'The access token is of another account. Take the one of the account with this Instagram ID.',
}
