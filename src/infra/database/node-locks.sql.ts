import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from './tables.ts'

/** The first key of the locks that show a process as alive. The second one is the process's node id. */
const NODE_LOCKS = 0x57_41_53_4c

/** The TCP keep-alive settings in seconds: the server notices a vanished machine within about 11 s. */
export const KEEP_ALIVE = { idle: 5, interval: 2, count: 3 }

/**
 * Takes a shared advisory lock that shows this node as alive for as long as the session lives, and sets the session's
 * TCP keep-alive. Because the lock is shared, a new session need not wait for a broken one that the server still holds,
 * and another process with the same node id is not refused. The lock has no meaning behind a proxy that pools by
 * transaction (docs/decisions/0029).
 */
export async function acquireNodeLock(session: pg.ClientBase, node: string): Promise<void> {
  await session.query(
    `select pg_advisory_lock_shared($1, $2),
      set_config('tcp_keepalives_idle', $3, false),
      set_config('tcp_keepalives_interval', $4, false),
      set_config('tcp_keepalives_count', $5, false)`,
    [NODE_LOCKS, Number.parseInt(node, 16) | 0, ...Object.values(KEEP_ALIVE).map(String)],
  )
}

/** Returns a claim id that begins with a node's id and continues with `uuid`, which must not be used elsewhere. */
export function claimIdOf(node: string, uuid: string): string {
  return `${node}${uuid.slice(8, 14)}8${uuid.slice(15)}`
}

/** Builds the SQL condition that a row's claim belongs to one of these nodes. */
export const isClaimOf = (nodes: readonly string[]) =>
  sql<boolean>`(substr(claim_id::text, 15, 1) = '8' and left(claim_id::text, 8) = any(${nodes}::text[]))`

/** SQL query of the nodes that are alive. */
export const ALIVE_NODES = sql`
  select lpad(to_hex(objid::bigint), 8, '0') as node from pg_locks
  where locktype = 'advisory' and classid = ${NODE_LOCKS} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`

/** Returns the node ids of the live processes with workers, sorted. */
export async function listNodes(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ node: string }>`
    select distinct node from (${ALIVE_NODES}) alive order by node`.execute(db)
  return rows.map(({ node }) => node)
}

/** Returns the number of live processes with workers. */
export async function countNodes(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct node)::int as count from (${ALIVE_NODES}) alive`.execute(db)
  return rows[0]!.count
}
