import type pg from 'pg'

/** A table with its columns, without generated ones. */
export type Table = { name: string; columns: string[] }

/** Tables that no backup contains: the manifest lists the migrations, and watchers of live changes reconnect. */
const LEFT_OUT = ['schema_migration', 'live_watch', 'live_change']

/** Returns every table of the service with its columns. Partitions are not listed, only their partitioned table. */
export async function readTables(client: Pick<pg.ClientBase, 'query'>): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relation.relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class relation join pg_attribute on attrelid = relation.oid
    where relation.relnamespace = current_schema()::regnamespace
      and relation.relkind in ('r', 'p') and not relation.relispartition
      and relation.relname <> all ($1) and relation.relname !~ '_\\d{8}$'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relation.oid order by relation.relname`,
    [LEFT_OUT],
  )
  return rows
}

/** Returns the days for which partitions exist, as `YYYY-MM-DD` in ascending order. */
export async function readDays(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ day: string }>(
    `select distinct to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
    from pg_inherits join pg_class child on child.oid = inhrelid
    where child.relispartition and child.relname ~ '_\\d{8}$'
      and child.relnamespace = current_schema()::regnamespace
    order by 1`,
  )
  return rows.map(({ day }) => day)
}
