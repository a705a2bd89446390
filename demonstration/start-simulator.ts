import type { OpenedChannel } from '../src/channels/load-channel.ts'
import { createChannelAdapters, realBaseUrls } from '../src/channels/registry.ts'
import { webhookPath } from '../src/channels/webhook-path.ts'
import type { MetaCredentials } from '../src/channels/meta/form-fields.ts'
import type { Config } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { portTaken } from '../src/listen-fault.ts'
import { readTemplates } from '../src/messaging/read-templates.ts'
import type { BusinessNumber } from '../simulators/whatsapp/business-number.ts'
import type { PlainMessage } from '../simulators/whatsapp/plain-message.ts'
import type { SimulatedProvider } from '../simulators/provider.ts'
import { startSimulator, type Simulator } from '../simulators/start-simulator.ts'
import {
  BUSINESS_ACCOUNT_ID,
  DEMONSTRATION_NUMBER,
  PHONE_NUMBER_ID,
} from './create-demonstration.ts'
import { SAMPLE_PEOPLE } from './sample-people.ts'
import { DEMONSTRATION_TEMPLATES } from './templates.ts'

/** The customers of the first start and of docs/guides, by numbers that were set aside for stories. */
const DEMONSTRATION_CUSTOMERS = [
  { number: '12025550143', name: 'Sara' },
  { number: '12025550144', name: 'Omar' },
  { number: '12025550145', name: 'نورة' },
  { number: '12025550146', name: 'Lina' },
  { number: '12025550147', name: 'Yousef' },
  { number: '12025550148', name: 'Maha' },
]

/** How long the simulated customer looks at a template before tapping its first button. */
const TAP_AFTER_MS = 1_500

/**
 * Starts the simulator with the demonstration's number, and reads its templates the way any channel's
 * are read: through the adapter. Where a member has deleted the number it has none.
 */
export async function startDemonstrationSimulator(
  context: Context,
  config: Config,
  { channel, earlier, journalFile, servicePort, providers }: Around,
): Promise<Simulator> {
  const { simulatorPort } = config.demonstration
  const simulator = await startSimulator({
    port: simulatorPort,
    journalFile,
    clock: context.clock,
    autoReply: { afterMs: TAP_AFTER_MS },
    customers: [...DEMONSTRATION_CUSTOMERS, ...SAMPLE_PEOPLE],
    earlier,
    providers,
    log: (line) => context.log.info(line),
    numbers: channel === null ? [] : [numberOf(channel, servicePort)],
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw portTaken({
      who: 'the simulator of WhatsApp',
      port: simulatorPort,
      setting: 'SIMULATOR_PORT to another one, or PORT, which moves all of them',
    })
  })
  if (channel === null) return simulator
  const baseUrls = { ...realBaseUrls(config), whatsAppSimulator: simulator.graphBaseUrl }
  const adapters = createChannelAdapters({
    ...context,
    baseUrls,
    graphApiVersion: config.whatsApp.apiVersion,
  })
  try {
    await readTemplates({ ...context, adapters }, channel)
  } catch (error) {
    await simulator.close()
    throw error
  } finally {
    await adapters.whatsapp!.close()
  }
  return simulator
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
    webhookUrl: `http://127.0.0.1:${servicePort}${webhookPath(type)}`,
    templates: DEMONSTRATION_TEMPLATES,
  }
}

type Around = {
  channel: OpenedChannel | null
  earlier: readonly PlainMessage[]
  journalFile: string
  servicePort: number
  /** Played beside WhatsApp. */
  providers: readonly SimulatedProvider[]
}
