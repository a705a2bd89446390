import type { Kysely, Selectable } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'

/** Tables whose rows belong to a company and are watched by id. */
type Watched = 'conversation' | 'message' | 'handover' | 'lead' | 'broadcast'

/** Returns the existing rows of a company with these ids. */
export async function rowsOf<Table extends Watched>(
  db: Kysely<DB>,
  table: Table,
  { companyId, ids }: { companyId: string; ids: readonly string[] },
): Promise<Selectable<DB[Table]>[]> {
  const rows = await db
    .selectFrom<Watched>(table)
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .execute()
  return rows as Selectable<DB[Table]>[]
}
