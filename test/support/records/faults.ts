/** A database that refuses a write, as it does when it is crowded or broken, and what its transactions did. */
import { sql } from 'kysely'
import { storeOf, type Recorded, type WithPool } from './records.ts'

/** Writes that a test can have refused, as the trigger that refuses them begins. */
const REFUSABLE = {
  'a new message': 'before insert on message for each row',
  'an accepted send': `before update on message for each row
    when (old.status = 'sending' and new.status = 'accepted')`,
  'a page of a close job': `before update on close_job for each row
    when (new.looked_at > old.looked_at)`,
} as const

let serial = 0

/**
 * Makes the database refuse a kind of write with an error code of PostgreSQL: each of them, the first one
 * only (`once`), or those with a `text`. Returns a function that ends it.
 */
export async function refuseWrites(
  world: WithPool,
  write: keyof typeof REFUSABLE,
  { code = 'P0001', once = false, text }: { code?: string; once?: boolean; text?: string } = {},
): Promise<() => Promise<void>> {
  const { pool } = world.service.context.db
  serial += 1
  const name = `refuse_${serial}`
  const conditions = [
    // A sequence also goes on where the transaction that asked it is rolled back.
    ...(once ? [`nextval('${name}') = 1`] : []),
    ...(text === undefined ? [] : [`new.text = '${text.replaceAll("'", "''")}'`]),
  ]
  await pool.query(`
    create sequence ${name};
    create function ${name}() returns trigger language plpgsql as $$ begin
      if ${conditions.join(' and ') || 'true'} then
        raise exception 'as the test says' using errcode = '${code}';
      end if;
      return new;
    end $$;
    create trigger ${name} ${REFUSABLE[write]} execute function ${name}()`)
  return async () => {
    await pool.query(`drop function ${name} cascade; drop sequence ${name}`)
  }
}

/** Counts the changes of messages from now on. Returns a function that returns their ids, in order. */
export async function watchMessageChanges(world: WithPool): Promise<() => Promise<string[]>> {
  const { pool } = world.service.context.db
  await pool.query(`
    create table changed (id text);
    create function note_change() returns trigger language plpgsql as $$
      begin insert into changed values (new.id); return new; end $$;
    create trigger note_change after update on message for each row execute function note_change()`)
  return async () => {
    const { rows } = await pool.query<{ id: string }>('select id from changed')
    return rows.map(({ id }) => id)
  }
}

/** Returns how many transactions wrote the contacts, or the messages, of a company that are named so. */
export async function transactionsOf(
  world: Recorded,
  { companyId }: { companyId: string },
  written: { contactsNamed: string } | { providerMessageIds: string },
): Promise<{ records: number; transactions: number }> {
  const counts = sql<{ records: number; transactions: number }>`
    count(*)::int as records, count(distinct xmin::text)::int as transactions`
  const { rows } = await (
    'contactsNamed' in written
      ? sql<{ records: number; transactions: number }>`select ${counts} from contact
        where company_id = ${companyId} and name = ${written.contactsNamed}`
      : sql<{ records: number; transactions: number }>`select ${counts} from message
        where company_id = ${companyId} and provider_message_id like ${`${written.providerMessageIds}%`}`
  ).execute(storeOf(world))
  return rows[0]!
}
