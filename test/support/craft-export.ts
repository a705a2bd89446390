/** Exports of accounts as an attacker could write them: with other rows, and a manifest that fits them. */
import { createHash } from 'node:crypto'
import { MANIFEST_NAME, tableEntry } from '../../scripts/operator/backup/manifest.ts'
import { readPieces } from '../../scripts/operator/backup/read-backup.ts'
import { writeArchive } from '../../scripts/operator/backup/write-archive.ts'
import { AccountManifest } from '../../scripts/operator/move/manifest.ts'

/** A row as `copy` writes it, by its columns. */
export type CopiedRow = Record<string, string>

/**
 * Copies an export into a new file, with the rows that `change` returns. The first row of the table `apart` is
 * before all other tables.
 */
export async function craftExport(
  { from, to, apart }: { from: string; to: string; apart?: string },
  change: (table: string, row: CopiedRow) => CopiedRow,
): Promise<void> {
  const entries = new Map<string, Buffer>()
  for await (const { name, bytes } of readPieces(from)) {
    entries.set(name, Buffer.concat([entries.get(name) ?? Buffer.alloc(0), bytes]))
  }
  const manifest = AccountManifest.parse(JSON.parse(entries.get(MANIFEST_NAME)!.toString()))
  entries.delete(MANIFEST_NAME)
  for (const table of manifest.tables) {
    const parts = [...entries.keys()].filter((name) => name.startsWith(`tables/${table.name}/`))
    if (parts.length === 0) continue
    const lines = Buffer.concat(parts.map((name) => entries.get(name)!)).toString()
    const changed = lines.replaceAll(/[^\n]+/g, (line) => {
      const values = line.split('\t')
      const row = Object.fromEntries(table.columns.map((column, n) => [column, values[n]!]))
      return Object.values(change(table.name, row)).join('\t')
    })
    for (const name of parts) entries.delete(name)
    const bytes = Buffer.from(changed)
    entries.set(tableEntry(table.name, 0), bytes)
    table.bytes = bytes.length
    table.sha256 = createHash('sha256').update(bytes).digest('hex')
  }
  const whole = apart === undefined ? undefined : entries.get(tableEntry(apart, 0))
  const parts: [string, Buffer][] = []
  if (apart !== undefined && whole) {
    const end = whole.indexOf('\n') + 1
    entries.set(tableEntry(apart, 1), whole.subarray(end))
    entries.delete(tableEntry(apart, 0))
    parts.push([tableEntry(apart, 0), whole.subarray(0, end)])
    // Each part has as many rows as the manifest says.
    manifest.tables.find(({ name }) => name === apart)!.rows = 1
  }
  entries.set(MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)))
  const at = new Date(manifest.madeAt)
  await writeArchive(to, async ({ putEntry }) => {
    for (const [name, content] of [...parts, ...entries]) await putEntry(name, content, at)
  })
}
