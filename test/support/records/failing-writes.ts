/** A database that answers, and refuses all writes. */
import { sql } from 'kysely'
import { endConnections } from '../end-connections.ts'
import type { World } from '../test-service.ts'

export const WAYS_TO_FAIL = ['the database is read-only', 'the disk is full'] as const

/**
 * Makes writes fail until the returned function is called. A disk that is full is played by the server's own error for
 * it, in every statement that makes a file or adds a row.
 */
export async function failWrites(
  { database }: Pick<World, 'database'>,
  way: (typeof WAYS_TO_FAIL)[number],
): Promise<() => Promise<void>> {
  const { kysely, pool } = database.db
  const name = sql.id(
    (await sql<{ name: string }>`select current_database() as name`.execute(kysely)).rows[0]!.name,
  )
  if (way === 'the database is read-only') {
    await sql`alter database ${name} set default_transaction_read_only = on`.execute(kysely)
    await endConnections(pool)
    return async () => {
      await kysely.connection().execute(async (session) => {
        await sql`set default_transaction_read_only = off`.execute(session)
        await sql`alter database ${name} reset default_transaction_read_only`.execute(session)
      })
      await endConnections(pool)
    }
  }
  await sql`create function fail_writes() returns trigger language plpgsql as
    $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    kysely,
  )
  await sql`create function fail_files() returns event_trigger language plpgsql as
    $$ begin raise 'could not create file: No space left on device' using errcode = '53100'; end $$`.execute(
    kysely,
  )
  await sql`create trigger fail_writes before insert on flow_run execute function fail_writes()`.execute(
    kysely,
  )
  await sql`create event trigger fail_files on ddl_command_start when tag in ('CREATE TABLE AS')
    execute function fail_files()`.execute(kysely)
  return async () => {
    await sql`drop event trigger fail_files`.execute(kysely)
    await sql`drop function fail_writes, fail_files cascade`.execute(kysely)
  }
}
