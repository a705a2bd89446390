/** The operator's commands and their environment. */
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { createClock } from '../../src/core/clock.ts'
import type { Config } from '../../src/app/config.ts'
import type { Context } from '../../src/infra/context.ts'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import { createIds, systemRandom } from '../../src/core/ids.ts'
import { readUuid } from '../../src/rules/text/uuid.ts'

export type Setting = {
  config: Config
  log: Logger
  projectFolder: string
  /** The folder from which names of files are read. */
  folder: string
  input: Readable & { isTTY?: boolean }
  print(line: string): void
}

/** The result of a command that has not thrown. */
export type Outcome = 'done' | 'failed'

export type Command = {
  /** The command with its arguments, as they are typed. */
  usage: string
  /** @throws an Error in words for the operator; the process then ends with 1 */
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

/** Checks that a text is an account id. @throws when the text is not in the form of an id */
export function requireAccountId(text: string): void {
  if (readUuid(text) === null) throw new Error(`"${text}" is not an account id.`)
}
