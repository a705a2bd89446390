import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Random } from '../../core/ids.ts'
import { readKeys, type RingKey } from './key-ring.ts'

type KeySettings = {
  encryptionKeys: RingKey[] | null
  databaseUrl: string | null
  dataFolder: string
  isProduction: boolean
}

const keysFile = ({ dataFolder }: { dataFolder: string }) =>
  path.join(dataFolder, 'encryption-keys')

/** Returns where `loadKeys` reads the keys: the name of the setting, or the path of the file. */
export function keysSource(config: {
  encryptionKeys: RingKey[] | null
  dataFolder: string
}): string {
  return config.encryptionKeys ? 'ENCRYPTION_KEYS' : keysFile(config)
}

/**
 * Loads the operator's keys, or those of the data folder, which it creates at the first start, readable by their owner
 * alone. The database and the data folder must be backed up together.
 *
 * @throws when the operator's server is used without keys: keys on one node could not be read on another
 */
export function loadKeys(config: KeySettings, random: Random): RingKey[] {
  requireKeys(config)
  if (config.encryptionKeys) return config.encryptionKeys
  const file = keysFile(config)
  if (!existsSync(file)) {
    const key = Buffer.alloc(32)
    random(key)
    mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 })
    // Without `flush` a power failure could leave an empty file, while the database has secrets of the lost key.
    writeFileSync(`${file}.new`, `k1:${key.toString('base64')}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  return readFileOfKeys(file)
}

/** Throws where `loadKeys` would throw, without creating keys. */
export function requireKeys(config: KeySettings): void {
  if (config.encryptionKeys) return
  if (config.databaseUrl && config.isProduction) {
    throw new Error(
      'ENCRYPTION_KEYS must be set when DATABASE_URL is: secrets in that database are encrypted with it.',
    )
  }
  const file = keysFile(config)
  if (existsSync(file)) readFileOfKeys(file)
}

function readFileOfKeys(file: string): RingKey[] {
  try {
    return readKeys(readFileSync(file, 'utf8').trim())
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
