/** The command: reads the configuration, starts the service, prints what runs, and stops gracefully. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { pino } from 'pino'
import { writeBanner } from './banner.ts'
import { readConfig } from './app/config.ts'
import { createLog, bufferLines, writeToOutput } from './infra/log.ts'
import { findUnknownSettings } from './app/settings.ts'
import { start } from './start.ts'
import { stopOnSignals } from './app/stop-signals.ts'

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) {
  const names = Object.keys(parseEnv(readFileSync(envFile, 'utf8')))
  for (const warning of findUnknownSettings(names)) console.error(warning)
  process.loadEnvFile(envFile)
}

try {
  const config = readConfig(process.env, process.argv.slice(2), projectFolder)
  const bufferedLog = bufferLines(writeToOutput)
  if (!config.demonstration.isOn) bufferedLog.flush()
  // Runs also after a failed start, whose log may explain the failure.
  process.once('exit', () => bufferedLog.flush())
  const starting = start(
    config,
    (line) => console.log(`[receiver] ${line}`),
    (line) => console.log(`[shop's API] ${line}`),
    createLog(pino, config.logLevel, bufferedLog),
  )
  // Registered before the start ends, so that started parts end in order.
  stopOnSignals(async () => {
    console.log('Stopping: work in progress finishes first.')
    await (await starting).stop()
  })
  const started = await starting
  console.log(writeBanner(config, started))
  bufferedLog.flush()
  // This comes last, and is not awaited, so that it delays no other work of the start.
  if (config.only !== 'daemon') void started.service.prepareDashboard()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
