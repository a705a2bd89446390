/**
 * What only the operator of the service may do, beside the running service or without it:
 * `npm run operator -- COMMAND`. Without a command it lists them; docs/guides/operating.md tells what
 * each does.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { createLog } from '../src/log.ts'
import { listAccounts, setPlan, setTemplatesPerDay } from './operator/accounts.ts'
import { backup } from './operator/backup.ts'
import type { Command } from './operator/command.ts'
import { createOwner } from './operator/create-owner.ts'
import { doctor } from './operator/doctor.ts'
import { pauseHooks, resumeHooks } from './operator/hooks.ts'
import { reencryptSecrets } from './operator/reencrypt-secrets.ts'
import { resetPassword } from './operator/reset-password.ts'
import { restore } from './operator/restore.ts'
import { resume } from './operator/resume.ts'
import { status } from './operator/status.ts'

const COMMANDS = new Map<string, Command>(
  [
    status,
    doctor,
    backup,
    restore,
    resume,
    createOwner,
    listAccounts,
    setPlan,
    setTemplatesPerDay,
    pauseHooks,
    resumeHooks,
    resetPassword,
    reencryptSecrets,
  ].map((command) => [command.usage.split(' ', 1)[0]!, command]),
)

const projectFolder = path.join(import.meta.dirname, '..')
const envFile = path.join(projectFolder, '.env')
if (existsSync(envFile)) process.loadEnvFile(envFile)

const [name = '', ...words] = process.argv.slice(2)
const command = COMMANDS.get(name)
if (!command) {
  const usages = [...COMMANDS.values()].map(({ usage }) => `  ${usage}`)
  console.error(['Commands:', ...usages].join('\n'))
  process.exit(1)
}
try {
  const config = readConfig(process.env, [], projectFolder)
  await command.run(words, { config, log: createLog(pino, 'warn'), projectFolder })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
