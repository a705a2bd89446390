/**
 * Files of the demonstration in the data folder, with mode 600. They hold the shop's certificate and key, and the hook
 * tokens, signing secret and API key, which the database stores only hashed or encrypted.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../src/core/clock.ts'
import { createIds, systemRandom } from '../src/core/ids.ts'
import { isGoodCertificate, makeCertificate } from './certificate.ts'

/** The paths of the demonstration's files. */
export type DemonstrationFiles = {
  folder: string
  certificateFile: string
  keyFile: string
  /** The signing secret, one line, as the receiver reads it. */
  secretFile: string
  /** The secret that `npm run listen` signs with, one line. */
  listenSecretFile: string
  /** The hook token, one line. */
  tokenFile: string
  /** The hook token of the flow that calls the shop's API, one line. */
  statusTokenFile: string
  /** The key of the shop's API, one line. */
  apiKeyFile: string
  /** The journal of messages that the simulator has accepted and still has to report. */
  journalFile: string
}

/** Returns the paths of the demonstration's files in a data folder. */
export function demonstrationFiles(dataFolder: string): DemonstrationFiles {
  const folder = path.join(dataFolder, 'demonstration')
  return {
    folder,
    certificateFile: path.join(folder, 'receiver-certificate.pem'),
    keyFile: path.join(folder, 'receiver-key.pem'),
    secretFile: path.join(folder, 'receiver-secret'),
    listenSecretFile: path.join(folder, 'listen-secret'),
    tokenFile: path.join(folder, 'hook-token'),
    statusTokenFile: path.join(folder, 'order-status-hook-token'),
    apiKeyFile: path.join(folder, 'merchant-api-key'),
    journalFile: path.join(folder, 'simulator.jsonl'),
  }
}

/**
 * Creates the folder with the API key and the shop's certificate for 127.0.0.1. An existing key stays, and so does a
 * certificate that is valid for a while.
 */
export async function prepareDemonstrationFiles(
  dataFolder: string,
  clock: Clock,
): Promise<DemonstrationFiles> {
  const files = demonstrationFiles(dataFolder)
  mkdirSync(files.folder, { recursive: true, mode: 0o700 })
  const now = clock.now()
  if (!isGoodCertificate(files.certificateFile, now) || !existsSync(files.keyFile)) {
    const made = await makeCertificate(now)
    writePrivately(files.keyFile, made.key)
    writePrivately(files.certificateFile, made.certificate)
  }
  if (!existsSync(files.apiKeyFile)) {
    writePrivately(files.apiKeyFile, `key_${createIds(clock, systemRandom).token(32)}`)
  }
  return files
}

/** Returns the text of a one-line file; null if it does not exist. */
export function readLine(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Writes a file atomically, which only its owner can read. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(`${file}.new`, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
