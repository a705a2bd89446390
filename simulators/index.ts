/**
 * Simulators of messaging providers on this machine, for development and tests: their APIs, their webhooks, and pages
 * on which a person or a program acts as their customers. For the service a simulator is a provider with another base
 * URL. No message leaves the machine, and only loopback reaches a simulator. README.md says more.
 */
import {
  createMessagingSimulator,
  type MessagingOptions,
  type MessagingSimulator,
} from './messaging/create-messaging-simulator.ts'
import { openOrigin } from './origin.ts'
import type { SimulatorEnvironment, SimulatedProvider, SimulatorLog } from './provider.ts'
import { createSite, type Site } from './site.ts'
import {
  createTelegramSimulator,
  type TelegramOptions,
  type TelegramSimulator,
} from './telegram/create-telegram-simulator.ts'
import type { Clock } from './time.ts'
import { createVoiceSimulator, type VoiceOptions } from './voice/create-voice-simulator.ts'
import {
  createWhatsAppSimulator,
  type WhatsAppOptions,
  type WhatsAppSimulator,
} from './whatsapp/create-whatsapp-simulator.ts'
import { createQrSimulator, type QrSimulator } from './whatsapp-qr/create-qr-simulator.ts'

export type { Product } from './messaging/messaging-account.ts'
export { deriveBsuid } from './person.ts'
export { signMetaWebhook } from './sign-meta-webhook.ts'
export type { Chat } from './telegram/customer-actions.ts'
export { SAMPLE_NAMES as TELEGRAM_SAMPLES } from './telegram/samples.ts'
export type { BusinessNumber } from './whatsapp/business-number.ts'
export type { FileSent } from './whatsapp/customer-actions.ts'
export type { GraphTemplate } from './whatsapp/graph-template.ts'
export type { PlainMessage } from './whatsapp/plain-message.ts'
export type { SampleKind } from './whatsapp/sample-messages.ts'
export type {
  MessagingSimulator,
  QrSimulator,
  TelegramSimulator,
  WhatsAppOptions,
  WhatsAppSimulator,
}
export {
  SCRIPTED_MODEL_NAME,
  startScriptedModel,
  type ScriptedModel,
} from './model/start-scripted-model.ts'

/** The simulators, each with its options. */
export type Options = {
  whatsApp: WhatsAppOptions
  telegram: TelegramOptions
  messenger: MessagingOptions
  instagram: MessagingOptions
  /** The bridge of numbers that are linked by QR code. */
  whatsAppQr: object
  /** The provider of phone calls: it has no API, and posts reports of calls. */
  voice: VoiceOptions
}
/** The name of a simulator, as a key of its options. */
export type ProviderName = keyof Options

/**
 * The handles of the simulators for the program that started them: actions of customers, and messages that the business
 * has sent.
 */
export type SimulatorHandles = {
  whatsApp: WhatsAppSimulator
  telegram: TelegramSimulator
  messenger: MessagingSimulator
  instagram: MessagingSimulator
  whatsAppQr: QrSimulator
  voice: SimulatedProvider
}

/** The started simulators: the handles of each, and their common server. */
export type Simulators<Name extends ProviderName = ProviderName> = Pick<SimulatorHandles, Name> & {
  /** The base URL of all simulators, without a slash at the end. */
  url: string
  /** The page of the first of them, from which tabs lead to the others. */
  pageUrl: string
  /** Resolves when no work is left and every webhook is answered or given up. */
  idle(): Promise<void>
  /** Stops all simulators immediately. One with a journal continues from there at its next start. */
  close(): Promise<void>
}

type Where = {
  /** A loopback address; the default is 127.0.0.1. */
  host?: string
  /** The port; 0, the default, takes any free one. */
  port?: number
  clock: Clock
  /** Receives each line for a person to read. */
  log?: SimulatorLog
}

/**
 * Starts the named simulators on one port of this machine:
 *
 *   const { whatsApp, close } = await startSimulators({ clock }, { whatsApp: { numbers: [number] } })
 *
 * @throws Error if the host is not loopback, the port is in use, or a journal is unusable.
 */
export async function startSimulators<Name extends ProviderName>(
  { host = '127.0.0.1', port = 0, clock, log = () => {} }: Where,
  play: { [Each in Name]: Options[Each] },
): Promise<Simulators<Name>> {
  const { url, serve, close } = await openOrigin(host, port, log)
  const sites: Site[] = []
  const handles: Partial<SimulatorHandles> = {}
  try {
    // Journals are opened after the port, so that a second process leaves them alone.
    createAll({ origin: url, clock, log }, play, { sites, handles })
  } catch (error) {
    await close()
    throw error
  }
  serve(sites)
  const simulators = Object.values(handles)
  return {
    ...(handles as Pick<SimulatorHandles, Name>),
    url,
    pageUrl: `${url}${sites[0]?.tab.path ?? ''}`,
    async idle() {
      await Promise.all(simulators.map((simulator) => simulator.idle()))
    },
    async close() {
      await Promise.all([...sites.map((site) => site.stop()), close()])
    },
  }
}

/** Creates the named simulators, in the order of their tabs. */
function createAll(
  environment: SimulatorEnvironment,
  { whatsApp, telegram, messenger, instagram, whatsAppQr, voice }: Partial<Options>,
  { sites, handles }: { sites: Site[]; handles: Partial<SimulatorHandles> },
): void {
  const withSite = <Provider extends SimulatedProvider>(provider: Provider): Provider => {
    sites.push(createSite(provider))
    return provider
  }
  if (whatsApp) {
    const { simulator, site } = createWhatsAppSimulator(environment, whatsApp)
    handles.whatsApp = simulator
    sites.push(site)
  }
  if (telegram) handles.telegram = withSite(createTelegramSimulator(environment, telegram))
  if (messenger) {
    handles.messenger = withSite(createMessagingSimulator('messenger', environment, messenger))
  }
  if (instagram) {
    handles.instagram = withSite(createMessagingSimulator('instagram', environment, instagram))
  }
  if (whatsAppQr) handles.whatsAppQr = withSite(createQrSimulator(environment))
  if (voice) handles.voice = withSite(createVoiceSimulator(environment, voice))
}
