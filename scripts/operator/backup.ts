import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { keyIdsInUse } from '../../src/secrets/encrypted-columns.ts'
import { createClock } from '../../src/clock.ts'
import { openFileStore } from '../../src/files/open-store.ts'
import { openBeside } from '../../src/database/open-beside.ts'
import type { Command, Setting } from './command.ts'
import { createTell } from './backup/progress.ts'
import { KEYS_FILE, writeBackup } from './backup/write-backup.ts'

export const backup: Command = { usage: 'backup FILE|FOLDER [--without-keys]', run: makeBackup }

async function makeBackup(words: string[], setting: Setting): Promise<void> {
  const { config, log, projectFolder, folder, print } = setting
  const [target = '', ...more] = words.filter((word) => word !== '--without-keys')
  if (target === '' || target.startsWith('--') || more.length > 0) {
    throw new Error('Name the file, or a folder to put it in: backup FILE|FOLDER [--without-keys]')
  }
  const withKeys = !words.includes('--without-keys')
  const opened = await openBeside(config, log, { isLeftAsItIs: true })
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
      tell: createTell(print),
    })
    const rowsInAll = manifest.tables.reduce((sum, { rows: of }) => sum + of, 0)
    print(`\n${file}\n${rowsInAll} rows of ${manifest.madeAt}, ${Math.ceil(bytes / 1024)} KB.`)
    if (config.filesS3) {
      print(
        `Files are in the bucket ${config.filesS3.bucket}, not in this one: back that up as you do others.`,
      )
    }
    const hasKeys = manifest.files.some(({ path: of }) => of === KEYS_FILE)
    print(
      hasKeys
        ? 'It holds the data AND the keys: who has this file reads every secret. Keep it as safe as the service.'
        : `It does not hold the keys${manifest.keyIds.length > 0 ? ` (${manifest.keyIds.join(', ')})` : ''}: keep them somewhere else, without them its secrets are lost.`,
    )
  } finally {
    await opened.close()
  }
}

/** A file as it was named; in a folder one with the time in its name. */
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
