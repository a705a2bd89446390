import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DuplicateQuery, DuplicateView } from '../../contract/dashboard/contact.ts'
import { toOrderedPage } from '../../contract/dashboard/ordered-page.ts'
import type { Page } from '../../contract/dashboard/page.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { DUPLICATE_LIMITS } from '../../core/limits/contacts.ts'
import { ServiceError } from '../../core/service-error.ts'
import { NEVER_SEEN, readSeen } from './list-contacts.ts'
import { readWithTimeout } from './read-with-timeout.ts'
import { readArchivedKeys, viewContact } from './view-contact.ts'

type Query = DuplicateQuery & { companyId: string }

/** Reasons why two contacts may be duplicates, strongest first. */
const REASONS: readonly DuplicateView['by'][] = [
  'shown_as_one',
  'account_again',
  'number_moved',
  'email',
  'raw_phone',
  'name',
]

/**
 * Returns a page of pairs of contacts that may be one customer, for a member's decision: nothing is merged automatically.
 * Each pair is listed once, by its strongest reason; of one reason, the newest pair comes first. Pairs that a member
 * rejected or unmerged are left out.
 *
 * @throws service_unavailable when there are too many contacts to search in time; rate_limited.
 * Spec: Contacts › Merging.
 */
export async function listDuplicates(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, limit, cursor }: Query,
): Promise<Page<DuplicateView>> {
  const { statementMs, movedMs } = DUPLICATE_LIMITS
  const since = new Date(clock.now().getTime() - movedMs)
  const within = { companyId, withinMs: statementMs }
  const page = await readWithTimeout(db, within, async (tx) => {
    const pairs = await findPairs(tx, { companyId, limit, cursor }, since)
    const ids = [...new Set(pairs.flatMap(({ older, newer }) => [older, newer]))]
    const contacts = await readListed(tx, companyId, ids)
    return toOrderedPage(
      pairs,
      limit,
      ({ strength, older, newer }) => ({ by: `${strength}`, id: `${newer}_${older}` }),
      ({ strength, value, older, newer }): DuplicateView => ({
        by: REASONS[strength]!,
        value,
        contacts: [contacts.get(older)!, contacts.get(newer)!],
      }),
    )
  })
  if (!page) throw new ServiceError('service_unavailable', fact('too_many_to_compare'))
  return page
}

type Pair = { strength: number; value: string; older: string; newer: string }

async function findPairs(
  tx: Transaction<DB>,
  { companyId, limit, cursor }: Query,
  since: Date,
): Promise<Pair[]> {
  const [newer = null, older = null] = cursor?.id.split('_') ?? []
  const after = cursor
    ? sql`strength > ${Number(cursor.by)} or strength = ${Number(cursor.by)}
        and (newer, older) < (${newer}::uuid, ${older}::uuid)`
    : sql`true`
  const { rows } = await sql<Pair>`
    with ${sharedValues('emails', companyId, { value: sql`lower(email)`, written: sql`email` })},
    ${sharedValues('names', companyId, { value: sql`search_name`, written: sql`name` })},
    rejected as materialized (
      select least(one, two) as older, greatest(one, two) as newer from (
        select coalesce(of_a.into_id, a) as one, coalesce(of_b.into_id, b) as two from not_same
          left join contact_merge of_a on of_a.from_id = a left join contact_merge of_b on of_b.from_id = b
        where not_same.company_id = ${companyId}) resolved
    ), found as (
      ${reportedAsOne(companyId)}
      union all ${movedNumbers(companyId, since)}
      union all ${pairsOf('email', 'emails')}
      union all ${importedEmails(companyId)}
      union all ${sharedRawNumbers(companyId)}
      union all ${pairsOf('name', 'names')}
    ), pairs as (
      select distinct on (older, newer) strength, value, older, newer from (
        select strength, value, least(one, two) as older, greatest(one, two) as newer from found) ordered
      where not exists (select from rejected where rejected.older = ordered.older and rejected.newer = ordered.newer)
      order by older, newer, strength
    )
    select * from pairs where ${after}
    order by strength, newer desc, older desc limit ${limit + 1}`.execute(tx)
  return rows
}

const strengthOf = (by: DuplicateView['by']) => sql.lit(REASONS.indexOf(by))

/** Returns a CTE of the contacts that share a value, numbered per value, which is normalized and as written. */
const sharedValues = (
  name: string,
  companyId: string,
  { value, written }: { value: RawBuilder<unknown>; written: RawBuilder<unknown> },
) => sql`${sql.ref(name)} as materialized (
    select value, written, id, row_number() over (partition by value order by id) as place
    from (select ${value} as value, ${written} as written, id, count(*) over (partition by ${value}) as many
      from contact where company_id = ${companyId} and ${value} <> '') valued
    where many > 1)`

/** Returns a query that pairs each contact with the next few that share its value, as all pairs would be too many. */
const pairsOf = (by: DuplicateView['by'], name: string) => sql`
  select ${strengthOf(by)} as strength, older.written as value, older.id as one, newer.id as two
  from ${sql.table(name)} older
    cross join generate_series(1, ${sql.lit(DUPLICATE_LIMITS.nextOfValue)}) step
    join ${sql.table(name)} newer on newer.value = older.value and newer.place = older.place + step`

/** Pairs that a provider reported as one customer, of groups too large to be merged. */
const reportedAsOne = (companyId: string) => sql`
  select ${strengthOf('shown_as_one')} as strength,
    coalesce(other.phone, other.whatsapp_id, contact.phone, contact.whatsapp_id, '') as value,
    contact.id as one, other.id as two
  from identity_change noted join contact on contact.id = noted.contact_id
    cross join lateral (select (noted.detail ->> 'with')::uuid as id) input
    left join contact_merge merged on merged.from_id = input.id
    join contact other on other.id = coalesce(merged.into_id, input.id) and other.id <> contact.id
  where noted.company_id = ${companyId} and noted.what = 'not_joined'
    and contact.company_id = noted.company_id and other.company_id = noted.company_id`

/**
 * Pairs of a contact that recently lost a number and the one that has it now. A contact created when the number
 * arrived may be the same customer with a new account.
 */
const movedNumbers = (companyId: string, since: Date) => sql`
  select case when holder.created_at >= gone.changed_at then ${strengthOf('account_again')}
      else ${strengthOf('number_moved')} end as strength,
    '+' || held.value as value, loser.contact_id as one, holder.contact_id as two
  from identifier gone join identifier held on held.company_id = gone.company_id
      and held.kind = gone.kind and held.key = gone.key and held.state <> 'left'
    join identity loser on loser.id = gone.identity_id join identity holder on holder.id = held.identity_id
  where gone.company_id = ${companyId} and gone.state = 'left' and gone.kind = 'number'
    and gone.changed_at > ${since} and loser.contact_id <> holder.contact_id`

/** Pairs of contacts from import rows with the number of one and the e-mail address of the other. */
const importedEmails = (companyId: string) => sql`
  select ${strengthOf('email')} as strength, other.email as value, contact.id as one, other.id as two
  from contact_import join contact_import_row row on row.import_id = contact_import.id
    join contact on contact.id = row.contact_id and contact.company_id = contact_import.company_id
    join contact other on other.company_id = contact_import.company_id
      and lower(other.email) = row.email and other.id <> contact.id
  where contact_import.company_id = ${companyId} and row.notes like '%"email_of_another"%'`

/** Pairs of contacts where the number without country of one ends the number of the other. */
const sharedRawNumbers = (companyId: string) => sql`
  select ${strengthOf('raw_phone')} as strength, raw.raw_phone as value, raw.id as one, whole.id as two
  from contact raw
    cross join lateral (select ltrim(regexp_replace(raw.raw_phone, '[^0-9]', '', 'g'), '0') as digits) written
    join contact whole on whole.company_id = raw.company_id and whole.id <> raw.id
      and length(digits) >= 7 and right(whole.phone, 7) = right(digits, 7)
      and right(whole.phone, length(digits)) = digits
  where raw.company_id = ${companyId} and raw.raw_phone is not null`

async function readListed(tx: Transaction<DB>, companyId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await tx
    .selectFrom('contact')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .execute()
  const archivedKeys = await readArchivedKeys(tx, companyId)
  const seen = await readSeen(tx, companyId, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      { ...viewContact(row, archivedKeys), ...(seen.get(row.id) ?? NEVER_SEEN) },
    ]),
  )
}
