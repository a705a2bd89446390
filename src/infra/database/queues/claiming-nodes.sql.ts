import { sql, type Kysely } from 'kysely'
import { ALIVE_NODES } from '../node-locks.sql.ts'
import type { DB } from '../tables.ts'
import { isClaimed, type Claimable, type Since } from './queue.ts'

/**
 * Returns the other nodes with a claim in one of these queues, and whether each is alive. `isSeen` is true when the
 * server shows this node's own lock. Claims whose id names no node are ignored, and those before `since`: they end with
 * their lease.
 */
export async function findClaimingNodes(
  db: Kysely<DB>,
  { queues, asking, since }: { queues: readonly Claimable[]; asking: string; since: Since },
): Promise<{ isSeen: boolean; others: { node: string; isAlive: boolean }[] }> {
  const claims = queues.map(
    (queue) => sql`select claim_id from ${sql.table(queue.table)} where ${isClaimed(queue, since)}`,
  )
  const { rows } = await sql<{ node: string; isAlive: boolean }>`
    with claiming as (
      select distinct left(claim_id::text, 8) as node from (
        ${sql.join(claims, sql` union all `)}) claim
      where substr(claim_id::text, 15, 1) = '8'
    ), alive as (${ALIVE_NODES})
    select node, node in (select node from alive) as is_alive
    from (select node from claiming union select ${asking}) looked_for
  `.execute(db)
  return {
    isSeen: rows.some(({ node, isAlive }) => node === asking && isAlive),
    others: rows.filter(({ node }) => node !== asking),
  }
}
