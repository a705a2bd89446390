import type { Kysely } from 'kysely'
import { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'

/** A published version of a flow. */
export type FlowVersion = {
  id: string
  definition: FlowDefinition
}

const MAX_VERSIONS = 1_000
/** The maximum number of characters of all cached definitions, which are up to about a million long. */
const MAX_CHARS = 32_000_000

/**
 * Creates a cached reader of versions, which never change once published. Within a transaction, pass the transaction:
 * a second connection of the pool could deadlock with other transactions that wait for one.
 */
export function createVersionReader() {
  // The least recently used version is the first entry.
  const cached = new Map<string, { version: FlowVersion; chars: number }>()
  let chars = 0

  function touch(versionId: string): FlowVersion | undefined {
    const known = cached.get(versionId)
    if (!known) return undefined
    cached.delete(versionId)
    cached.set(versionId, known)
    return known.version
  }

  return async function readVersion(db: Kysely<DB>, versionId: string): Promise<FlowVersion> {
    const known = touch(versionId)
    if (known) return known
    const row = await db
      .selectFrom('flowVersion')
      .select(['id', 'definition'])
      .where('id', '=', versionId)
      .executeTakeFirstOrThrow()
    // A concurrent call may have read the same version.
    const read = touch(versionId)
    if (read) return read
    const version = { id: row.id, definition: FlowDefinition.parse(JSON.parse(row.definition)) }
    cached.set(versionId, { version, chars: row.definition.length })
    chars += row.definition.length
    for (const [id, oldest] of cached) {
      if (cached.size <= MAX_VERSIONS && chars <= MAX_CHARS) break
      cached.delete(id)
      chars -= oldest.chars
    }
    return version
  }
}

/** A function that loads a published version by its id. */
export type ReadVersion = ReturnType<typeof createVersionReader>
