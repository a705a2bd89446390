import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'

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
    customers: readonly {
      companyId: string
      channelId: string
      identifiers: readonly Identifier[]
    }[]
  },
): Promise<void> {
  const asked = customers.flatMap(({ companyId, channelId, identifiers }) =>
    identifiers.map((identifier) => ({ companyId, channelId, ...identifier })),
  )
  await sql`
    with asked as (
      select * from unnest(${asked.map(({ companyId }) => companyId)}::uuid[],
        ${asked.map(({ channelId }) => channelId)}::uuid[],
        ${asked.map(({ kind }) => kind)}::text[], ${asked.map(({ key }) => key)}::text[],
        ${asked.map(({ filedUnder }) => filedUnder)}::text[])
        as asked (company_id, channel_id, kind, key, filed_under)
    ), wanted as (
      select unnest(${ids}::text[]) as id
      union
      select found.id from asked cross join lateral (
        select id from conversation by_visitor
        where by_visitor.channel_id = asked.channel_id and by_visitor.filed_under = asked.filed_under
          and by_visitor.identity_id is null
        union all
        select by_identity.id from identifier join conversation by_identity
          on by_identity.identity_id = identifier.identity_id
          and by_identity.channel_id = asked.channel_id
        where identifier.company_id = asked.company_id and identifier.kind = asked.kind
          and identifier.key = asked.key and identifier.state <> 'left'
      ) found
    )
    select from conversation where id = any(array(select id from wanted)) order by id for update
  `.execute(tx)
}
