import { pino } from 'pino'
import { readConfig } from '../../src/app/config.ts'
import { createLog } from '../../src/infra/log.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'
import { listAccounts, setPlan, setTemplatesPerDay } from './accounts.ts'
import { backup } from './backup.ts'
import type { Command, Outcome, Setting } from './command.ts'
import { createOwner } from './create-owner.ts'
import { deleteMoved } from './delete-moved.ts'
import { doctor } from './doctor.ts'
import { holdSending } from './hold-sending.ts'
import { exportAccount, importAccount, releaseAccount } from './move-account.ts'
import { pauseHooks, resumeHooks } from './hooks.ts'
import { reencryptSecrets } from './reencrypt-secrets.ts'
import { removeSecondFactor } from './remove-second-factor.ts'
import { resetPassword } from './reset-password.ts'
import { restore } from './restore.ts'
import { resume } from './resume.ts'
import { status } from './status.ts'

const COMMANDS = new Map<string, Command>(
  [
    status,
    doctor,
    backup,
    restore,
    holdSending,
    resume,
    createOwner,
    exportAccount,
    importAccount,
    releaseAccount,
    deleteMoved,
    listAccounts,
    setPlan,
    setTemplatesPerDay,
    pauseHooks,
    resumeHooks,
    resetPassword,
    removeSecondFactor,
    reencryptSecrets,
  ].map((command) => [command.usage.split(' ', 1)[0]!, command]),
)

/** The environment and streams of a command's process. A test passes its own. */
export type CommandProcess = Omit<Setting, 'config' | 'log'> & {
  env: NodeJS.ProcessEnv
  /** Prints an error message for the operator. */
  complain(line: string): void
}

/** Runs the operator's command with its arguments. Prints errors and returns `failed` for them; it never throws. */
export async function runCommand(
  [name = '', ...words]: string[],
  { env, complain, ...around }: CommandProcess,
): Promise<Outcome> {
  const command = COMMANDS.get(name)
  if (!command) {
    const usages = [...COMMANDS.values()].map(({ usage }) => `  ${usage}`)
    complain(['Commands:', ...usages].join('\n'))
    return 'failed'
  }
  try {
    const config = readConfig(env, [], around.projectFolder)
    const log = createLog(pino, 'warn', { write: (line) => around.print(line.trimEnd()) })
    return (await command.run(words, { ...around, config, log })) ?? 'done'
  } catch (error) {
    complain(messageOf(error))
    return 'failed'
  }
}

/** Returns the message of an error, in English. The reason of a ServiceError is a fact, which is formatted. */
function messageOf(error: unknown): string {
  if (error instanceof ServiceError) return formatFact(error.reason, 'en')
  return error instanceof Error ? error.message : String(error)
}
