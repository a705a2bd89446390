/** The doctor's checks of the database, which change nothing. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { keyIdsInUse } from '../../../src/infra/secrets/encrypted-columns.ts'
import {
  findUnreadableKeys,
  UNREADABLE_WORDS,
} from '../../../src/infra/secrets/find-unreadable-keys.ts'
import { createKeyRing } from '../../../src/infra/secrets/key-ring.ts'
import { loadKeys } from '../../../src/infra/secrets/load-keys.ts'
import type { Config } from '../../../src/app/config.ts'
import type { Database } from '../../../src/infra/database/connect.ts'
import { readMigrationState } from '../../../src/infra/database/migrate.ts'
import { EXTENSIONS, whyNoExtensions } from '../../../src/infra/database/check-extensions.ts'
import { systemRandom } from '../../../src/core/ids.ts'
import { fault, ok, messageOf, warning, type Finding } from './finding.ts'
import { DOCTOR } from './thresholds.ts'

type Server = {
  version: string
  encoding: string
  ctype: string
  foldsCase: boolean
  hasPlpgsql: boolean
  fsync: string
  synchronousCommit: string
  fullPageWrites: string
  standbys: number
  synchronousStandbys: string
  /** The number of connected standbys that commits wait for; null when this user may not see it. */
  synchronous: number | null
  /** Bytes by which the last standby is behind; null when this user may not see them. */
  lagBytes: number | null
  timeline: number
}

/** Checks the server: version, settings, extensions, encoding and replication. */
export async function checkServer({ kysely, pool }: Database): Promise<Finding[]> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, pg_encoding_to_char(encoding) as encoding,
      datctype as ctype, lower('Ä') = 'ä' as folds_case,
      exists (select from pg_extension where extname = 'plpgsql') as has_plpgsql,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes,
      (select count(*)::int from pg_stat_replication) as standbys,
      (select case when count(*) = count(sync_state)
          then count(*) filter (where sync_state in ('sync', 'quorum')) end::int
        from pg_stat_replication) as synchronous,
      (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 from pg_stat_replication) as lag_bytes,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      current_setting('synchronous_standby_names') as synchronous_standbys
    from pg_database where datname = current_database()
  `.execute(kysely)
  const server = rows[0]!
  const found = [
    ok('database', `PostgreSQL ${server.version} (15 or newer required)`),
    encodingOf(server),
  ]
  if (!server.hasPlpgsql) {
    const remedy = 'As a superuser, run: create extension plpgsql'
    found.push(fault('extensions', 'plpgsql is missing', remedy))
  } else found.push(await extensionsOf(pool))
  const unsafe = [
    server.fsync === 'off' && 'fsync',
    server.fullPageWrites === 'off' && 'full_page_writes',
    server.synchronousCommit === 'off' && 'synchronous_commit',
  ].filter((name) => name !== false)
  if (unsafe.length > 0) {
    const remedy = 'Switch it on; otherwise a crash can lose accepted data'
    found.push(warning('durability', `${unsafe.join(', ')} is off`, remedy))
  } else found.push(ok('durability', 'committed data survives a crash'))
  found.push(replicationOf(server))
  return found
}

/** Checks whether a standby that takes over has everything that was committed, and how far the last one is behind. */
function replicationOf(server: Server): Finding {
  const { standbys, synchronousStandbys, synchronous, synchronousCommit, lagBytes, timeline } =
    server
  // Each promotion of a standby begins another timeline.
  const line = timeline > 1 ? `, timeline ${timeline}` : ''
  const isAwaited = synchronousStandbys !== '' && !['local', 'off'].includes(synchronousCommit)
  const required = requiredStandbys(synchronousStandbys)
  const awaited = synchronous ?? standbys
  if (isAwaited && awaited < required) {
    const few = awaited === 0 ? 'none' : `only ${awaited} of the ${required}`
    return fault(
      'replication',
      `standbys: ${standbys}, ${few} that synchronous_standby_names (${synchronousStandbys}) requires: every commit waits${line}`,
      'Start the standby, or compare its application_name; to accept work without one, empty synchronous_standby_names (docs/guides/replicated-database.md)',
    )
  }
  if (standbys === 0) return ok('replication', `no standby is connected${line}`)
  const lag = lagBytes === null ? 'hidden from this user' : `${Math.round(lagBytes / MEGABYTE)} MB`
  const detail = `standbys: ${standbys}, largest lag ${lag}${line}`
  if (synchronousStandbys === '' || synchronousCommit === 'local') {
    return warning(
      'replication',
      `${detail}, none of them synchronous: a failover can lose what was accepted`,
      'Set synchronous_standby_names (in Patroni synchronous_mode), unless it is only for reading (docs/guides/replicated-database.md)',
    )
  }
  if ((lagBytes ?? 0) > DOCTOR.lagWarningBytes) {
    return warning(
      'replication',
      `${detail}: a failover waits until the standby has caught up`,
      'Look at the log of the standby and at the network between the servers',
    )
  }
  return ok('replication', `${detail}, synchronous: ${synchronousStandbys}`)
}

/** Returns the number of standbys that each commit waits for: `2` in `ANY 2 (a, b, c)`, and 1 in a list of names. */
const requiredStandbys = (names: string) =>
  Number(/^\s*(?:(?:first|any)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1)

const MEGABYTE = 1_048_576

async function extensionsOf(pool: Database['pool']): Promise<Finding> {
  const why = await whyNoExtensions(pool)
  if (why === null)
    return ok(
      'extensions',
      `plpgsql is installed; ${EXTENSIONS.join(', ')} are installed or can be`,
    )
  const [what = '', remedy = ''] = why.split(': ')
  return fault('extensions', what, remedy)
}

function encodingOf({ encoding, ctype, foldsCase }: Server): Finding {
  if (encoding !== 'UTF8') {
    const remedy = "Create a database with encoding 'UTF8' and restore a backup into it"
    return fault('encoding', `${encoding}: customers' messages cannot be stored`, remedy)
  }
  if (foldsCase) return ok('encoding', `UTF8, lc_ctype ${ctype}`)
  return warning(
    'encoding',
    `UTF8, but lc_ctype ${ctype} supports only ASCII letters`,
    'Email addresses that differ only in the case of such letters count as different; use a database with lc_ctype C.UTF-8',
  )
}

/** Checks that the database has the migrations of this version. */
export async function checkMigrations({ pool }: Database): Promise<Finding> {
  let pending: string[]
  let applied: { name: string }[]
  try {
    ;({ pending, applied } = await readMigrationState(pool))
  } catch (error) {
    return fault('migrations', messageOf(error), 'See docs/guides/upgrading.md')
  }
  if (pending.length === 0) return ok('migrations', `all ${applied.length} applied`)
  return warning(
    'migrations',
    `${pending.length} not applied yet, starting with ${pending[0]}: the database is older than this version`,
    'They are applied at the next start; make a backup first (docs/guides/upgrading.md)',
  )
}

/** Checks that the key ring decrypts stored values of every key in use. */
export async function checkKeys({ kysely }: Database, config: Config): Promise<Finding> {
  const inUse = await keyIdsInUse(kysely)
  if (inUse.length === 0) return ok('keys', 'nothing is encrypted yet')
  const keysFile = path.join(config.dataFolder, 'encryption-keys')
  if (!config.encryptionKeys && !existsSync(keysFile)) {
    const remedy = 'Set ENCRYPTION_KEYS, or put the file back from a backup'
    return fault('keys', `ENCRYPTION_KEYS is not set, and there is no ${keysFile}`, remedy)
  }
  const keyRing = createKeyRing(loadKeys(config, systemRandom), systemRandom)
  const unreadable = await findUnreadableKeys(kysely, keyRing)
  if (unreadable.length === 0) {
    return ok('keys', `every key in use can decrypt its data (${inUse.join(', ')})`)
  }
  const list = unreadable
    .map((of) => `"${of.keyId}" in ${of.table}.${of.column}: ${UNREADABLE_WORDS[of.reason]}`)
    .join('; ')
  return fault(
    'keys',
    list,
    'Restore the right key under its id (ENCRYPTION_KEYS, or encryption-keys in the data folder)',
  )
}

/** Compares this machine's clock with the database's. */
export async function checkClock({ kysely }: Database): Promise<Finding> {
  const before = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(kysely)
  const middle = (before + Date.now()) / 2
  const offMs = Math.abs(rows[0]!.now.getTime() - middle)
  const detail = `this machine and the database are ${(offMs / 1000).toFixed(1)} s apart`
  const remedy = 'Sync both clocks with NTP'
  if (offMs > DOCTOR.clockFaultMs) {
    return fault('clock', `${detail}: receivers may reject every signature`, remedy)
  }
  return offMs > DOCTOR.clockWarningMs ? warning('clock', detail, remedy) : ok('clock', detail)
}

/** Compares the server's connections with the demand of a process. */
export async function checkConnections({ kysely }: Database, config: Config): Promise<Finding> {
  const { rows } = await sql<{ max: number; used: number }>`
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as max,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used
  `.execute(kysely)
  const { max, used } = rows[0]!
  const ofProcess = config.databasePool + DOCTOR.listening
  const detail = `${used} of ${max} in use; each process needs up to ${ofProcess} (DATABASE_POOL=${config.databasePool})`
  const remedy =
    'DATABASE_POOL times the number of processes, plus a few for yourself, must fit into max_connections: lower one or raise the other'
  if (ofProcess > max) return fault('connections', detail, remedy)
  return used + ofProcess > max
    ? warning('connections', `${detail}: not enough left for another process`, remedy)
    : ok('connections', detail)
}

type Waiting = {
  pausedAt: Date | null
  heldAt: Date | null
  runsDue: number
  deliveriesDue: number
  lateMs: number | null
}

/** Maximum number of due rows that are counted, so that the check stays quick. */
const COUNTED = 10_000

/** Checks the age of due deliveries and runs, which grows without a working daemon. */
export async function checkWaiting({ kysely }: Database): Promise<Finding[]> {
  const { rows } = await sql<Waiting>`
    with due_run as (
      select due_at as at from run_queue where claim_id is null and due_at <= now()
      order by due_at limit ${COUNTED}
    ), due_delivery as (
      select due_at as at from delivery_queue
      where claim_id is null and due_at <= now() limit ${COUNTED}
    )
    select
      (select changed_at from operator_switch where name = 'hooks_paused' and is_on) as paused_at,
      (select changed_at from operator_switch where name = 'sending_held' and is_on) as held_at,
      (select count(*)::int from due_run) as runs_due,
      (select count(*)::int from due_delivery) as deliveries_due,
      (extract(epoch from now() - least((select min(at) from due_run),
        (select min(at) from due_delivery))) * 1000)::float8 as late_ms
  `.execute(kysely)
  const { pausedAt, heldAt, runsDue, deliveriesDue, lateMs } = rows[0]!
  const count = (number: number) => (number === COUNTED ? `${COUNTED} or more` : String(number))
  const late = lateMs === null ? '' : `, the oldest overdue by ${Math.round(lateMs / 1000)} s`
  const detail = `${count(runsDue)} runs and ${count(deliveriesDue)} deliveries are due${late}`
  const found: Finding[] = []
  if (heldAt) {
    const remedy = 'Run "operator -- resume" to see what would be sent and to resume'
    found.push(warning('sending', `held since the restore at ${heldAt.toISOString()}`, remedy))
  }
  if (pausedAt) {
    const remedy = 'Run "operator -- resume-hooks" once the reason is gone'
    found.push(warning('hooks', `paused since ${pausedAt.toISOString()}`, remedy))
  }
  const isLate = (lateMs ?? 0) > DOCTOR.lateWarningMs && !heldAt
  const remedy =
    'Check that a process with the daemon is running and look for "worker failed" in its log. A failing endpoint delays only its own deliveries'
  found.push(isLate ? warning('waiting', detail, remedy) : ok('waiting', detail))
  return found
}

/** Checks that partitions exist for the coming days. */
export async function checkDays({ kysely }: Database): Promise<Finding> {
  const { rows } = await sql<{ ahead: number | null }>`
    select (max(to_date(right(child.relname, 8), 'YYYYMMDD')) - (now() at time zone 'UTC')::date) as ahead
    from pg_inherits join pg_class child on child.oid = inhrelid
      join pg_class parent on parent.oid = inhparent
    where parent.relname = 'event_body' and child.relname ~ '^event_body_\\d{8}$'
  `.execute(kysely)
  const ahead = rows[0]?.ahead ?? null
  if (ahead !== null && ahead >= DOCTOR.daysAheadWarning) {
    return ok('partitions', `created for ${ahead} days ahead`)
  }
  return warning(
    'partitions',
    ahead === null || ahead < 0 ? 'none for today' : `created for only ${ahead} days ahead`,
    'A process with the daemon creates them every hour: check that one is running. Until then, each is created when needed',
  )
}

/** Returns the size of the database in bytes. */
export async function databaseBytes({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes
  `.execute(kysely)
  return rows[0]!.bytes
}
