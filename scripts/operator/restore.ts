import path from 'node:path'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Command, Setting } from './command.ts'
import { createTell } from './backup/progress.ts'
import { checkBackup } from './backup/read-backup.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { KEYS_FILE } from './backup/write-backup.ts'
import { describeHeld } from './resume.ts'

export const restore: Command = { usage: 'restore FILE', run: restoreFile }

async function restoreFile(words: string[], { config, log }: Setting): Promise<void> {
  const [name = '', ...more] = words
  if (name === '' || more.length > 0) throw new Error('Name the file of the backup: restore FILE')
  const file = path.resolve(process.env.INIT_CWD ?? '.', name)
  const tell = createTell(console.log)
  const checked = await checkBackup(file, tell)
  const { manifest, files } = checked
  console.log(`The backup of ${manifest.madeAt} is whole.`)
  const opened = await openDatabase(config, log, { isLeftAsItIs: true })
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
      tell,
    })
    console.log(`\nRestored. ${await describeHeld(database.kysely)}`)
    if (files.has(KEYS_FILE) && config.databaseUrl) {
      console.log(
        `\nIts keys are in ${path.join(dataFolder, KEYS_FILE)}: in production set ENCRYPTION_KEYS to what stands there.`,
      )
    }
  } finally {
    await opened.close()
  }
}
