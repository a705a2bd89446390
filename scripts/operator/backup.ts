import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { keyIdsInUse } from '../../src/infra/secrets/encrypted-columns.ts'
import { createClock } from '../../src/core/clock.ts'
import { openFileStore } from '../../src/modules/files/open-store.ts'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import type { Command, Setting } from './command.ts'
import { createProgress } from './backup/progress.ts'
import { KEYS_FILE, writeBackup } from './backup/write-backup.ts'

/** The command that writes a backup into a file, or into a file with the time in its name in a folder. */
export const backup: Command = { usage: 'backup FILE|FOLDER [--without-keys]', run: makeBackup }

async function makeBackup(words: string[], setting: Setting): Promise<void> {
  const { config, log, projectFolder, folder, print } = setting
  const [target = '', ...more] = words.filter((word) => word !== '--without-keys')
  if (target === '' || target.startsWith('--') || more.length > 0) {
    throw new Error('Usage: backup FILE|FOLDER [--without-keys]')
  }
  const withKeys = !words.includes('--without-keys')
  const opened = await openDatabaseForCommand(config, log, { skipsMigrations: true })
  try {
    const { database, connection } = opened
    const { rows } = await database.pool.query<{ now: Date }>('select now()')
    const file = await chooseFile(path.resolve(folder, target), rows[0]!.now)
    const { manifest, bytes } = await writeBackup({
      connection,
      file,
      withKeys,
      dataFolder: config.dataFolder,
      program: await programVersion(projectFolder),
      keyIds: await keyIdsInUse(database.kysely),
      store: config.filesS3 ? null : openFileStore(config, createClock()),
      progress: createProgress(print),
    })
    const rowsInAll = manifest.tables.reduce((sum, { rows: of }) => sum + of, 0)
    print(
      `\nBackup saved: ${file}\n${rowsInAll} rows as of ${manifest.madeAt}, ${Math.ceil(bytes / 1024)} KB.`,
    )
    if (config.filesS3) {
      print(
        `Uploaded files are in the bucket ${config.filesS3.bucket}, not in this backup. Back up the bucket separately.`,
      )
    }
    const hasKeys = manifest.files.some(({ path: of }) => of === KEYS_FILE)
    print(
      hasKeys
        ? 'It contains the data AND the encryption keys: anyone with this file can read every secret. Protect it like the service itself.'
        : `It does not contain the encryption keys${manifest.keyIds.length > 0 ? ` (${manifest.keyIds.join(', ')})` : ''}. Store them separately: without them, the secrets in this backup are lost.`,
    )
  } finally {
    await opened.close()
  }
}

/** Returns the path of the backup: `target`, or a file with the time in its name when `target` is a folder. */
async function chooseFile(target: string, now: Date): Promise<string> {
  const isFolder = await stat(target).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-')
  return isFolder ? path.join(target, `wasla-${time}Z.tar.gz`) : target
}

async function programVersion(projectFolder: string): Promise<string> {
  const text = await readFile(path.join(projectFolder, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
