/**
 * The demonstration: a company with a shop around it, which shows every channel to newcomers. It writes the company's
 * rows, simulates the providers, and starts the shop's receiver, API and website.
 */
import type { ProviderBaseUrls } from '../src/modules/channels/base-urls.ts'
import { createClock } from '../src/core/clock.ts'
import type { Config } from '../src/app/config.ts'
import { isLoopbackHost } from '../src/http/dashboard-api/own-origin.ts'
import type { OperatorModel } from '../src/modules/models/model-access.ts'
import type { Service } from '../src/app/service-types.ts'
import {
  SCRIPTED_MODEL_NAME,
  startScriptedModel,
  type ScriptedModel,
  type Simulators,
} from '../simulators/index.ts'
import {
  createDemonstration,
  DEMONSTRATION_ACCOUNT,
  DEMONSTRATION_COMPANY,
} from './create-demonstration.ts'
import { prepareDemonstrationFiles, type DemonstrationFiles } from './files.ts'
import { inLanguage } from './follow-language.ts'
import { playProviders } from './play-providers.ts'
import type { Example } from './start-example.ts'
import { startMerchantApi } from './start-merchant-api.ts'
import { startReceiver } from './start-receiver.ts'
import { startWebsite, type Website } from './start-website.ts'

/** The running demonstration. */
export type Demonstration = {
  hookToken: string
  /** The token of the flow that calls the shop's API. */
  statusHookToken: string
  /** The slug is null once a member has deleted it. */
  bookingSlug: string | null
  simulators: Simulators
  receiver: Example
  merchantApi: Example
  /** The shop's website, with its chat and its form. */
  website: Website
  /** The token that signs a browser of this machine in as the demonstration's Owner; null if others could reach the service. */
  linkToken: string | null
}

/** The options for opening the service, and the function that starts the rest once it listens. */
export type PreparedDemonstration = {
  /** The certificate of the shop's servers, which the service has to trust. */
  certificateFile: string
  /** A script in place of a language model; null if the operator has set a model, which then answers here too. */
  scriptedModel: OperatorModel | null
  /** Creates the rows and starts the simulators and the shop, once the service listens. */
  start(service: Service, around: Around): Promise<Demonstration>
  /** Stops everything that was started, in the order of the start. */
  stop(): Promise<void>
}

type Around = {
  /** The port of the service on this machine. */
  port: number
  /** Gets the base URLs of the simulated providers. */
  baseUrls: ProviderBaseUrls
  /** Functions that receive each line that the shop's programs print. */
  onReceiver(line: string): void
  onMerchantApi(line: string): void
}

/** Returns the options that a service needs from its start: the shop's certificate, and a model if there is none. */
export async function prepareDemonstration(config: Config): Promise<PreparedDemonstration> {
  const files = await prepareDemonstrationFiles(config.dataFolder, createClock())
  const scripted = config.models.model === null ? await startScriptedModel() : null
  const stops: (() => Promise<void>)[] = scripted ? [() => scripted.close()] : []
  return {
    certificateFile: files.certificateFile,
    scriptedModel: scripted && asModel(scripted),
    start: (service, around) =>
      startAround(service, around, { config, files, onStarted: (stop) => void stops.push(stop) }),
    async stop() {
      for (const stop of stops.splice(0)) await stop()
    },
  }
}

type Prepared = {
  config: Config
  files: DemonstrationFiles
  /** Receives the stop function of each program as soon as it runs. */
  onStarted(stop: () => Promise<void>): void
}

async function startAround(
  service: Service,
  { port, baseUrls, onReceiver, onMerchantApi }: Around,
  { config, files, onStarted }: Prepared,
): Promise<Demonstration> {
  const context = { ...service.context, keyRing: service.keyRing }
  const { receiverPort } = config.demonstration
  const receiver = await startReceiver(files, receiverPort, onReceiver)
  onStarted(() => receiver.stop())
  const apiPort = receiverPort === 0 ? 0 : receiverPort + 1
  const merchantApi = await startMerchantApi(files, apiPort, onMerchantApi)
  onStarted(() => merchantApi.stop())
  const { channel, earlier, ...rows } = await createDemonstration(context, files, {
    receiver: receiver.port,
    merchantApi: merchantApi.port,
  })
  const { journalFile } = files
  const simulators = await playProviders(context, config, {
    channel,
    earlier,
    journalFile,
    servicePort: port,
    baseUrls,
  })
  onStarted(() => simulators.close())
  const publicUrl = config.baseUrl.replace(/:0$/, `:${port}`)
  const website = await startWebsite(
    { ...context, publicUrl },
    { companyId: DEMONSTRATION_COMPANY, port: websitePort(receiverPort) },
  )
  onStarted(() => website.close())
  const linkToken = isOnlyHere(config)
    ? await service.demonstrationLink.open(DEMONSTRATION_ACCOUNT, inLanguage(context))
    : null
  return { ...rows, simulators, receiver, merchantApi, website, linkToken }
}

const asModel = ({ baseUrl }: ScriptedModel): OperatorModel => ({
  kind: 'openai_compatible',
  modelName: SCRIPTED_MODEL_NAME,
  baseUrl,
  key: null,
  transcriptionModel: SCRIPTED_MODEL_NAME,
  isScripted: true,
})

/** Returns the port after the shop's API, or 0 if there is none. */
function websitePort(receiverPort: number): number {
  return receiverPort === 0 || receiverPort + 2 > 65_535 ? 0 : receiverPort + 2
}

/** Returns true if only this machine reaches the service, judged by its host and its base URL. */
function isOnlyHere({ host, baseUrl }: Config): boolean {
  const listensAt = host.includes(':') ? `[${host}]` : host
  return isLoopbackHost(listensAt) && isLoopbackHost(new URL(baseUrl).hostname)
}
