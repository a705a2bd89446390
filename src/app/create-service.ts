/**
 * The wired service: `wiring/` is the only place that knows every module. Tests embed it with other ports, such as
 * the clock and the resolver.
 */
import { startClockSync } from '../core/clock.ts'
import type { Config } from './config.ts'
import { createProcessAll, runUntilIdle } from '../workers/process-all.ts'
import { createSweepWorker } from '../workers/sweep.ts'
import type { Ports, Service } from './service-types.ts'
import { createDaemon } from './wiring/create-daemon.ts'
import { createRoutes } from './wiring/create-routes.ts'
import { createWorkers } from './wiring/create-workers.ts'
import { openBase } from './wiring/open-base.ts'
import { createNode, createWaking } from './wiring/waking.ts'
import { warmUp } from './wiring/warm-up.ts'

export type { Ports, Service } from './service-types.ts'

/** Opens the database, creates routes and workers, and returns the service, which neither listens nor works yet. */
export async function createService(config: Config, ports: Partial<Ports> = {}): Promise<Service> {
  const base = await openBase(config, ports)
  const { context, keyRing, models, outbound, adapters, opened } = base
  const waking = createWaking()
  const node = createNode(context, waking)
  const workers = createWorkers(base, waking, node)
  const daemon = createDaemon(base, waking, node, workers)
  let isStarting = false
  const routes = createRoutes(base, ports, { ...workers, isStarting: () => isStarting })
  const processAll = createProcessAll(context, {
    workers: [...workers.pausable, ...workers.alwaysOn].filter(({ name }) => name !== 'sweep'),
    woken: waking.woken,
  })
  const leaveTime = startClockSync(base.clock, base.setClock)
  let isStopping = false
  return {
    context,
    keyRing,
    demonstrationLink: routes.demonstrationLink,
    models,
    warmUp: () => warmUp(context, base.requestContext),
    async listen() {
      const port = await routes.listen()
      base.listensOn(port)
      return port
    },
    async startDaemon() {
      isStarting = true
      await daemon.start()
      isStarting = false
    },
    prepareDashboard: () => routes.dashboard.prepare(),
    processAll,
    sweep: () => runUntilIdle([createSweepWorker(context)]),
    async stop() {
      if (isStopping) return
      isStopping = true
      daemon.halt()
      leaveTime()
      await routes.close()
      await daemon.stop()
      outbound.deliveries.close()
      outbound.calls.close()
      await models.close()
      base.metrics.stop()
      await base.knownChannels.close()
      for (const adapter of Object.values(adapters)) await adapter?.close()
      await base.files.close()
      await opened.close()
    },
  }
}
