/**
 * A whole service in a separate process, for tests that kill it. The environment configures it as it does `npm
 * start`. It also reads `SIMULATOR_URL` (where WhatsApp is played), `TELEGRAM_URL`, `MESSENGER_URL`,
 * `QR_BRIDGE_URL` with `QR_BRIDGE_SECRET`, and `CLOCK_AHEAD_MS` (how far the test has moved the clock).
 * `--only=` is that of `npm start`. Prints `ready <port>` when it serves.
 */
import { readConfig } from '../../src/app/config.ts'
import { createService } from '../../src/app/create-service.ts'
import { lowerWorkerPriority } from '../../src/app/worker-priority.ts'
import { baseUrlsNowhere } from './base-urls.ts'
import { standBy } from './preloaded-process.ts'

await standBy()
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
const config = readConfig(process.env, process.argv.slice(2), import.meta.dirname)
if (config.only === 'daemon') lowerWorkerPriority()
const service = await createService(config, {
  clock: { now: () => new Date(Date.now() + aheadMs) },
  providerBaseUrls: {
    ...baseUrlsNowhere(),
    simulated: process.env.SIMULATOR_URL ? { whatsApp: process.env.SIMULATOR_URL } : {},
    telegram: process.env.TELEGRAM_URL ?? 'http://127.0.0.1:9',
    messenger: process.env.MESSENGER_URL ?? 'http://127.0.0.1:9',
    qrBridge: process.env.QR_BRIDGE_URL
      ? { url: process.env.QR_BRIDGE_URL, secret: process.env.QR_BRIDGE_SECRET ?? '' }
      : null,
  },
})
await service.warmUp()
const port = await service.listen()
if (config.only !== 'http') await service.startDaemon()
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
console.log(`ready ${port}`)
