import type { OpenedChannel } from '../src/modules/channels/load-channel.ts'
import type { ProviderBaseUrls } from '../src/modules/channels/base-urls.ts'
import { createChannelAdapters } from '../src/modules/channels/registry.ts'
import { DEFAULT_CELL } from '../src/core/ids.ts'
import { webhookPath } from '../src/modules/channels/webhook-path.ts'
import type { MetaCredentials } from '../src/modules/channels/meta/form-fields.ts'
import type { Config } from '../src/app/config.ts'
import type { Context } from '../src/infra/context.ts'
import { portTaken } from '../src/infra/listen-errors.ts'
import { refreshTemplates } from '../src/modules/messaging/refresh-templates.ts'
import type { KeyRing } from '../src/infra/secrets/key-ring.ts'
import {
  startSimulators,
  type BusinessNumber,
  type PlainMessage,
  type Simulators,
} from '../simulators/index.ts'
import {
  BUSINESS_ACCOUNT_ID,
  DEMONSTRATION_NUMBER,
  PHONE_NUMBER_ID,
} from './create-demonstration.ts'
import { writePages } from './write-pages.ts'
import { writeBot } from './write-bot.ts'
import { SAMPLE_PEOPLE } from './sample-people.ts'
import { DEMONSTRATION_TEMPLATES } from './templates.ts'

/** The customers of the first start and of docs/guides, with numbers that are reserved for fiction. */
const DEMONSTRATION_CUSTOMERS = [
  { number: '12025550143', name: 'Sara' },
  { number: '12025550144', name: 'Omar' },
  { number: '12025550145', name: 'نورة' },
  { number: '12025550146', name: 'Lina' },
  { number: '12025550147', name: 'Yousef' },
  { number: '12025550148', name: 'Maha' },
]

/** Time that the simulated customer looks at a template before tapping its first button. */
const TAP_AFTER_MS = 1_500

type Playing = {
  /** The number of WhatsApp; null once a member has deleted it. */
  channel: OpenedChannel | null
  /** Messages of its customers before the first start. */
  earlier: readonly PlainMessage[]
  journalFile: string
  servicePort: number
  /** Gets the base URLs of the simulated providers. */
  baseUrls: ProviderBaseUrls
}

/** Starts the simulators of all providers, with the demonstration's number, pages and bot. */
export async function playProviders(
  context: Context & { keyRing: KeyRing },
  config: Config,
  { channel, earlier, journalFile, servicePort, baseUrls }: Playing,
): Promise<Simulators> {
  const { clock, log } = context
  const pages = await writePages(context, { journalFile, servicePort })
  const telegram = await writeBot(context, { journalFile })
  const port = config.demonstration.simulatorPort
  const simulators = await startSimulators(
    { port, clock, log: (line) => log.info(line) },
    {
      whatsApp: {
        numbers: channel === null ? [] : [numberOf(channel, servicePort)],
        journalFile,
        customers: [...DEMONSTRATION_CUSTOMERS, ...SAMPLE_PEOPLE],
        earlier,
        autoReply: { afterMs: TAP_AFTER_MS },
      },
      telegram,
      ...pages,
      whatsAppQr: {},
      voice: {},
    },
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    const setting = 'SIMULATOR_PORT to another one, or PORT, which moves all of them'
    throw portTaken({ who: 'the simulator of WhatsApp', port, setting })
  })
  const { whatsApp, telegram: bot, messenger, instagram, whatsAppQr: bridge, pageUrl } = simulators
  baseUrls.simulated = {
    whatsApp: whatsApp.baseUrl,
    telegram: bot.baseUrl,
    messenger: messenger.baseUrl,
    instagram: instagram.baseUrl,
    qrBridge: { url: bridge.baseUrl, secret: bridge.secret },
    phonesUrl: pageUrl,
  }
  try {
    if (channel) await refreshDemonstrationTemplates(context, channel, { config, baseUrls })
  } catch (error) {
    await simulators.close()
    throw error
  }
  return simulators
}

/** Refreshes the templates of the demonstration's number through the adapter, as for any other channel. */
async function refreshDemonstrationTemplates(
  context: Context,
  channel: OpenedChannel,
  { config, baseUrls }: { config: Config; baseUrls: ProviderBaseUrls },
): Promise<void> {
  const graphApiVersion = config.whatsApp.apiVersion
  const adapters = createChannelAdapters({ ...context, baseUrls, graphApiVersion })
  try {
    await refreshTemplates({ ...context, adapters }, channel)
  } finally {
    await adapters.whatsapp!.close()
  }
}

const numberOf = ({ type, credentials }: OpenedChannel, servicePort: number): BusinessNumber => {
  const { accessToken, appSecret } = credentials as MetaCredentials
  return {
    phoneNumberId: PHONE_NUMBER_ID,
    businessAccountId: BUSINESS_ACCOUNT_ID,
    displayPhoneNumber: DEMONSTRATION_NUMBER,
    verifiedName: 'Demonstration shop',
    accessToken,
    appSecret,
    webhookUrl: `http://127.0.0.1:${servicePort}${webhookPath(type, DEFAULT_CELL)}`,
    templates: DEMONSTRATION_TEMPLATES,
  }
}
