/**
 * Moves one account to another installation: `export-account` here, `import-account` there, and `release-account` there
 * once requests lead to it. In between, nothing is accepted, sent or done for it on either side
 * (docs/guides/operating.md, Moving an account).
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { createClock } from '../../src/core/clock.ts'
import { createIds, systemRandom } from '../../src/core/ids.ts'
import type { AccountHold } from '../../src/core/vocabulary/accounts.ts'
import type { Context } from '../../src/infra/context.ts'
import type { Database } from '../../src/infra/database/connect.ts'
import { countNodes } from '../../src/infra/database/node-locks.sql.ts'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import { loadKeys } from '../../src/infra/secrets/load-keys.ts'
import { holdForExport, endHold, setHold } from '../../src/modules/accounts/account-hold.ts'
import { openFileStore } from '../../src/modules/files/open-store.ts'
import { releaseEverything } from '../../src/workers/release-all-leases.ts'
import { unparkWork } from '../../src/workers/park-account.ts'
import { checkBackup } from './backup/read-backup.ts'
import { createProgress } from './backup/progress.ts'
import { onDatabase, requireAccountId, type Command, type Setting } from './command.ts'
import { keepLinkKeys } from './move/carry-secrets.ts'
import { AccountManifest } from './move/manifest.ts'
import { readAccount } from './move/read-account.ts'
import { requireFree, requireSpace } from './move/require-space.ts'
import { openTransferKey, readPassphrase, takeKeyFile } from './move/transfer-key.ts'
import { waitUntilIdle } from './move/wait-until-idle.ts'
import { writeAccount } from './move/write-account.ts'

const EXPORT = 'export-account ACCOUNT_ID FILE [--key-file FILE] [--stopped]'
const IMPORT = 'import-account FILE [--key-file FILE]'
const RELEASE = 'release-account ACCOUNT_ID [--moved|--take-back]'

/** Time in which requests from before the hold end. It is longer than any statement may take. */
const GRACE_MS = 40_000

/** The command that puts an account on hold and writes it into a file. */
export const exportAccount: Command = { usage: EXPORT, run: runExport }
/** The command that reads an account from a file; the account stays on hold. */
export const importAccount: Command = { usage: IMPORT, run: runImport }
/** The command that ends the hold of an account here, or marks it as moved away. */
export const releaseAccount = onDatabase(RELEASE, release)

async function runExport(words: string[], setting: Setting): Promise<void> {
  const { config, log, projectFolder, folder, print } = setting
  const { keyFile, rest } = takeKeyFile(words)
  const isStopped = rest.includes('--stopped')
  const [accountId = '', name = '', ...more] = rest.filter((word) => word !== '--stopped')
  if (name === '' || name.startsWith('--') || more.length > 0) throw new Error(`Usage: ${EXPORT}`)
  requireAccountId(accountId)
  const passphrase = await readPassphrase(setting, keyFile)
  const file = path.resolve(folder, name)
  const progress = createProgress(print)
  const opened = await openDatabaseForCommand(config, log)
  const store = openFileStore(config, createClock())
  try {
    const { database, connection } = opened
    await requireMayLeave(database, accountId)
    await requireFree(path.dirname(file), await bytesOfFiles(database, accountId))
    const clock = createClock()
    const ids = createIds(clock, systemRandom, config.cell)
    if (isStopped) await releaseClaims(database, log)
    await holdForExport({ db: database, ids, clock }, accountId)
    await waitUntilIdle(database, accountId, { graceMs: isStopped ? 0 : GRACE_MS, print })
    const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
    await keepLinkKeys(database, keyRing, accountId)
    const { manifest, bytes } = await writeAccount({
      connection,
      accountId,
      passphrase,
      keyRing,
      store,
      file,
      program: await programVersion(projectFolder),
      progress,
    })
    const rows = manifest.tables.reduce((sum, { rows: of }) => sum + of, 0)
    print(`\nAccount exported: ${file}\n${rows} rows, ${Math.ceil(bytes / 1_048_576)} MB.`)
    print(
      'It contains the data of customers, and passwords as hashes: protect it like a backup. Hooks of the account are answered 503 here, so that merchants try again. Import it at its new place. Once its requests lead there, run "release-account ACCOUNT_ID --moved" here.',
    )
  } finally {
    await store.close()
    await opened.close()
  }
}

/** Checks that an account may be exported. @throws when it does not exist, has moved, or is the demonstration's */
async function requireMayLeave({ pool }: Database, accountId: string): Promise<void> {
  const { rows } = await pool.query<{ hold: AccountHold | null; is_demonstration: boolean }>(
    `select hold, exists (select from member join person on person.id = member.person_id
        where member.account_id = account.id and person.is_demonstration) as is_demonstration
    from account where id = $1`,
    [accountId],
  )
  const [account] = rows
  if (!account) throw new Error(`There is no account ${accountId}.`)
  if (account.is_demonstration) throw new Error('The account of the demonstration stays here.')
  if (account.hold === 'moved' || account.hold === 'arrived') {
    throw new Error(
      `The account is on hold (${account.hold}): run "release-account" first, if it is to work here.`,
    )
  }
}

/** Releases the claims of killed processes. @throws when a process still works on the database */
async function releaseClaims({ kysely }: Database, log: Logger): Promise<void> {
  const nodes = await countNodes(kysely)
  if (nodes > 0) {
    throw new Error(`${nodes} processes work on this database: leave out --stopped, or stop them.`)
  }
  await releaseEverything(kysely, new Date(), log)
}

async function bytesOfFiles({ pool }: Database, accountId: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    `select coalesce(sum(size), 0) as bytes from file
    where state = 'kept' and company_id in (select id from company where account_id = $1)`,
    [accountId],
  )
  return Number(rows[0]!.bytes)
}

async function runImport(words: string[], setting: Setting): Promise<void> {
  const { config, log, folder, print } = setting
  const { keyFile, rest } = takeKeyFile(words)
  const [name = '', ...more] = rest
  if (name === '' || name.startsWith('--') || more.length > 0) throw new Error(`Usage: ${IMPORT}`)
  const passphrase = await readPassphrase(setting, keyFile)
  const file = path.resolve(folder, name)
  const progress = createProgress(print)
  const { manifest } = await checkBackup(file, progress, AccountManifest)
  const from = openTransferKey(manifest, passphrase)
  await requireSpace(config.dataFolder, manifest, {
    hasFiles: config.filesS3 === null,
    hasRows: config.databaseUrl === null,
  })
  const opened = await openDatabaseForCommand(config, log)
  const store = openFileStore(config, createClock())
  try {
    const to = createKeyRing(loadKeys(config, systemRandom), systemRandom)
    const { database, connection } = opened
    const keys = { from, to }
    await readAccount({ database, connection, manifest, file, store, keys, progress })
    print(
      `\nAccount imported: ${manifest.account.id}. It is on hold: nothing is accepted, sent or done for it. Lead its requests here, then run "release-account ${manifest.account.id}".`,
    )
  } finally {
    await store.close()
    await opened.close()
  }
}

async function release(context: Context, words: string[], { print }: Setting): Promise<void> {
  const [flag = null, ...flags] = words.filter((word) => word.startsWith('--'))
  const [accountId = '', ...more] = words.filter((word) => !word.startsWith('--'))
  const isKnown = flag === null || flag === '--moved' || flag === '--take-back'
  if (!isKnown || flags.length + more.length > 0) throw new Error(`Usage: ${RELEASE}`)
  requireAccountId(accountId)
  const { kysely } = context.db
  const account = await kysely
    .selectFrom('account')
    .select(['hold', 'deletionBeganAt'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account) throw new Error(`There is no account ${accountId}.`)
  const { hold } = account
  if (hold === null) {
    print('The account is not on hold, so there is nothing to release.')
    return
  }
  if (flag === '--moved') {
    if (hold === 'arrived') throw new Error('The account has arrived here, and has not left.')
    await setHold(kysely, { accountId, hold: 'moved' })
    print('The account works elsewhere. Its hooks are answered 410 account_moved here.')
    return
  }
  if (hold !== 'arrived' && flag === null) throw new Error(EXPORTED)
  if (account.deletionBeganAt !== null) {
    throw new Error('Its deletion has begun here. Run "delete-moved ACCOUNT_ID" to its end.')
  }
  const count = await endHold(context, accountId, (tx) => unparkWork(tx, accountId))
  print(`The account works here. ${count} rows that waited go on.`)
}

const EXPORTED =
  'The account has been exported. If it was imported elsewhere and its requests lead there, add --moved. Add --take-back only if it was not imported: otherwise it works in two places, and sends everything twice.'

async function programVersion(projectFolder: string): Promise<string> {
  const text = await readFile(path.join(projectFolder, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
