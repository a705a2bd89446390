/**
 * Starts everything that `npm start` promises: the service and, where it is on, the demonstration
 * around it (a WhatsApp simulator and a merchant's receiver on this machine).
 */
import { openSetUp } from './accounts/set-up.ts'
import { createClock } from './clock.ts'
import type { Config } from './config.ts'
import { createDemonstration } from './demonstration/create-demonstration.ts'
import { prepareDemonstrationFiles } from './demonstration/files.ts'
import { startDemonstrationSimulator } from './demonstration/start-simulator.ts'
import { startReceiver, type Receiver } from './demonstration/start-receiver.ts'
import { createService, type Ports, type Service } from './service.ts'
import type { Simulator } from './simulator/start-simulator.ts'

export type Started = {
  service: Service
  /** Where the service listens on this machine. */
  port: number
  demonstration: { hookToken: string; simulator: Simulator; receiver: Receiver } | null
  /** Lets its holder make the first account; null once that was done. */
  setupToken: string | null
  stop(): Promise<void>
}

/** @param onReceiver is given each line that the demonstration's receiver prints. */
export async function start(config: Config, onReceiver: (line: string) => void): Promise<Started> {
  const files = config.demonstration.isOn
    ? await prepareDemonstrationFiles(config.dataFolder, createClock())
    : null
  const baseUrls: Ports['providerBaseUrls'] = {
    whatsApp: config.whatsApp.baseUrl,
    whatsAppSimulator: null,
  }
  const service = await createService(
    { ...config, extraCaFile: config.extraCaFile ?? files?.certificateFile ?? null },
    { providerBaseUrls: baseUrls },
  )
  const stops: (() => Promise<void>)[] = [() => service.stop()]
  const stop = async () => {
    for (const stopOne of stops.splice(0).toReversed()) await stopOne()
  }
  try {
    const port = config.only === 'daemon' ? 0 : await service.listen()
    let demonstration: Started['demonstration'] = null
    if (files) {
      const receiver = await startReceiver(files, config.demonstration.receiverPort, onReceiver)
      const rows = await createDemonstration(
        { ...service.context, keyRing: service.keyRing },
        files,
        receiver.port,
      )
      const simulator = await startDemonstrationSimulator(service.context, config, {
        channel: rows.channel,
        journalFile: files.journalFile,
        servicePort: port,
      })
      baseUrls.whatsAppSimulator = simulator.graphBaseUrl
      // The service stops before its neighbours do, so that what is under way can end.
      stops.unshift(
        () => receiver.stop(),
        () => simulator.close(),
      )
      demonstration = { hookToken: rows.hookToken, simulator, receiver }
    }
    if (config.only !== 'http') service.startDaemon()
    const setupToken = config.only === 'daemon' ? null : await openSetUp(service.context)
    return { service, port, demonstration, setupToken, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
