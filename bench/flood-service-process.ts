/**
 * The service of `flood.ts`: HTTP with every check on, without the daemon. On each line of its input it prints
 * figures since the line before. They are the largest delay of its event loop, the largest CPU time between two
 * timers, the shares of a processor that its thread and its process used, and its memory.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { readConfig } from '../src/app/config.ts'
import { createService } from '../src/app/create-service.ts'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
const thread = process as unknown as { threadCpuUsage(): { user: number; system: number } }
const cpuMs = () => {
  const { user, system } = thread.threadCpuUsage()
  return (user + system) / 1_000
}

let peakBytes = 0
let busiestMs = 0
let cpuBefore = cpuMs()
let looks = 0
let cpuSince = cpuBefore
let processSince = process.cpuUsage()
let lineAt = performance.now()
const watch = setInterval(() => {
  const cpu = cpuMs()
  busiestMs = Math.max(busiestMs, cpu - cpuBefore)
  cpuBefore = cpu
  looks += 1
  if (looks % 10 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, RESOLUTION_MS)

const service = await createService(readConfig(process.env, [], import.meta.dirname))
console.log(`ready ${await service.listen()}`)
delay.enable()

createInterface({ input: process.stdin }).on('line', () => {
  // The timer that measures is itself due every 5 ms.
  const worstMs = Math.max(delay.max / 1e6 - RESOLUTION_MS, 0)
  const tookMs = performance.now() - lineAt
  const share = (cpuMs() - cpuSince) / tookMs
  const { user, system } = process.cpuUsage(processSince)
  const processShare = (user + system) / 1_000 / tookMs
  const peakMb = peakBytes / 1_048_576
  console.log(JSON.stringify({ worstMs, busiestMs, share, processShare, peakMb }))
  cpuSince = cpuMs()
  processSince = process.cpuUsage()
  lineAt = performance.now()
  delay.reset()
  peakBytes = 0
  busiestMs = 0
})
process.on('SIGTERM', () => {
  clearInterval(watch)
  void service.stop().then(() => process.exit(0))
})
