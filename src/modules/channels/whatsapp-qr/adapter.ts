/**
 * A number linked by QR code, as one of the phone's own devices. WhatsApp offers this to nobody: the bridge
 * that does it is a process of its own, which the operator of the service may install.
 * Spec: Channels › WhatsApp by QR code.
 */
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { fact } from '../../../core/facts/fact.ts'
import { readFields, readJson, readText } from '../provider/read-values.ts'
import type { BaseUrlsOf } from '../base-urls.ts'
import { ProviderRefused, type ChannelAdapter, type CredentialsForm } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ProviderError } from '../inbound.ts'
import { whyRefused } from '../why-refused.ts'
import { createBridge, whyNot } from './bridge-client.ts'
import { LINK_NAME } from './link-state.ts'
import { NUMBER_NAME, pollBridge } from './poll.ts'
import { fetchByBridge, sendByBridge } from './send.ts'
import { uuidInput } from '../../../schemas/uuid-input.ts'

export type WhatsAppQrOptions = {
  baseUrls: BaseUrlsOf<'qrBridge'>
  /** A name for a number, whose own is known once it is linked. */
  newReference(): string
  dispatcher?: Dispatcher
}

const FORM = {
  fields: z.strictObject({ reference: uuidInput.optional() }),
  secrets: {},
} as const satisfies CredentialsForm

const NO_BRIDGE: ProviderError = {
  code: 'no_bridge',
  class: 'transient',
  message: '',
  why: fact('qr_bridge_not_set'),
}

export function createWhatsAppQrAdapter({
  baseUrls,
  newReference,
  dispatcher,
}: WhatsAppQrOptions): ChannelAdapter {
  const bridge = createBridge(dispatcher)
  const addressOf = ({ isSimulated }: Pick<ChannelAccess, 'isSimulated'>) =>
    (isSimulated ? baseUrls.simulated.qrBridge : baseUrls.qrBridge) ?? null

  /** @throws ProviderRefused where there is no bridge */
  function reach(channel: ChannelAccess) {
    const address = addressOf(channel)
    if (!address) throw new ProviderRefused(NO_BRIDGE)
    return { bridge, address, route: channel.route, from: channel.displayNumber ?? null }
  }

  return {
    type: 'whatsapp_qr',
    isUnofficial: true,
    isOfOneRoute: true,
    isPlayed: () => baseUrls.qrBridge === null && baseUrls.simulated.qrBridge !== undefined,
    form: FORM,
    identify: ({ reference = newReference(), displayNumber = null }) => ({
      route: reference,
      account: reference,
      // Told by the phone that links it, and by nobody else.
      displayNumber,
      settings: {},
      country: null,
    }),
    openFields: ({ route, displayNumber }) => ({ reference: route, displayNumber }),

    webhook: null,
    async poll(channel, options) {
      const address = addressOf(channel)
      if (!address) return { outcome: 'refused', error: NO_BRIDGE }
      return pollBridge({ bridge, address, channel }, options)
    },
    async send(channel, to, message, about) {
      if (!addressOf(channel)) return { outcome: 'refused', error: NO_BRIDGE }
      return sendByBridge(reach(channel), to, message, about)
    },
    async fetchMedia(channel, media, limits) {
      if (!addressOf(channel)) return { outcome: 'refused', error: NO_BRIDGE }
      return fetchByBridge(reach(channel), media, limits)
    },
    leaving: {
      keeps: [NUMBER_NAME],
      // Whose the number is, is asked again when it is told of.
      toldAnew: [LINK_NAME],
      async tell(channel) {
        const { address, route } = reach(channel)
        const asked = await bridge.ask(address, { path: ['numbers', route, 'logout'], json: {} })
        if (asked.outcome !== 'answered' || asked.status !== 200) {
          throw new ProviderRefused(whyNot(asked))
        }
      },
    },
    async check(channel) {
      const address = addressOf(channel)
      if (!address) return { ok: false, error: NO_BRIDGE }
      const asked = await bridge.ask(address, { path: ['health'] })
      const told = asked.outcome === 'answered' ? readFields(readJson(asked.bytes)) : {}
      const name = readText(told.bridge)
      if (asked.outcome !== 'answered' || asked.status !== 200 || name === undefined) {
        return { ok: false, error: whyNot(asked) }
      }
      return { ok: true, label: name }
    },
    explain: whyRefused,
    close: bridge.close,
  }
}
