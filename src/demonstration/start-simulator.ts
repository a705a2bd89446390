import type { Channel } from '../channels/load-channel.ts'
import { WHATSAPP_WEBHOOK_PATH } from '../channels/whatsapp/webhook-path.ts'
import { createWhatsAppAdapter } from '../channels/whatsapp/send.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { portTaken } from '../listen-fault.ts'
import { syncTemplates } from '../messaging/sync-templates.ts'
import { startSimulator, type Simulator } from '../simulator/start-simulator.ts'
import {
  BUSINESS_ACCOUNT_ID,
  DEMONSTRATION_NUMBER,
  PHONE_NUMBER_ID,
} from './create-demonstration.ts'
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
 * are read: through the adapter.
 */
export async function startDemonstrationSimulator(
  context: Context,
  config: Config,
  { channel, journalFile, servicePort }: Around,
): Promise<Simulator> {
  const { simulatorPort } = config.demonstration
  const simulator = await startSimulator({
    port: simulatorPort,
    journalFile,
    clock: context.clock,
    autoReply: { afterMs: TAP_AFTER_MS },
    customers: DEMONSTRATION_CUSTOMERS,
    log: (line) => context.log.info(line),
    numbers: [
      {
        phoneNumberId: PHONE_NUMBER_ID,
        businessAccountId: BUSINESS_ACCOUNT_ID,
        displayPhoneNumber: DEMONSTRATION_NUMBER,
        verifiedName: 'Demonstration shop',
        accessToken: channel.credentials.accessToken,
        appSecret: channel.credentials.appSecret,
        webhookUrl: `http://127.0.0.1:${servicePort}${WHATSAPP_WEBHOOK_PATH}`,
        templates: DEMONSTRATION_TEMPLATES,
      },
    ],
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw portTaken({
      who: 'the simulator of WhatsApp',
      port: simulatorPort,
      setting: 'SIMULATOR_PORT to another one, or PORT, which moves all of them',
    })
  })
  const adapter = createWhatsAppAdapter()
  try {
    const listed = await adapter.listTemplates({
      baseUrl: simulator.graphBaseUrl,
      apiVersion: config.whatsApp.apiVersion,
      phoneNumberId: channel.route,
      businessAccountId: channel.providerAccount ?? '',
      accessToken: channel.credentials.accessToken,
    })
    await syncTemplates(context, { id: channel.id, companyId: channel.company.id }, listed)
  } catch (error) {
    await simulator.close()
    throw error
  } finally {
    await adapter.close()
  }
  return simulator
}

type Around = { channel: Channel; journalFile: string; servicePort: number }
