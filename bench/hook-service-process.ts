/**
 * The service of `hooks.ts`: HTTP with every check on. The daemon is off, so that accepted work stays in its tables
 * and nothing else runs. `BATCH=1` limits a transaction to one request.
 */
import { readConfig } from '../src/app/config.ts'
import { HOOK_BATCHER } from '../src/modules/hooks/hook-batcher.ts'
import { createService } from '../src/app/create-service.ts'

const service = await createService(
  readConfig(process.env, [], import.meta.dirname),
  process.env.BATCH === '1'
    ? { hookBatcher: { ...HOOK_BATCHER, maxBatchSize: 1, maxConcurrentBatches: 14 } }
    : {},
)
console.log(`ready ${await service.listen()}`)
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
