/**
 * The delivery engine alone as a process of its own, to be killed by a test: it starts in a fraction of
 * the time of the whole service. The configuration comes by the environment as for `npm start`. Prints
 * `ready` when it delivers.
 */
import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { createKeyRing } from '../../src/accounts/key-ring.ts'
import { createCidrList } from '../../src/cidr.ts'
import { createClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createDeliverDuty } from '../../src/daemon/deliver.ts'
import { startLoop } from '../../src/daemon/loop.ts'
import { connectDatabase } from '../../src/database/connect.ts'
import { createWorkSignal } from '../../src/database/work-signal.ts'
import { createIds, systemRandom } from '../../src/ids.ts'
import { DELIVERY_ENGINE } from '../../src/limits.ts'
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
  maxSocketsPerHost: DELIVERY_ENGINE.inFlightPerCompany,
  extraCa: [readFileSync(config.extraCaFile!, 'utf8')],
})
// Connected: from here on it takes part at once.
await db.pool.query('select 1')
const duty = createDeliverDuty(
  { db, clock, ids: createIds(clock, systemRandom), log },
  {
    outbound,
    keyRing: createKeyRing(config.encryptionKeys!, systemRandom),
    meter: createMetrics().deliveries,
    onProgress: () => loop.wake(),
  },
)
const loop = startLoop(duty, { clock, log })
const signal = createWorkSignal(db.pool, log)
signal.hear(connection, () => loop.wake())
console.log('ready ')

process.on('SIGTERM', () => {
  duty.halt?.()
  void signal
    .close()
    .then(() => loop.stop())
    .then(() => duty.drain())
    .then(() => process.exit(0))
})
