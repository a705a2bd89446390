/**
 * Checks whether this service can work, and prints a line for each finding with its remedy. It changes nothing, apart
 * from a file that it writes into the store and deletes.
 */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { isDatabaseUnavailable } from '../../src/infra/database/is-database-unavailable.ts'
import { openDatabaseForCommand } from '../../src/infra/database/open-for-command.ts'
import type { OpenedDatabase } from '../../src/infra/database/open-database.ts'
import type { Command, Outcome, Setting } from './command.ts'
import {
  checkAddress,
  checkDisk,
  checkFiles,
  checkMail,
  checkNode,
  checkProxies,
} from './doctor/check-around.ts'
import {
  checkClock,
  checkConnections,
  checkDays,
  checkKeys,
  checkMigrations,
  checkServer,
  checkWaiting,
  databaseBytes,
} from './doctor/check-database.ts'
import { checkTransactions } from './doctor/check-transactions.ts'
import { examine, fault, ok, messageOf, warning, type Finding } from './doctor/finding.ts'
import { DOCTOR } from './doctor/thresholds.ts'

/** The command that checks the service and its environment. It fails when there is a fault. */
export const doctor: Command = { usage: 'doctor', run: examineAll }

type Opened = Pick<OpenedDatabase, 'database' | 'close'>

async function examineAll(words: string[], setting: Setting): Promise<Outcome> {
  if (words.length > 0) throw new Error('doctor takes no arguments.')
  let hasFault = false
  const report = (findings: Finding[]) => {
    for (const finding of findings) {
      if (finding.level === 'fault') hasFault = true
      setting.print(lineOf(finding))
    }
  }
  const { config } = setting
  const around = [
    examine('files', DOCTOR.checkMs, 'See FILES_S3_ENDPOINT', () => checkFiles(config)),
    examine('mail', DOCTOR.checkMs, 'See SMTP_URL', () => checkMail(config)),
    examine('address', DOCTOR.checkMs, 'See BASE_URL', () => checkAddress(config)),
    Promise.resolve(checkProxies(config)),
  ]
  report(await examine('node', DOCTOR.checkMs, '', checkNode))
  let opened: Opened | null = null
  report(
    await examine('database', DOCTOR.openMs, remedyOf, async () => {
      const found = await open(setting)
      if (!('database' in found)) return found
      opened = found
      return checkServer(found.database)
    }),
  )
  const bytes = opened === null ? null : await examineTables(opened, setting, report)
  report(await examine('disk', DOCTOR.checkMs, '', () => checkDisk(config, bytes)))
  for (const findings of around) report(await findings)
  return hasFault ? 'failed' : 'done'
}

const UNREACHABLE_REMEDY =
  'Check that the server in DATABASE_URL is running and accepts connections from this machine. Without DATABASE_URL, see postgres.log in the data folder'

/** Returns the advice for an unavailable database; other errors, and those that contain advice, get none. */
const remedyOf = (thrown?: unknown) => {
  const isExplained = thrown instanceof Error && thrown.message.startsWith('DATABASE_URL ')
  return !isExplained && (thrown === undefined || isDatabaseUnavailable(thrown))
    ? UNREACHABLE_REMEDY
    : ''
}

/** Opens the database without migrating it. Returns a finding when it does not exist or cannot be opened. */
async function open({ config, log }: Setting): Promise<Opened | Finding> {
  const cluster = path.join(config.dataFolder, 'postgres')
  if (config.databaseUrl === null && !(await stat(cluster).catch(() => null))) {
    return warning(
      'database',
      `none in ${config.dataFolder} yet`,
      'It is created at the first start',
    )
  }
  try {
    return await openDatabaseForCommand(config, log, { skipsMigrations: true })
  } catch (error) {
    return fault('database', messageOf(error), remedyOf(error))
  }
}

/** Reports the checks of the database, and closes it. Returns its size in bytes; null when it could not be read. */
async function examineTables(
  { database, close }: Opened,
  { config }: Setting,
  report: (findings: Finding[]) => void,
): Promise<number | null> {
  const within = (what: string, check: () => Promise<Finding | Finding[]>) =>
    examine(what, DOCTOR.checkMs, remedyOf, check)
  let bytes: number | null = null
  report(await within('migrations', () => checkMigrations(database)))
  report(await within('clock', () => checkClock(database)))
  report(await within('connections', () => checkConnections(database, config)))
  report(await within('transactions', () => checkTransactions(database)))
  const { rowCount } = await database.pool
    .query(`select 1 where to_regclass('operator_switch') is not null`)
    .catch(() => ({ rowCount: 0 }))
  if (rowCount) {
    report(await within('keys', () => checkKeys(database, config)))
    report(await within('waiting', () => checkWaiting(database)))
    report(await within('partitions', () => checkDays(database)))
  }
  await within('size', async () => {
    bytes = await databaseBytes(database)
    return []
  })
  await within('close', async () => {
    await close()
    return ok('close', '')
  })
  return bytes
}

function lineOf({ level, what, detail, remedy }: Finding): string {
  const line = `${level.padEnd(8)} ${what.padEnd(12)} ${detail}`
  return remedy ? `${line}\n${' '.repeat(22)}-> ${remedy}` : line
}
