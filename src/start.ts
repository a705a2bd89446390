/**
 * Starts everything that `npm start` promises: the service and, where it is on, the demonstration
 * around it (a WhatsApp simulator and a merchant's receiver on this machine).
 */
import { openSetUp } from './accounts/set-up.ts'
import { pino, type Logger } from 'pino'
import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import {
  createDemonstration,
  DEMONSTRATION_ACCOUNT,
  DEMONSTRATION_COMPANY,
} from '../demonstration/create-demonstration.ts'
import { inLanguage } from '../demonstration/follow-language.ts'
import { prepareDemonstrationFiles } from '../demonstration/files.ts'
import { playMessaging } from '../demonstration/play-messaging.ts'
import { playTelegram } from '../demonstration/play-telegram.ts'
import { startDemonstrationSimulator } from '../demonstration/start-simulator.ts'
import type { Example } from '../demonstration/start-example.ts'
import { startMerchantApi } from '../demonstration/start-merchant-api.ts'
import { startWebsite, type Website } from '../demonstration/start-website.ts'
import { startReceiver } from '../demonstration/start-receiver.ts'
import { isLoopbackHost } from './http/dashboard-api/own-origin.ts'
import { requireFreePort } from './http/listen.ts'
import { createLog } from './log.ts'
import type { OperatorModel } from './models/model-access.ts'
import { realBaseUrls, type ProviderBaseUrls } from './channels/registry.ts'
import { requireKeys } from './secrets/load-keys.ts'
import { createService, type Service } from './service.ts'
import {
  SCRIPTED_MODEL_NAME,
  startScriptedModel,
  type ScriptedModel,
} from '../simulators/model/start-scripted-model.ts'
import type { Simulator } from '../simulators/start-simulator.ts'
import { createSimulatedVoice } from '../simulators/voice/provider.ts'
import { createSimulatedQr } from '../simulators/whatsapp-qr/provider.ts'

export type Started = {
  service: Service
  /** Where the service listens on this machine. */
  port: number
  demonstration: {
    hookToken: string
    /** Of the flow that asks the shop's API. */
    statusHookToken: string
    /** Null once a member has taken it away. */
    bookingSlug: string | null
    simulator: Simulator
    receiver: Example
    merchantApi: Example
    /** The shop's website, with its chat and its form. */
    website: Website
    /** Signs a browser of this machine in as the demonstration's Owner; null where others could reach it. */
    linkToken: string | null
  } | null
  /** Lets its holder make the first account; null once that was done. */
  setupToken: string | null
  stop(): Promise<void>
}

/**
 * @param onReceiver is given each line that the demonstration's receiver prints.
 * @param onMerchantApi the same of the shop's API, which listens on the port after the receiver's.
 * @param log where the service logs to; standard output unless told.
 */
export async function start(
  config: Config,
  onReceiver: (line: string) => void,
  onMerchantApi: (line: string) => void = () => {},
  log: Logger = createLog(pino, config.logLevel),
): Promise<Started> {
  // A process that only works listens for who watches it, or not at all.
  const isSilent = config.only === 'daemon' && config.metricsToken === null
  // Whatever stands in the way of a start is told before the database is changed.
  requireKeys(config)
  if (!isSilent) await requireFreePort(config.port, config.host)
  const files = config.demonstration.isOn
    ? await prepareDemonstrationFiles(config.dataFolder, createClock())
    : null
  const baseUrls = realBaseUrls(config)
  const { service, scripted } = await openService(config, files, { baseUrls, log })
  const stops: (() => Promise<void>)[] = [() => service.stop()]
  if (scripted) stops.unshift(() => scripted.close())
  const stop = async () => {
    for (const stopOne of stops.splice(0).toReversed()) await stopOne()
  }
  try {
    const port = isSilent ? 0 : await service.listen()
    let demonstration: Started['demonstration'] = null
    if (files) {
      const { receiverPort } = config.demonstration
      const receiver = await startReceiver(files, receiverPort, onReceiver)
      // The service stops before its neighbours do, so that what is under way can end.
      stops.unshift(() => receiver.stop())
      const apiPort = receiverPort === 0 ? 0 : receiverPort + 1
      const merchantApi = await startMerchantApi(files, apiPort, onMerchantApi)
      stops.unshift(() => merchantApi.stop())
      const rows = await createDemonstration(
        { ...service.context, keyRing: service.keyRing },
        files,
        { receiver: receiver.port, merchantApi: merchantApi.port },
      )
      const qr = createSimulatedQr(service.context)
      const { journalFile } = files
      const messaging = await playMessaging(
        { ...service.context, keyRing: service.keyRing },
        { journalFile, servicePort: port },
      )
      const telegram = await playTelegram(
        { ...service.context, keyRing: service.keyRing },
        { journalFile },
      )
      const simulator = await startDemonstrationSimulator(service.context, config, {
        providers: [telegram, ...messaging, qr, createSimulatedVoice(service.context)],
        channel: rows.channel,
        earlier: rows.earlier,
        journalFile,
        servicePort: port,
      })
      baseUrls.whatsAppSimulator = simulator.graphBaseUrl
      for (const played of messaging) baseUrls[`${played.product}Simulator`] = played.baseUrl()
      baseUrls.telegramSimulator = telegram.baseUrl()
      baseUrls.qrBridgeSimulator = { url: qr.url(), secret: qr.secret }
      stops.unshift(() => simulator.close())
      const website = await startWebsite(
        {
          ...service.context,
          keyRing: service.keyRing,
          publicUrl: config.baseUrl.replace(/:0$/, `:${port}`),
        },
        { companyId: DEMONSTRATION_COMPANY, port: websitePort(receiverPort) },
      )
      stops.unshift(() => website.close())
      const { hookToken, statusHookToken, bookingSlug } = rows
      const linkToken = isOnlyHere(config)
        ? await service.demonstrationLink.open(DEMONSTRATION_ACCOUNT, inLanguage(service.context))
        : null
      demonstration = {
        hookToken,
        statusHookToken,
        bookingSlug,
        simulator,
        receiver,
        merchantApi,
        website,
        linkToken,
      }
    }
    if (!service.demonstrationLink.isOpen()) await service.demonstrationLink.close()
    if (config.only !== 'http') service.startDaemon()
    const setupToken = config.only === 'daemon' ? null : await openSetUp(service.context)
    return { service, port, demonstration, setupToken, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The service, and beside it a script in place of a language model, where the operator names none. */
async function openService(
  config: Config,
  files: { certificateFile: string } | null,
  { baseUrls, log }: { baseUrls: ProviderBaseUrls; log: Logger },
): Promise<{ service: Service; scripted: ScriptedModel | null }> {
  // The operator's own model answers in the demonstration too.
  const scripted = files && config.models.model === null ? await startScriptedModel() : null
  try {
    const service = await createService(
      { ...config, extraCaFile: config.extraCaFile ?? files?.certificateFile ?? null },
      {
        providerBaseUrls: baseUrls,
        log,
        ...(scripted && { operatorModel: () => asModel(scripted) }),
      },
    )
    return { service, scripted }
  } catch (error) {
    await scripted?.close()
    throw error
  }
}

const asModel = ({ baseUrl }: ScriptedModel): OperatorModel => ({
  kind: 'openai_compatible',
  modelName: SCRIPTED_MODEL_NAME,
  baseUrl,
  key: null,
  transcriptionModel: SCRIPTED_MODEL_NAME,
  isScripted: true,
})

/** The one after the shop's API, where there is one. */
function websitePort(receiverPort: number): number {
  return receiverPort === 0 || receiverPort + 2 > 65_535 ? 0 : receiverPort + 2
}

/** Whether nobody but this machine reaches the service, by where it listens and by its address. */
function isOnlyHere({ host, baseUrl }: Config): boolean {
  const listensAt = host.includes(':') ? `[${host}]` : host
  return isLoopbackHost(listensAt) && isLoopbackHost(new URL(baseUrl).hostname)
}
