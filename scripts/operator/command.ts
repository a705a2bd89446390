/** The operator's commands and their environment. */
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { createClock } from '../../src/core/clock.ts'
import type { Config } from '../../src/app/config.ts'
import type { Context } from '../../src/infra/context.ts'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import { createIds, systemRandom } from '../../src/core/ids.ts'
import { readUuid } from '../../src/rules/text/uuid.ts'

/** The environment of a command. */
export type Setting = {
  config: Config
  log: Logger
  projectFolder: string
  /** The folder to which relative file names in arguments refer. */
  folder: string
  /** Standard input. */
  input: Readable & { isTTY?: boolean }
  print(line: string): void
}

/** The result of a command that has not thrown. */
export type Outcome = 'done' | 'failed'

/** A command of the operator. */
export type Command = {
  /** The command with the names of its arguments. */
  usage: string
  /**
   * Runs the command with its arguments.
   * @throws an Error with a message for the operator; the process then ends with 1
   */
  run(words: string[], setting: Setting): Promise<Outcome | void>
}

/** Creates a command on the migrated database that works with and without a running service. */
export function onDatabase(
  usage: string,
  run: (context: Context, words: string[], setting: Setting) => Promise<Outcome | void>,
): Command {
  return {
    usage,
    async run(words, setting) {
      const { config, log } = setting
      const opened = await openDatabaseForCommand(config, log)
      try {
        const clock = createClock()
        const ids = createIds(clock, systemRandom, config.cell)
        return await run({ db: opened.database, clock, ids, log }, words, setting)
      } finally {
        await opened.close()
      }
    },
  }
}

/** Checks that a text has the form of an account id. @throws when it has not */
export function requireAccountId(text: string): void {
  if (readUuid(text) === null) throw new Error(`"${text}" is not an account id.`)
}
