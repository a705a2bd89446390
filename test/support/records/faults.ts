/** A database that refuses a write, as an overloaded or broken one does, and the transactions that it ran. */
import { sql } from 'kysely'
import { storeOf, type Recorded, type WithPool } from './records.ts'

/** Writes that a test can have refused, as the trigger that refuses them begins. */
const REFUSABLE = {
  'a new message': 'before insert on message for each row',
  'an accepted send': `before update on message for each row
    when (old.status = 'sending' and new.status = 'accepted')`,
  'a step of a run': 'before insert on flow_run_step for each row',
  'a new contact': 'before insert on contact for each row',
  'a mailed notice': `before update on notice for each row
    when (new.mailed_at is not null)`,
  'the sums of an hour': 'before insert on delivery_hour for each row',
  'calls of a day': 'before insert on call_day for each row',
  'a new run': 'before insert on flow_run for each row',
  'usage of models': 'before insert on model_day for each row',
  'the deletion of usage of models': 'before delete on model_day for each row',
  'a page of a close job': `before update on close_job for each row
    when (new.looked_at > old.looked_at)`,
} as const

let serial = 0

/**
 * Makes the database refuse a kind of write with an error code of PostgreSQL. It refuses each of them, or those
 * with a `text`, of a run or of an account, and of these only the first (`once`) or the `nth`. Returns a
 * function that ends it.
 */
export async function refuseWrites(
  world: WithPool,
  write: keyof typeof REFUSABLE,
  {
    code = 'P0001',
    once = false,
    nth = once ? 1 : undefined,
    text,
    runId,
    accountId,
  }: {
    code?: string
    once?: boolean
    nth?: number
    text?: string
    runId?: string
    accountId?: string
  } = {},
): Promise<() => Promise<void>> {
  const { pool } = world.service.context.db
  serial += 1
  const name = `refuse_${serial}`
  const conditions = [
    ...(text === undefined ? [] : [`new.text = '${text.replaceAll("'", "''")}'`]),
    ...(runId === undefined ? [] : [`new.run_id = '${runId}'`]),
    ...(accountId === undefined ? [] : [`new.account_id = '${accountId}'`]),
  ]
  // A sequence also advances when the transaction that used it is rolled back.
  const turn = nth === undefined ? 'true' : `nextval('${name}') = ${nth}`
  await pool.query(`
    create sequence ${name};
    create function ${name}() returns trigger language plpgsql as $$ begin
      if ${conditions.join(' and ') || 'true'} then
        if ${turn} then raise exception 'as the test says' using errcode = '${code}'; end if;
      end if;
      return new;
    end $$;
    create trigger ${name} ${REFUSABLE[write]} execute function ${name}()`)
  return async () => {
    await pool.query(`drop function ${name} cascade; drop sequence ${name}`)
  }
}

/** Renames a table, so that reads and writes of it fail. Returns a function that restores it. */
export async function takeTableAway(
  world: WithPool,
  table: 'hook_shape' | 'hook_url_count' | 'company_hook_count',
): Promise<() => Promise<void>> {
  const { pool } = world.service.context.db
  await pool.query(`alter table ${table} rename to gone`)
  return async () => {
    await pool.query(`alter table gone rename to ${table}`)
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

/**
 * Records from now on each claim of a delivery that ends without its attempt in the log. Returns a function
 * that returns the deliveries of these claims, one for each claim.
 */
export async function watchCutOffClaims(world: WithPool): Promise<() => Promise<string[]>> {
  const { pool } = world.service.context.db
  await pool.query(`
    create table cut_off (delivery_id uuid not null);
    create function note_cut_off() returns trigger language plpgsql as $$
      begin insert into cut_off values (old.id); return null; end $$;
    create trigger cut_off after update on delivery_queue for each row
      when (old.claim_id is not null and new.claim_id is distinct from old.claim_id
        and new.queue = old.queue) execute function note_cut_off()`)
  return async () => {
    const { rows } = await pool.query<{ id: string }>('select delivery_id as id from cut_off')
    return rows.map(({ id }) => id)
  }
}
