import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'

/**
 * Locks conversations until the transaction ends: those with the given ids, and those of customers on a channel,
 * whichever identifier they are known by. Conversations that do not exist yet need no lock.
 *
 * Isolation: read committed, after an earlier statement has locked the customers' ids. One statement locks all in id
 * order, so that two batches that share some do not deadlock.
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
  const requested = customers.flatMap(({ companyId, channelId, identifiers }) =>
    identifiers.map((identifier) => ({ companyId, channelId, ...identifier })),
  )
  await sql`
    with requested as (
      select * from unnest(${requested.map(({ companyId }) => companyId)}::uuid[],
        ${requested.map(({ channelId }) => channelId)}::uuid[],
        ${requested.map(({ kind }) => kind)}::text[], ${requested.map(({ key }) => key)}::text[],
        ${requested.map(({ filedUnder }) => filedUnder)}::text[])
        as requested (company_id, channel_id, kind, key, filed_under)
    ), wanted as (
      select unnest(${ids}::text[]) as id
      union
      select found.id from requested cross join lateral (
        select id from conversation by_visitor
        where by_visitor.channel_id = requested.channel_id and by_visitor.filed_under = requested.filed_under
          and by_visitor.identity_id is null
        union all
        select by_identity.id from identifier join conversation by_identity
          on by_identity.identity_id = identifier.identity_id
          and by_identity.channel_id = requested.channel_id
        where identifier.company_id = requested.company_id and identifier.kind = requested.kind
          and identifier.key = requested.key and identifier.state <> 'left'
      ) found
    )
    select from conversation where id = any(array(select id from wanted)) order by id for update
  `.execute(tx)
}
