import type { Kysely } from 'kysely'
import { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'

export type FlowVersion = {
  id: string
  definition: FlowDefinition
}

const KEPT = 1_000

/**
 * Reads versions, and keeps those it has read: a published version never changes. A reader inside a
 * transaction gives that transaction: one that asked the pool for a second connection could wait for
 * ever on others that do the same.
 */
export function createVersionReader() {
  const kept = new Map<string, FlowVersion>()
  return async function readVersion(db: Kysely<DB>, versionId: string): Promise<FlowVersion> {
    const known = kept.get(versionId)
    if (known) return known
    const row = await db
      .selectFrom('flowVersion')
      .select(['id', 'definition'])
      .where('id', '=', versionId)
      .executeTakeFirstOrThrow()
    const version = {
      id: row.id,
      definition: FlowDefinition.parse(JSON.parse(row.definition)),
    }
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!)
    kept.set(versionId, version)
    return version
  }
}
export type ReadVersion = ReturnType<typeof createVersionReader>
