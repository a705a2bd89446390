/**
 * Pauses sending as a restore does. The operator runs it after a failover to a server that lacks commits, because the
 * database then has an older state (docs/decisions/0035).
 */
import { countNodes } from '../../src/infra/database/node-locks.sql.ts'
import { pauseSending } from '../../src/workers/pause-sending.ts'
import { onDatabase } from './command.ts'
import { describeHeld } from './resume.ts'

/** The command that pauses sending and hooks. It fails while a process works on the database. */
export const holdSending = onDatabase('hold-sending', async ({ db }, _, { print }) => {
  const nodes = await countNodes(db.kysely)
  if (nodes > 0) {
    throw new Error(
      `${nodes} processes work on this database. Stop them first: a process that is sending does not notice the pause.`,
    )
  }
  await pauseSending(db.kysely)
  print(await describeHeld(db.kysely))
})
