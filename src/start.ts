/** The start of everything that `npm start` promises: the service and, if it is on, the demonstration. */
import { pino, type Logger } from 'pino'
import type { Demonstration, PreparedDemonstration } from '../demonstration/index.ts'
import { openSetUp } from './modules/accounts/set-up.ts'
import { realBaseUrls, type ProviderBaseUrls } from './modules/channels/base-urls.ts'
import type { Config } from './app/config.ts'
import { requireFreePort } from './http/listen.ts'
import { createLog } from './infra/log.ts'
import { requireKeys } from './infra/secrets/load-keys.ts'
import { createService, type Service } from './app/create-service.ts'
import { lowerWorkerPriority } from './app/worker-priority.ts'

/** A started service. */
export type Started = {
  service: Service
  /** Port on which the service listens. */
  port: number
  /** Null when the demonstration is off. */
  demonstration: Demonstration | null
  /** The token that lets its holder create the first account; null once there is an account. */
  setupToken: string | null
  stop(): Promise<void>
}

/**
 * Starts the service, with the demonstration if it is on.
 * @param onReceiver receives each line that the demonstration's receiver prints.
 * @param onMerchantApi receives the lines of the shop's API, which listens on the port after the receiver's.
 * @param log the service's log; standard output by default.
 */
export async function start(
  config: Config,
  onReceiver: (line: string) => void,
  onMerchantApi: (line: string) => void = () => {},
  log: Logger = createLog(pino, config.logLevel),
): Promise<Started> {
  // A process with workers alone listens only if it serves `/metrics`.
  const isSilent = config.only === 'daemon' && config.metricsToken === null
  // Errors that prevent a start are reported before the database is changed.
  requireKeys(config)
  if (!isSilent) await requireFreePort(config.port, config.host)
  const prepared = config.demonstration.isOn ? await prepareDemonstration(config) : null
  const baseUrls = realBaseUrls(config)
  let service: Service | null = null
  async function stop() {
    // The service stops before the demonstration, so that its work in progress can end.
    await service?.stop()
    await prepared?.stop()
  }
  try {
    service = await openService(config, prepared, { baseUrls, log })
    await service.warmUp()
    const port = isSilent ? 0 : await service.listen()
    const around = { port, baseUrls, onReceiver, onMerchantApi }
    const demonstration = (await prepared?.start(service, around)) ?? null
    // After the database was opened: an embedded one that this process starts keeps its priority.
    if (config.only === 'daemon') lowerWorkerPriority()
    const working = config.only === 'http' ? Promise.resolve() : service.startDaemon()
    if (!service.demonstrationLink.isOpen()) await service.demonstrationLink.close()
    await working
    const setupToken =
      config.only === 'daemon' ? null : await openSetUp(service.context, service.keyRing)
    return { service, port, demonstration, setupToken, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Loads the demonstration, which no other start needs. */
async function prepareDemonstration(config: Config): Promise<PreparedDemonstration> {
  const demonstration = await import('../demonstration/index.ts')
  return demonstration.prepareDemonstration(config)
}

function openService(
  config: Config,
  prepared: PreparedDemonstration | null,
  { baseUrls, log }: { baseUrls: ProviderBaseUrls; log: Logger },
): Promise<Service> {
  const extraCaFile = config.extraCaFile ?? prepared?.certificateFile ?? null
  const model = prepared?.scriptedModel
  return createService(
    { ...config, extraCaFile },
    { providerBaseUrls: baseUrls, log, ...(model && { operatorModel: () => model }) },
  )
}
