/** Deletes the rows and files of an account that has moved away (docs/guides/operating.md, Moving an account). */
import { createClock } from '../../src/core/clock.ts'
import type { AccountHold } from '../../src/core/vocabulary/accounts.ts'
import type { Database } from '../../src/infra/database/connect.ts'
import { openLongSession } from '../../src/infra/database/long-session.ts'
import { MIGRATION_LOCK } from '../../src/infra/database/migrate.ts'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import { openFileStore } from '../../src/modules/files/open-store.ts'
import { countActive } from '../../src/workers/park-account.ts'
import { createProgress } from './backup/progress.ts'
import { requireAccountId, type Command, type Setting } from './command.ts'
import { deleteFiles, deleteRows } from './move/delete-rows.ts'

const USAGE = 'delete-moved ACCOUNT_ID [--delete-files|--keep-files]'

/** The command that deletes an account that has moved away. */
export const deleteMoved: Command = { usage: USAGE, run }

async function run(words: string[], setting: Setting): Promise<void> {
  const { config, log, print } = setting
  const [accountId = '', flag = null, ...more] = words
  const isKnown = flag === null || flag === '--delete-files' || flag === '--keep-files'
  if (!isKnown || more.length > 0) throw new Error(`Usage: ${USAGE}`)
  requireAccountId(accountId)
  if (flag === null && config.filesS3 !== null) throw new Error(SAME_BUCKET)
  const progress = createProgress(print)
  const opened = await openDatabaseForCommand(config, log)
  const store = openFileStore(config, createClock())
  try {
    await requireLeft(opened.database, accountId)
    const client = await openLongSession(opened.connection)
    try {
      await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
      // From now on, `release-account --take-back` refuses the account.
      await client.query(
        `update account set deletion_began_at = coalesce(deletion_began_at, now()) where id = $1`,
        [accountId],
      )
      if (flag !== '--keep-files') await deleteFiles(client, store, { accountId, progress })
      const count = await deleteRows(client, { accountId, progress })
      print(`\nAccount deleted here: ${count} rows. Requests for it are answered 404 from now on.`)
    } finally {
      await client.end()
    }
  } finally {
    await store.close()
    await opened.close()
  }
}

/** Checks that an account may be deleted. @throws when it does not exist, has not moved, or still has due or active work */
async function requireLeft({ kysely, pool }: Database, accountId: string): Promise<void> {
  const { rows } = await pool.query<{ hold: AccountHold | null }>(
    'select hold from account where id = $1',
    [accountId],
  )
  const [account] = rows
  if (!account) throw new Error(`There is no account ${accountId}: nothing is left of it.`)
  if (account.hold !== 'moved') {
    throw new Error(
      'The account has not moved. Only an account that was released by "release-account ACCOUNT_ID --moved" is deleted.',
    )
  }
  const active = await countActive(kysely, accountId)
  if (active > 0) {
    throw new Error(
      `${active} rows of the account are still due or in progress here. Nothing was deleted. Wait a minute, and run the command again.`,
    )
  }
}

const SAME_BUCKET =
  'The files are in a bucket. Add --keep-files if the other installation uses the same bucket: it needs them. Add --delete-files if it has its own.'
