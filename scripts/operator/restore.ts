import path from 'node:path'
import { createClock } from '../../src/core/clock.ts'
import { openFileStore } from '../../src/modules/files/open-store.ts'
import { openDatabase } from '../../src/infra/database/open-database.ts'
import type { Command, Setting } from './command.ts'
import { createProgress } from './backup/progress.ts'
import { checkBackup } from './backup/read-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { KEYS_FILE } from './backup/write-backup.ts'
import { describeHeld } from './resume.ts'

/** The command that restores a backup into an empty database and data folder. */
export const restore: Command = { usage: 'restore FILE', run: restoreFile }

async function restoreFile(words: string[], setting: Setting): Promise<void> {
  const { config, log, folder, print } = setting
  const [name = '', ...more] = words
  if (name === '' || more.length > 0) throw new Error('Usage: restore FILE')
  const file = path.resolve(folder, name)
  const progress = createProgress(print)
  const checked = await checkBackup(file, progress)
  const { manifest, files } = checked
  print(`The backup from ${manifest.madeAt} is complete.`)
  const store = openFileStore(config, createClock())
  const opened = await openDatabase(config, log, { skipsMigrations: true })
  try {
    const { database, connection } = opened
    const { dataFolder, encryptionKeys } = config
    await restoreBackup({
      ...checked,
      database,
      connection,
      dataFolder,
      encryptionKeys,
      file,
      store,
      progress,
    })
    print(
      '\nEveryone must sign in again: sessions, known devices, invitations and password resets of the backup have ended.',
    )
    print(`\nRestored. ${await describeHeld(database.kysely)}`)
    if (files.has(KEYS_FILE) && config.databaseUrl) {
      print(
        `\nIts encryption keys are in ${path.join(dataFolder, KEYS_FILE)}. In production, set ENCRYPTION_KEYS to that value.`,
      )
    }
  } finally {
    await store.close()
    await opened.close()
  }
}
