/** Due times in whatever table has some. */
import { sql } from 'kysely'
import { storeOf, type Recorded } from './records.ts'

/** Returns the columns of due times, as `table.column`. */
export async function dueColumns(world: Recorded): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and column_name ~ 'due_at$' order by 1`.execute(
    storeOf(world),
  )
  return rows.map(({ name }) => name)
}

/** Returns the due times of all rows, by `table.column`. */
export async function dueTimes(world: Recorded): Promise<Record<string, Date[]>> {
  const times: Record<string, Date[]> = {}
  for (const name of await dueColumns(world)) {
    const [table = '', column = ''] = name.split('.')
    const { rows } = await sql<{ at: Date }>`
      select ${sql.ref(column)} as at from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by 1`.execute(storeOf(world))
    if (rows.length > 0) times[name] = rows.map(({ at }) => at)
  }
  return times
}
