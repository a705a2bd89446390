/**
 * Companies of the largest size, written by SQL: one with `contacts` that have a conversation and ten messages on
 * average each, and others that have a fifth of that together.
 */
import type pg from 'pg'
import { searchForm } from '../src/rules/text/search-form.ts'

/** A company to fill: its channel, and the members who are assigned conversations. */
export type Filled = { companyId: string; channelId: string; people: readonly string[] }

const FIRST =
  'محمد أحمد فاطمة سارة عمر يوسف مريم خالد نورة عبدالله إبراهيم ليلى هند طارق رنا زياد Omar Sara Nadia James Maria David Anna Yusuf Layla Peter Chen Aisha Ivan Rosa'.split(
    ' ',
  )
const LAST =
  'الحربي القحطاني العتيبي الشمري الدوسري الزهراني المصري الشامي حداد نجار خوري منصور Haddad Mansour Smith Garcia Müller Okafor Rossi Tanaka Silva Novak Khan Patel Brown Santos'.split(
    ' ',
  )
const WORDS = 'order box delivery thanks طلب توصيل شكرا متى يصل السعر please tomorrow'.split(' ')
/** Conversations that last for years, with a twentieth of all messages. */
const LONG_CONVERSATIONS = 50
const MESSAGES_EACH = 10
const PART = 250_000

/** Returns the required disk space with the write-ahead log, by measurement. */
export const bytesFor = (contacts: number): number => 4_000_000_000 + contacts * 16_000

/** Fills the tables without triggers and large indexes, which are created afterwards. */
export async function fillInbox(
  client: pg.Client,
  filled: readonly Filled[],
  contacts: number,
  log: (line: string) => void,
): Promise<void> {
  // References and triggers need not be checked: this data is consistent.
  await client.query('set session_replication_role = replica; set synchronous_commit = off')
  await client.query("set maintenance_work_mem = '512MB'; set statement_timeout = 0")
  const indexes = await dropIndexes(client)
  await makeNames(client)
  for (const [place, company] of filled.entries()) {
    const count = place === 0 ? contacts : Math.ceil(contacts / 5 / (filled.length - 1))
    const values = [company.companyId, company.channelId, place, count]
    await inParts(count, (from, to) => client.query(CONTACTS, [...values, from, to]))
    await inParts(count, (from, to) =>
      client.query(IDENTIFIERS, [company.companyId, place, from, to]),
    )
    const people = [...values, company.people]
    await inParts(count, (from, to) => client.query(CONVERSATIONS, [...people, from, to]))
    if (place === 0) log(`${count} contacts and conversations`)
    const messages = count * MESSAGES_EACH
    await inParts(messages, async (from, to) => {
      await client.query(MESSAGES, [...values, messages, WORDS, LONG_CONVERSATIONS, from, to])
      if (place === 0 && to % 1_000_000 === 0) log(`${to} messages`)
    })
  }
  await client.query(HANDOVERS)
  for (const { name, definition } of indexes) {
    await client.query(definition)
    log(`index ${name}`)
  }
  await client.query(
    'vacuum (analyze) contact, identity, identifier, conversation, message, handover',
  )
}

async function inParts(
  count: number,
  write: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 1; from <= count; from += PART)
    await write(from, Math.min(from + PART - 1, count))
}

/**
 * Drops the indexes of the large tables that no constraint needs: creating them afterwards takes a fraction of the
 * time.
 */
async function dropIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select relation.relname as name, pg_get_indexdef(relation.oid) as definition
    from pg_index join pg_class relation on relation.oid = indexrelid
    where indrelid in ('contact'::regclass, 'identity'::regclass, 'identifier'::regclass, 'conversation'::regclass,
        'message'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index "${name}"`)
  return rows
}

async function makeNames(client: pg.Client): Promise<void> {
  const names = FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`))
  await client.query(
    `create temp table made_name as
    select row_number() over () - 1 as place, name, search_name
    from unnest($1::text[], $2::text[]) as made (name, search_name)`,
    [names, names.map((name) => searchForm(name))],
  )
  await client.query('create index on made_name (place)')
}

/** Builds the SQL of ids that grow with the number, as a service's ids grow with time. */
const ID = (kind: number, company: string, n: string) =>
  `('019a0000-0000-7000-8${kind}' || lpad(to_hex(${company}::int), 2, '0') || '-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`
/** Builds the SQL of creation times: the last contact or conversation is created now, the others before it. */
const AT = (n: string, count: string) =>
  `(now() - interval '400 days' * (1 - (${n})::float8 / (${count})::float8))`

const CONTACTS = `
  insert into contact (id, company_id, name, search_name, phone, email, tags, source, created_at, updated_at)
  select ${ID(0, '$3', 'n')}, $1::uuid, made_name.name, made_name.search_name,
    '+9665' || lpad((n + $3::int * 5000000)::text, 8, '0'),
    case when n % 4 = 0 then 'customer' || n || '@example.com' end,
    case when n % 10 = 0 then array['vip'] when n % 3 = 0 then array['new', 'riyadh'] else '{}' end,
    'message', ${AT('n', '$4')}, ${AT('n', '$4')}
  from generate_series($5::int, $6::int) n
    join made_name on made_name.place = (n * 7919::bigint) % (select count(*) from made_name)
  where $2::uuid is not null
  order by n`

const IDENTIFIERS = `
  with identity as (
    insert into identity (id, company_id, contact_id, created_at)
    select ${ID(0, '$2', 'n')}, $1::uuid, ${ID(0, '$2', 'n')}, now()
    from generate_series($3::int, $4::int) n
  )
  insert into identifier (company_id, identity_id, kind, key, value, proof, first_at, shown_at)
  select $1::uuid, ${ID(0, '$2', 'n')}, 'number', number, number, 'shown', now(), now()
  from generate_series($3::int, $4::int) n
    cross join lateral (select '9665' || lpad((n + $2::int * 5000000)::text, 8, '0') as number) line`

const CONVERSATIONS = `
  insert into conversation (id, company_id, channel_id, channel_type, contact_id, identity_id, filed_under, status,
    handled_by, assignee_id, needs_staff, waiting_since, announced_at, service_window_ends_at,
    last_message_at, last_customer_at, last_text, last_sender, created_at)
  select 'c_' || $3::int || '_' || n, $1::uuid, $2::uuid, 'whatsapp', ${ID(0, '$3', 'n')}, ${ID(0, '$3', 'n')},
    '9665' || lpad((n + $3::int * 5000000)::text, 8, '0'),
    case when is_open then 'open' else 'resolved' end,
    case when is_staff then 'staff' else 'assistant' end,
    case when is_staff and n % 2 = 0 then ($5::uuid[])[1 + (n / 2) % cardinality($5::uuid[])] end,
    is_staff and n % 2 = 1, case when is_staff and n % 3 = 0 then at end,
    at, at + interval '24 hours', at, at, 'please, when does the order come', 'customer', at
  from (select n, n % 10 < 3 as is_open, n % 10 = 0 or n % 10 = 1 as is_staff,
      ${AT('((n * 7919::bigint) % $4::bigint)', '$4')} as at
    from generate_series($6::int, $7::int) n) made`

const MESSAGES = `
  insert into message (id, company_id, conversation_id, channel_id, direction, sender, type, text,
    provider_message_id, send_key, priority, attempt, status, occurred_at, created_at)
  select 'm_' || $3::int || '_' || n, $1::uuid,
    'c_' || $3::int || '_' || case when n % 20 = 0 then 1 + (n / 20) % least($7::int, $4::int)
      else 1 + (n * 7919::bigint) % $4::bigint end,
    $2::uuid, case when n % 2 = 0 then 'in' else 'out' end,
    case when n % 2 = 0 then 'customer' else 'staff' end, 'text',
    ($6::text[])[1 + n % cardinality($6::text[])] || ' ' || n,
    'wamid.' || $3::int || '.' || n, case when n % 2 = 1 then 'k_' || $3::int || '_' || n end,
    case when n % 2 = 1 then 1 end, case when n % 2 = 1 then 1 end,
    case when n % 2 = 1 then 'read' end, ${AT('n', '$5')}, ${AT('n', '$5')}
  from generate_series($8::int, $9::int) n`

const HANDOVERS = `
  insert into handover (id, company_id, conversation_id, reason, opened_at)
  select gen_random_uuid(), company_id, id,
    (array['customer_asked_for_person', 'customer_upset'])[1 + (hashtext(id) & 1)],
    last_message_at
  from conversation where needs_staff`
