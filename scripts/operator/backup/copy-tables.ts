/** Copies the tables of an archive into a database, in the order of the archive. */
import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams'
import type { Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'
import { contentName, readPieces } from './read-backup.ts'

type TableContent = Manifest['tables'][number]

/** The archive to copy from, and where its rows go. */
export type CopyOptions = {
  file: string
  manifest: Pick<Manifest, 'tables'>
  progress: Progress
  /** Returns the table that receives the rows of an archived table; by default the one of the same name. */
  into?: (table: string) => string
  /** A function to call once all rows of a table are copied. */
  onEnd?: (table: string) => Promise<void>
}

/**
 * Size of one `copy` statement. The server keeps the pending checks and triggers of a statement in memory, so a table is
 * copied by several.
 */
const STATEMENT_BYTES = 32 * 1_048_576
const LINE_END = 0x0a

/**
 * Copies all tables of a backup into the database.
 * @throws when the number of a table's rows differs from the manifest, or when its parts are in several places: their
 * rows would be counted separately
 */
export async function copyTables(client: pg.Client, options: CopyOptions): Promise<void> {
  const { file, manifest, progress } = options
  const tables = new Map(manifest.tables.map((table) => [`tables/${table.name}`, table]))
  const ended = new Set<TableContent>()
  let filled: ReturnType<typeof fillTable> | null = null
  let bytesRead = 0
  for await (const { name, bytes } of readPieces(file)) {
    const table = tables.get(contentName(name))
    if (filled && filled.table !== table) {
      await filled.end()
      ended.add(filled.table)
      filled = null
    }
    if (!table) continue
    if (ended.has(table)) {
      throw new Error(`The file is damaged: the table ${table.name} is in several places.`)
    }
    filled ??= fillTable(client, table, options)
    bytesRead += bytes.length
    progress.now(`table ${table.name}: ${Math.round(bytesRead / 1_048_576)} MB read`)
    await filled.write(bytes)
  }
}

/** Copies a table by several statements of whole rows. In this format, each line is one row. */
function fillTable(client: pg.Client, table: TableContent, options: CopyOptions) {
  const { into = (name) => name, onEnd, progress } = options
  const list = table.columns.map((column) => `"${column}"`).join(', ')
  const text = `copy "${into(table.name)}" (${list}) from stdin`
  let rows = 0
  let bytesOfStatement = 0
  let copying: { copy: CopyStreamQuery; finished: Promise<unknown> } | null = null

  async function send(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    copying ??= begin(client, text)
    const { copy, finished } = copying
    bytesOfStatement += bytes.length
    if (!copy.write(bytes)) await Promise.race([once(copy, 'drain'), finished])
  }

  async function endStatement(): Promise<void> {
    if (!copying) return
    const { copy, finished } = copying
    copying = null
    bytesOfStatement = 0
    copy.end()
    await finished
    rows += copy.rowCount
  }

  return {
    table,
    async write(bytes: Buffer): Promise<void> {
      const lineEnd = bytes.lastIndexOf(LINE_END)
      if (bytesOfStatement < STATEMENT_BYTES || lineEnd < 0) return send(bytes)
      await send(bytes.subarray(0, lineEnd + 1))
      await endStatement()
      await send(bytes.subarray(lineEnd + 1))
    },
    async end(): Promise<void> {
      await endStatement()
      if (rows !== table.rows) {
        throw new Error(
          `${table.name} has ${rows} rows instead of ${table.rows}. Nothing was restored`,
        )
      }
      progress.step(`table ${table.name}: ${rows} rows`)
      await onEnd?.(table.name)
    },
  }
}

function begin(client: pg.Client, text: string) {
  const copy = client.query(copyFrom(text))
  const finished = once(copy, 'finish')
  // The caller awaits `finished` later, so that a failure must not count as unhandled until then.
  finished.catch(() => {})
  return { copy, finished }
}
