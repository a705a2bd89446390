/** A database that refuses a write, as it does when it is crowded or broken, and what its transactions did. */
import { sql } from 'kysely'
import { storeOf, type Recorded } from './records.ts'

/** Writes that a test can have refused, with the condition under which PostgreSQL refuses them. */
const REFUSABLE = {
  'an accepted send': `before update on message for each row
    when (old.status = 'sending' and new.status = 'accepted')`,
} as const

/**
 * Makes the database refuse a kind of write with an error code of PostgreSQL: the first one, or each.
 * Returns a function that ends it.
 */
export async function refuseWrites(
  world: Recorded,
  write: keyof typeof REFUSABLE,
  { code, once = false }: { code: string; once?: boolean },
): Promise<() => Promise<void>> {
  const { pool } = world.service.context.db
  // A sequence also goes on where the transaction that asked it is rolled back.
  await pool.query('create sequence refused')
  await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin
      if nextval('refused') = 1 or ${String(!once)} then
        raise exception 'crowded out' using errcode = '${code}';
      end if;
      return new;
    end $$`)
  await pool.query(`create trigger refuse ${REFUSABLE[write]} execute function refuse()`)
  return async () => {
    await pool.query('drop function refuse cascade; drop sequence refused')
  }
}

/** Returns how many transactions wrote the contacts, or the messages, of a company whose ids begin so. */
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
