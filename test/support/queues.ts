/** Claims and leases of queues, taken when the test says so. */
import { claim, type ToClaim } from '../../src/infra/database/queues/claim.sql.ts'
import { nextDue } from '../../src/infra/database/queues/next-due.sql.ts'
import type { Claimable, RowClaim, Queue } from '../../src/infra/database/queues/queue.ts'
import { releaseExpired, releaseOf } from '../../src/infra/database/queues/release.sql.ts'
import type { World } from './test-service.ts'

type Served = Pick<World, 'service'>

/** Claims due rows of a queue as a process with `limit` free slots would. */
export const claimFrom = async <Row extends RowClaim>(
  { service }: Served,
  queue: Queue<Row>,
  asked: Partial<ToClaim> & Pick<ToClaim, 'limit'>,
): Promise<Row[]> => {
  const { db, clock, ids } = service.context
  return (await claim(db.kysely, queue, { claimId: ids.uuid(), now: clock.now(), ...asked })).rows
}

/** Releases the rows whose lease ends by a time. Returns how many there were. */
export const endLeases = (
  { service }: Served,
  queue: Claimable,
  by = service.context.clock.now(),
): Promise<number> =>
  releaseExpired(service.context.db.kysely, queue, service.context.clock.now(), { before: by })

/** Releases the rows that nodes had claimed. Returns how many there were. */
export const giveUpNodes = (
  { service }: Served,
  queue: Claimable,
  nodes: readonly string[],
): Promise<number> =>
  releaseOf(service.context.db.kysely, queue, service.context.clock.now(), nodes)

/** Returns when the next row of a queue is due. */
export const dueNext = ({ service }: Served, queue: Claimable): Promise<Date | null> =>
  nextDue(service.context.db.kysely, queue)
