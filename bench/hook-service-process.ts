/**
 * The service as `hooks.ts` measures it: HTTP with every check on, without the daemon, so that what is
 * accepted stays written and nothing else is at work. `BATCH=1` answers one request a transaction.
 */
import { readConfig } from '../src/app/config.ts'
import { HOOK_BATCHER } from '../src/modules/hooks/hook-batcher.ts'
import { createService } from '../src/app/create-service.ts'

const service = await createService(
  readConfig(process.env, [], import.meta.dirname),
  process.env.BATCH === '1'
    ? { hookDesk: { ...HOOK_BATCHER, mostInABatch: 1, batchesAtOnce: 14 } }
    : {},
)
console.log(`ready ${await service.listen()}`)
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
