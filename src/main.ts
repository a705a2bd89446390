/** The command: reads the configuration, starts, tells what runs, and stops gracefully. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { printBanner } from './banner.ts'
import { readConfig } from './config.ts'
import { start } from './start.ts'

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

try {
  const config = readConfig(process.env, process.argv.slice(2), projectFolder)
  const started = await start(
    config,
    (line) => console.log(`[receiver] ${line}`),
    (line) => console.log(`[shop's API] ${line}`),
  )
  printBanner(config, started)
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal does not wait.
      if (isStopping) process.exit(1)
      isStopping = true
      console.log('Stopping: what is under way ends first.')
      started.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
