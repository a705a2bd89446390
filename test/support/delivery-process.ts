/**
 * The delivery engine alone as a process of its own, to be killed by a test: it starts in a fraction of
 * the time of the whole service. The configuration comes by the environment as for `npm start`. Prints
 * `ready` when it delivers.
 */
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { createCidrList } from '../../src/cidr.ts'
import { createClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createDeliverDuty } from '../../src/daemon/deliver.ts'
import { startLoop } from '../../src/daemon/loop.ts'
import { createWatchNodesDuty } from '../../src/daemon/watch-nodes.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { createWorkSignal } from '../../src/database/work-signal.ts'
import { createIds, systemRandom } from '../../src/ids.ts'
import { OUTBOUND_SOCKETS } from '../../src/limits/outbound.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { createOutboundClient } from '../../src/outbound/outbound-client.ts'
import { createResolver } from '../../src/outbound/resolve.ts'
import { standBy } from './stand-by.ts'

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
// Connected: from here on it takes part at once.
await db.pool.query('select 1')
const context = { db, clock, ids: createIds(clock, systemRandom), log }
const signal = createWorkSignal(db.pool, log)
const nodes = createWatchNodesDuty(context, {
  presentSinceMs: signal.presentSinceMs,
  onProgress: () => loop.wake(),
})
const duty = createDeliverDuty(context, {
  outbound,
  keyRing: createKeyRing(config.encryptionKeys!, systemRandom),
  meter: createMetrics().deliveries,
  nodes,
  onProgress: () => loop.wake(),
})
const loop = startLoop(duty, { clock, log })
const watch = startLoop(nodes, { clock, log })
signal.hear(connection, {
  node: nodes.node,
  onWork() {
    loop.wake()
    watch.wake()
  },
})
process.on('SIGTERM', () => {
  duty.halt?.()
  void Promise.all([loop.stop(), watch.stop()])
    .then(() => duty.drain())
    .then(() => signal.close())
    .then(() => process.exit(0))
})
console.log('ready ')
