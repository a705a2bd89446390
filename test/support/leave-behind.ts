/** Leftovers of a test in a database that the next test file must not find. */
import type { World } from './test-service.ts'

const CHANGES = {
  table: 'create table left_behind (id int)',
  trigger: `create trigger left_behind before insert on account for each row
    execute function suppress_redundant_updates_trigger()`,
  index: 'create index left_behind on account (created_at)',
  setting: `do $$ begin
    execute format('alter database %I set work_mem = ''8MB''', current_database());
  end $$`,
}

export type LeftBehind = keyof typeof CHANGES
export const LEFT_BEHIND = Object.keys(CHANGES) as LeftBehind[]

export async function leaveBehind(world: World, what: LeftBehind): Promise<void> {
  await world.database.db.pool.query(CHANGES[what])
}

/** Leaves a transaction open. Returns a function that ends its connection. */
export async function leaveTransactionOpen(world: World): Promise<() => void> {
  const client = await world.database.db.pool.connect()
  await client.query('begin')
  return () => client.release()
}
