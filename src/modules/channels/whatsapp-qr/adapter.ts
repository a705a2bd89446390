/**
 * The adapter of numbers linked by QR code, as a device of the phone. WhatsApp does not offer this officially; the
 * bridge that does it is a separate process, which the operator may install.
 * Spec: Channels › WhatsApp by QR code.
 */
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { fact } from '../../../core/facts/fact.ts'
import { readFields, readProviderJson, readText } from '../provider/read-values.ts'
import type { BaseUrlsOf } from '../base-urls.ts'
import { ProviderRefused, type ChannelAdapter, type CredentialsForm } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ProviderError } from '../inbound.ts'
import { whyRefused } from '../why-refused.ts'
import { createBridgeClient, bridgeError } from './bridge-client.ts'
import { LINK_NAME } from './link-state.ts'
import { NUMBER_NAME, pollBridge } from './poll.ts'
import { fetchByBridge, sendByBridge } from './send.ts'
import { uuidInput } from '../../../schemas/uuid-input.ts'

/** The options of the adapter of numbers linked by QR code. */
export type WhatsAppQrOptions = {
  baseUrls: BaseUrlsOf<'qrBridge'>
  /** Generates the route of a channel, as its number is known only once it is linked. */
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

/** Creates the adapter of numbers linked by QR code. */
export function createWhatsAppQrAdapter({
  baseUrls,
  newReference,
  dispatcher,
}: WhatsAppQrOptions): ChannelAdapter {
  const bridge = createBridgeClient(dispatcher)
  const addressOf = ({ isSimulated }: Pick<ChannelAccess, 'isSimulated'>) =>
    (isSimulated ? baseUrls.simulated.qrBridge : baseUrls.qrBridge) ?? null

  /** Returns the bridge of a channel. @throws ProviderRefused without one */
  function reach(channel: ChannelAccess) {
    const address = addressOf(channel)
    if (!address) throw new ProviderRefused(NO_BRIDGE)
    return { bridge, address, route: channel.route, from: channel.displayNumber ?? null }
  }

  return {
    type: 'whatsapp_qr',
    isUnofficial: true,
    isOfOneRoute: true,
    usesSimulator: () => baseUrls.qrBridge === null && baseUrls.simulated.qrBridge !== undefined,
    form: FORM,
    identify: ({ reference = newReference(), displayNumber = null }) => ({
      route: reference,
      account: reference,
      // Only the phone that links the number reports it.
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
    deregistration: {
      keeps: [NUMBER_NAME],
      // After the next link the number is verified again.
      deletesOnConnect: [LINK_NAME],
      async deregister(channel) {
        const { address, route } = reach(channel)
        const response = await bridge.call(address, {
          path: ['numbers', route, 'logout'],
          json: {},
        })
        if (response.outcome !== 'answered' || response.status !== 200) {
          throw new ProviderRefused(bridgeError(response))
        }
      },
    },
    async check(channel) {
      const address = addressOf(channel)
      if (!address) return { ok: false, error: NO_BRIDGE }
      const response = await bridge.call(address, { path: ['health'] })
      const health =
        response.outcome === 'answered' ? readFields(readProviderJson(response.bytes)) : {}
      const name = readText(health.bridge)
      if (response.outcome !== 'answered' || response.status !== 200 || name === undefined) {
        return { ok: false, error: bridgeError(response) }
      }
      return { ok: true, label: name }
    },
    explain: whyRefused,
    close: bridge.close,
  }
}
