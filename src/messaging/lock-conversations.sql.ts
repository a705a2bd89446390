import { sql, type Transaction } from 'kysely'
import type { DB } from '../database/tables.ts'
import type { Alias } from './lock-customer.ts'

/**
 * Holds conversations until the transaction ends: those with these ids, and those that customers have on
 * a channel, whichever of their ids they are known by. What is not there yet nobody else can hold.
 *
 * Isolation: read committed, after the customers' ids were locked by a statement before; in the order of
 * the ids, all in this one statement, so that two batches that share some only wait for each other.
 */
export async function lockConversations(
  tx: Transaction<DB>,
  {
    ids,
    customers,
  }: {
    ids: readonly string[]
    customers: readonly { companyId: string; channelId: string; aliases: readonly Alias[] }[]
  },
): Promise<void> {
  const asked = customers.flatMap(({ companyId, channelId, aliases }) =>
    aliases.map((alias) => ({ companyId, channelId, ...alias })),
  )
  await sql`
    with asked as (
      select * from unnest(${asked.map(({ companyId }) => companyId)}::uuid[],
        ${asked.map(({ channelId }) => channelId)}::uuid[],
        ${asked.map(({ kind }) => kind)}::text[], ${asked.map(({ value }) => value)}::text[])
        as asked (company_id, channel_id, kind, value)
    ), wanted as (
      select unnest(${ids}::text[]) as id
      union
      select found.id from asked cross join lateral (
        select id from conversation by_id
        where by_id.channel_id = asked.channel_id and by_id.filed_under = asked.value
        union all
        select by_contact.id from contact_alias join conversation by_contact
          on by_contact.contact_id = contact_alias.contact_id
          and by_contact.channel_id = asked.channel_id
        where contact_alias.company_id = asked.company_id and contact_alias.kind = asked.kind
          and contact_alias.value = asked.value
      ) found
    )
    select from conversation where id = any(array(select id from wanted)) order by id for update
  `.execute(tx)
}
