/**
 * The operator's commands, with or without a running service: `npm run operator -- COMMAND`. Without a command it
 * lists them; docs/guides/operating.md explains each.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './operator/run-command.ts'

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

// A reader that ends early, such as `head`, must not end a backup or a restore half-way.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const outcome = await runCommand(process.argv.slice(2), {
  env: process.env,
  projectFolder,
  folder: process.env.INIT_CWD ?? '.',
  input: process.stdin,
  print: console.log,
  complain: console.error,
})
// An explicit exit, because a check that timed out may still wait for a response.
process.exit(outcome === 'done' ? 0 : 1)
