/** Records of an earlier version, as a file of statements writes them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { WithPool } from './records.ts'

/** Runs the statements of a file of `test/database`. */
export async function runSqlFile(world: WithPool, name: string): Promise<void> {
  const file = path.join(import.meta.dirname, '../../database', name)
  await world.service.context.db.pool.query(readFileSync(file, 'utf8'))
}
