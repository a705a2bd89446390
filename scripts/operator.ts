/**
 * What only the operator of the service may do, beside the running service or without it:
 * `npm run operator -- COMMAND`. Without a command it lists them; docs/guides/operating.md tells what
 * each does.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './operator/run-command.ts'

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

const outcome = await runCommand(process.argv.slice(2), {
  env: process.env,
  projectFolder,
  folder: process.env.INIT_CWD ?? '.',
  input: process.stdin,
  print: console.log,
  complain: console.error,
})
// At once: a check that was given up on may still wait for an answer.
process.exit(outcome === 'done' ? 0 : 1)
