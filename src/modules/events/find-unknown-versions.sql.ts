import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { API_VERSIONS } from '../../core/vocabulary/events.ts'

/** Returns the versions that endpoints still request but this release no longer sends, with the number of endpoints. */
export async function findUnknownVersions(
  db: Kysely<DB>,
): Promise<{ apiVersion: string; endpoints: number }[]> {
  const { rows } = await sql<{ apiVersion: string; endpoints: number }>`
    select api_version, count(*)::int as endpoints from endpoint
    where deleted_at is null and api_version <> all(${API_VERSIONS}::text[])
    group by api_version order by api_version
  `.execute(db)
  return rows
}
