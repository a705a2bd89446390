/**
 * The delivery engine alone in a separate process, for tests that kill it: it starts in a fraction of the time
 * of the whole service. The environment configures it as it does `npm start`. Prints `ready` when it delivers.
 */
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import { createCidrList } from '../../src/core/cidr.ts'
import { createClock } from '../../src/core/clock.ts'
import { readConfig } from '../../src/app/config.ts'
import { createDeliveriesWorker } from '../../src/workers/deliveries.ts'
import { startLoop } from '../../src/workers/worker-loop.ts'
import { createNodeLivenessWorker } from '../../src/workers/node-liveness.ts'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import { createCrossProcessNotify } from '../../src/infra/database/cross-process-notify.ts'
import { createIds, systemRandom } from '../../src/core/ids.ts'
import { OUTBOUND_SOCKETS } from '../../src/core/limits/outbound.ts'
import { createLog } from '../../src/infra/log.ts'
import { createMetrics } from '../../src/infra/metrics.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { createResolver } from '../../src/infra/egress/resolve.ts'
import { standBy } from './preloaded-process.ts'

await standBy()
const config = readConfig(process.env, [], import.meta.dirname)
const connection = { connectionString: config.databaseUrl! }
const db = connectDatabase({ ...connection, poolSize: config.databasePool })
const clock = createClock()
const log = createLog(pino, config.logLevel)
const egressAllow = createCidrList(config.egressAllow)
const outbound = createOutboundClient({
  resolve: createResolver(),
  isAllowedAddress: (address) => egressAllow.has(address),
  ...OUTBOUND_SOCKETS.deliveries,
  extraCa: [readFileSync(config.extraCaFile!, 'utf8')],
})
// The first connection is open before `ready` is printed, so that the process delivers without delay.
await db.pool.query('select 1')
const context = { db, clock, ids: createIds(clock, systemRandom), log }
const signal = createCrossProcessNotify(db, log)
const nodes = createNodeLivenessWorker(context, {
  presentSinceMs: signal.presentSinceMs,
  onProgress: () => loop.notify(),
})
const worker = createDeliveriesWorker(context, {
  outbound,
  keyRing: createKeyRing(config.encryptionKeys!, systemRandom),
  meter: createMetrics().deliveries,
  nodes,
  onProgress: () => loop.notify(),
})
const loop = startLoop(worker, { clock, log })
const watch = startLoop(nodes, { clock, log })
signal.listen(connection, {
  node: nodes.node,
  onWork() {
    loop.notify()
    watch.notify()
  },
})
process.on('SIGTERM', () => {
  worker.halt?.()
  void Promise.all([loop.stop(), watch.stop()])
    .then(() => worker.drain())
    .then(() => signal.close())
    .then(() => process.exit(0))
})
console.log('ready ')
