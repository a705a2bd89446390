import type { Kysely } from 'kysely'
import { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'

export type FlowVersion = {
  id: string
  definition: FlowDefinition
}

const KEPT = 1_000

/**
 * Creates a cached reader of versions, which never change once published. Within a transaction, pass the transaction:
 * a second connection of the pool could deadlock with other transactions that wait for one.
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
    const version = { id: row.id, definition: FlowDefinition.parse(JSON.parse(row.definition)) }
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!)
    kept.set(versionId, version)
    return version
  }
}
/** A function that loads a version by its id. */
export type ReadVersion = ReturnType<typeof createVersionReader>
