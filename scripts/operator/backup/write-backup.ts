/**
 * A backup of a running service: every table as of one instant, and the files of the data folder without which the
 * database is useless. The format is not `pg_dump`'s, because the embedded PostgreSQL has no such program. Any
 * PostgreSQL from 15 on any machine can read it (docs/decisions/0034).
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../../../src/infra/database/connect.ts'
import { openLongSession } from '../../../src/infra/database/long-session.ts'
import { MIGRATION_LOCK, readMigrationState } from '../../../src/infra/database/migrate.ts'
import {
  FileNotInStore,
  type FileKey,
  type FileStore,
} from '../../../src/modules/files/file-store.ts'
import type { Progress } from './progress.ts'
import {
  BACKUP_FORMAT,
  fileEntry,
  DATA_FILE,
  MANIFEST_NAME,
  STORED,
  tableEntry,
  type Manifest,
} from './manifest.ts'
import { readDays, readTables, type Table } from './tables.ts'
import { tarHeader, tarPadding } from './tar.ts'
import { isThere, writeArchive, type Archive } from './write-archive.ts'

/** Size of the entries of a table, of which only one is in memory at a time. */
const PART_BYTES = 4 * 1_048_576
/** The file of the data folder with the encryption keys. */
export const KEYS_FILE = 'encryption-keys'
/** Folder of the demonstration's shop: its certificate and its programs' settings. */
const DEMONSTRATION_FOLDER = 'demonstration'

type Options = {
  connection: Connection
  dataFolder: string
  /** The path of the archive, which must not exist yet. */
  file: string
  withKeys: boolean
  program: string
  keyIds: string[]
  /** Null when files are in a bucket, and not in the backup. */
  store: FileStore | null
  progress: Progress
}

/**
 * Writes a backup of the database and the files into one archive.
 * @throws when the file exists already, or anything could not be read or written; then nothing is left
 */
export async function writeBackup(
  options: Options,
): Promise<{ manifest: Manifest; bytes: number }> {
  const { made: manifest, bytes } = await writeArchive(options.file, async (archive) => {
    const client = await openLongSession(options.connection)
    try {
      return await writeAll(client, archive, options)
    } finally {
      await client.end()
    }
  })
  return { manifest, bytes }
}

async function writeAll(
  client: pg.Client,
  { put, putEntry: putAt }: Archive,
  { dataFolder, withKeys, program, keyIds, store, progress }: Options,
): Promise<Manifest> {
  // The lock is acquired before the snapshot, so that no migration is half contained in it.
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ madeAt: Date; server: string }>(
    `select now() as "madeAt", current_setting('server_version') as server`,
  )
  const { madeAt, server } = rows[0]!
  const putEntry: PutEntry = (name, content) => putAt(name, content, madeAt)

  const { applied } = await readMigrationState(client)
  const manifest: Manifest = {
    format: BACKUP_FORMAT,
    madeAt: madeAt.toISOString(),
    program,
    server,
    migrations: applied,
    days: await readDays(client),
    tables: [],
    files: [],
    stored: null,
    keyIds,
  }
  for (const table of await readTables(client)) {
    manifest.tables.push(await putTable(client, table, { putEntry, progress }))
  }
  if (store) manifest.stored = await putStored(client, store, { putEntry, progress })
  await client.query('commit')
  for (const file of await listDataFiles(dataFolder, withKeys)) {
    progress.step(`file ${file}`)
    manifest.files.push(await putFile(path.join(dataFolder, file), file, madeAt, put))
  }
  await putEntry(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest, null, 2)))
  return manifest
}

/** A function that adds an entry with the time of the archive. */
export type PutEntry = (name: string, content: Buffer) => Promise<void>

/** Adds the rows of a table to the archive, in parts: those that `query` returns, or else all of them. */
export async function putTable(
  client: pg.Client,
  { name, columns, query }: Table & { query?: string },
  { putEntry, progress }: { putEntry: PutEntry; progress: Progress },
): Promise<Manifest['tables'][number]> {
  const hash = createHash('sha256')
  let bytes = 0
  let parts = 0
  let part: Buffer[] = []
  let partBytes = 0
  const flush = async () => {
    await putEntry(tableEntry(name, parts), Buffer.concat(part))
    parts += 1
    part = []
    partBytes = 0
    progress.now(`table ${name}: ${Math.round(bytes / 1_048_576)} MB`)
  }
  const list = columns.map((column) => `"${column}"`).join(', ')
  const copy = copyTo(`copy (${query ?? `select ${list} from "${name}"`}) to stdout`)
  for await (const chunk of client.query(copy) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    part.push(chunk)
    partBytes += chunk.length
    if (partBytes >= PART_BYTES) await flush()
  }
  if (partBytes > 0) await flush()
  const rows = copy.rowCount
  if (rows > 0) progress.step(`table ${name}: ${rows} rows`)
  return { name, columns, rows, bytes, sha256: hash.digest('hex') }
}

/**
 * Adds the files of customers and members to the archive: those of the snapshot's rows, of all companies when
 * `companyIds` is null. Files that were deleted since are left out, because their deletion was intended.
 */
export async function putStored(
  client: pg.Client,
  store: FileStore,
  {
    putEntry,
    progress,
    companyIds = null,
  }: { putEntry: PutEntry; progress: Progress; companyIds?: readonly string[] | null },
): Promise<NonNullable<Manifest['stored']>> {
  const hash = createHash('sha256')
  const stored = { count: 0, bytes: 0 }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await client.query<{ id: string; company_id: string }>(
      `select id, company_id from file where state = 'kept' and id > $1
        and ($2::uuid[] is null or company_id = any($2)) order by id limit 1000`,
      [after, companyIds],
    )
    for (const { id, company_id: companyId } of rows) {
      const bytes = await readStored(store, { companyId, id })
      if (!bytes) continue
      await putEntry(`${STORED}${companyId}/${id}`, bytes)
      hash.update(bytes)
      stored.count += 1
      stored.bytes += bytes.length
      progress.now(`${stored.count} files: ${Math.round(stored.bytes / 1_048_576)} MB`)
    }
    if (rows.length === 0) break
    after = rows.at(-1)!.id
  }
  if (stored.count > 0) progress.step(`${stored.count} files`)
  return { ...stored, sha256: hash.digest('hex') }
}

async function readStored(store: FileStore, key: FileKey): Promise<Buffer | null> {
  try {
    return await buffer(await store.read(key))
  } catch (error) {
    if (error instanceof FileNotInStore) return null
    throw error
  }
}

/** Adds a file with its size at this moment; a growing file is cut off there. */
async function putFile(
  from: string,
  file: string,
  madeAt: Date,
  put: (chunk: Buffer) => Promise<void>,
): Promise<Manifest['files'][number]> {
  const { size } = await stat(from)
  const hash = createHash('sha256')
  await put(tarHeader(fileEntry(file), size, madeAt))
  let bytes = 0
  if (size > 0) {
    for await (const chunk of createReadStream(from, { end: size - 1 }) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
      await put(chunk)
    }
  }
  if (bytes !== size) throw new Error(`${from} got shorter while it was being read. Try again.`)
  await put(tarPadding(size))
  return { path: file, bytes: size, sha256: hash.digest('hex') }
}

/** Returns the files of the data folder that the backup contains, by their path in it. */
async function listDataFiles(dataFolder: string, withKeys: boolean): Promise<string[]> {
  const demonstration = await readdir(path.join(dataFolder, DEMONSTRATION_FOLDER), {
    withFileTypes: true,
  }).catch(() => [])
  const files = demonstration
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.new'))
    .map(({ name }) => `${DEMONSTRATION_FOLDER}/${name}`)
    // Other files, left by an editor for example, would make the backup impossible to restore.
    .filter((file) => DATA_FILE.test(file))
  const hasKeys = withKeys && (await isThere(path.join(dataFolder, KEYS_FILE)))
  return [...(hasKeys ? [KEYS_FILE] : []), ...files]
}
