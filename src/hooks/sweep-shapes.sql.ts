import { sql, type Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { HOOK_LIMITS } from '../limits.ts'

/**
 * Deletes kept shapes 30 days after their request came. At most `most`; returns how many. A company
 * has at most 20 of them, so they are found without an index, which every request would have to write.
 *
 * Isolation: `skip locked` passes by a shape that a request is replacing.
 * Spec: Hooks › Last request.
 */
export async function deleteOldShapes(db: Kysely<DB>, now: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with picked as (
      select hook_url_id from hook_shape
      where received_at < ${new Date(now.getTime() - HOOK_LIMITS.shapeKeptMs)}
      limit ${most} for update skip locked
    )
    delete from hook_shape using picked where hook_shape.hook_url_id = picked.hook_url_id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
