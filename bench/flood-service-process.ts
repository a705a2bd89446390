/**
 * The service as `flood.ts` measures it: HTTP with every check on, without the daemon. On a line of its
 * input it prints how late its event loop was at worst since the line before, in milliseconds, and its
 * memory.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { readConfig } from '../src/config.ts'
import { createService } from '../src/service.ts'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
let peakBytes = 0
const watch = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, 50)

const service = await createService(readConfig(process.env, [], import.meta.dirname))
console.log(`ready ${await service.listen()}`)
delay.enable()

createInterface({ input: process.stdin }).on('line', () => {
  // The timer that measures is itself due every 5 ms.
  const worst = delay.max / 1e6 - RESOLUTION_MS
  const p99 = delay.percentile(99) / 1e6 - RESOLUTION_MS
  console.log(
    JSON.stringify({ worstMs: Math.max(worst, 0), p99Ms: p99, peakMb: peakBytes / 1_048_576 }),
  )
  delay.reset()
  peakBytes = 0
})
process.on('SIGTERM', () => {
  clearInterval(watch)
  void service.stop().then(() => process.exit(0))
})
