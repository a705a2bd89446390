/**
 * Pauses sending as a restore does. After a failover to a server without all commits, the database is an older state
 * (docs/decisions/0035).
 */
import { countNodes } from '../../src/infra/database/node-locks.sql.ts'
import { pauseSending } from '../../src/workers/pause-sending.ts'
import { onDatabase } from './command.ts'
import { describeHeld } from './resume.ts'

export const hold = onDatabase('hold-sending', async ({ db }, _, { print }) => {
  const nodes = await countNodes(db.kysely)
  if (nodes > 0) {
    throw new Error(
      `${nodes} processes work on this database: stop them first, as one that sends does not look again whether it may.`,
    )
  }
  await pauseSending(db.kysely)
  print(await describeHeld(db.kysely))
})
