/** The service as `deliveries.ts` measures it: the daemon alone, with every duty. */
import { readConfig } from '../src/config.ts'
import { createService } from '../src/service.ts'

const service = await createService(readConfig(process.env, [], import.meta.dirname))
process.send!('ready')
process.once('message', () => service.startDaemon())
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
process.on('disconnect', () => process.exit(0))
