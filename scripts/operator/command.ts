/** What a command of the operator is, and what it works with. */
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

/** What a command tells whoever waits for its end, where it has not thrown. */
export type Outcome = 'done' | 'failed'

export type Command = {
  /** Its name and words, as they are typed. */
  usage: string
  /** @throws an Error in words for the operator; the process then ends with 1 */
  run(words: string[], setting: Setting): Promise<Outcome | void>
}

/** A command on the database, migrated, whether the service runs beside it or not. */
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
        const ids = createIds(clock, systemRandom)
        return await run({ db: opened.database, clock, ids, log }, words, setting)
      } finally {
        await opened.close()
      }
    },
  }
}

/** @throws when the text is not in the form of an id */
export function requireAccountId(text: string): void {
  if (readUuid(text) === null) throw new Error(`"${text}" is not an account id.`)
}
