/** Sessions of people who are signed in. */
import { sql } from 'kysely'
import { endConnections } from '../end-connections.ts'
import { read, remove, storeOf, type Recorded, type WithPool } from './records.ts'

/** Returns whether a session was used at this moment: each request records its time on the session. */
export const isSeenAt = async (world: Recorded, lastSeenAt: Date): Promise<boolean> =>
  (await read(world, 'session', { lastSeenAt })).length > 0

/** Ends the sessions of a person. With `isTold: false` the nodes are not notified. */
export async function endSessions(
  world: Recorded,
  { personId }: { personId: string },
  { isTold = true }: { isTold?: boolean } = {},
): Promise<void> {
  const db = storeOf(world)
  if (!isTold) await sql`alter table session disable trigger session_ended`.execute(db)
  await remove(world, 'session', { personId })
  if (!isTold) await sql`alter table session enable trigger session_ended`.execute(db)
}

/** Ends the connections that notify nodes of ended sessions. Returns how many there were. */
export const endListening = (world: WithPool): Promise<number> =>
  endConnections(world.service.context.db.pool, "query like 'listen%' or query = 'select 1'")
