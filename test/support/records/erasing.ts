/** All records of customers, of set-ups or near secrets, as text: for what must not be in it, or must stay. */
import { sql } from 'kysely'
import { nowOf, ofEach, storeOf, type Company, type Recorded } from './records.ts'

const OF_CUSTOMERS =
  'contact identifier conversation conversation_entry message notice handover flow_run'.split(' ')

/** Returns all records of customers, of every company, as one text. */
export const textOfCustomers = (world: Recorded): Promise<string> => textOf(world, OF_CUSTOMERS)

const OF_VISITORS = 'conversation message visitor visitor_ticket flow_run lead file'.split(' ')

/** Returns all records of visitors of websites, of every company, as one text. */
export const textOfVisitors = (world: Recorded): Promise<string> => textOf(world, OF_VISITORS)

/** Returns what is remembered of the opt-outs of erased contacts, a text each. */
export const rememberedOptOuts = (world: Recorded): Promise<string[]> =>
  recordsAsText(world, 'opt_out_memory')

/** Remembers the opt-out of an erased contact with the number. */
export async function rememberOptOut(world: Recorded, { companyId }: Company, digits: string) {
  await sql`update company set opt_out_salt = coalesce(opt_out_salt, 'salt')
    where id = ${companyId}`.execute(storeOf(world))
  await sql`insert into opt_out_memory (company_id, id_hash, word_at)
    values (${companyId}, opt_out_hash(${companyId}, 'number', number_key(${digits})), ${nowOf(world)})`.execute(
    storeOf(world),
  )
}

const WITH_SECRETS = 'channel endpoint_secret hook_url api_connection model audit call_log'.split(
  ' ',
)

/** Returns all records that hold a secret or may mention one, of every company, as one text. */
export const textOfSecrets = (world: Recorded): Promise<string> => textOf(world, WITH_SECRETS)

/** The column by which each record of a company's set-up names the object that it belongs to. */
const OF_SETUP = {
  endpoint: 'id',
  endpoint_secret: 'endpoint_id',
  endpoint_health: 'endpoint_id',
  webhook_delivery: 'endpoint_id',
  hook_url: 'id',
  api_connection: 'id',
  ai_action: 'id',
  channel: 'id',
  flow: 'id',
  flow_version: 'flow_id',
}

/** Returns all records of set-ups except those of the object with this id. The order is the same at each call. */
export async function setupBeside(world: Recorded, id: string): Promise<string[]> {
  const found: string[] = []
  for (const [table, column] of Object.entries(OF_SETUP)) {
    const { rows } = await sql<{ text: string }>`
      select row_to_json(each)::text as text from ${sql.table(table)} each
      where ${sql.ref(column)} <> ${id} order by 1`.execute(storeOf(world))
    found.push(...rows.map(({ text }) => `${table} ${text}`))
  }
  return found
}

async function recordsAsText(world: Recorded, table: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select row_to_json(each)::text as text from ${sql.table(table)} each`.execute(storeOf(world))
  return rows.map(({ text }) => text)
}

async function textOf(world: Recorded, tables: readonly string[]): Promise<string> {
  return (await ofEach(tables, (table) => recordsAsText(world, table))).join('\n')
}

async function allTables(world: Recorded): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(storeOf(world))
  return rows.map(({ name }) => name)
}

/** Returns all records of all tables as one text: for secrets that must not be among them. */
export const textOfEverything = async (world: Recorded): Promise<string> =>
  textOf(world, await allTables(world))

/** Returns the tables that contain a word; bodies of events are no text. */
export async function tablesWith(world: Recorded, word: string): Promise<string[]> {
  return ofEach(await allTables(world), async (table) =>
    (await textOf(world, [table])).includes(word) ? [table] : [],
  )
}

/** Makes every deletion of rows of a table fail. Returns the function that allows them again. */
export async function refuseDeletes(
  world: Recorded,
  table: string,
): Promise<() => Promise<unknown>> {
  const name = sql.table(table)
  await sql`create function refuse_delete() returns trigger language plpgsql as
    'begin raise exception ''refused by a test''; end'`.execute(storeOf(world))
  await sql`create trigger refuse_delete before delete on ${name}
    execute function refuse_delete()`.execute(storeOf(world))
  return () => sql`drop function refuse_delete() cascade`.execute(storeOf(world))
}
