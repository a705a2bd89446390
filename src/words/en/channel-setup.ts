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
  channel_needs_credentials: () => 'Another channel at the provider needs its credentials.',
  channel_credentials_unreadable: ({ secrets }) =>
    `The channel's credentials could not be read here. Enter ${secrets.join(', ')} again, or ask who runs the service.`,
  simulator_not_running: () => 'The simulator is not running.',
  no_provider_of_type: ({ type }) => `This version knows no provider of ${type} channels.`,
  type_not_connectable: ({ type }) => `No ${type} channel can be connected in this version.`,
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
