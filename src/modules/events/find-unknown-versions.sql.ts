import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { API_VERSIONS } from '../../core/vocabulary/events.ts'

/** Versions that endpoints still ask for and that are told no more, with how many ask for each. */
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
