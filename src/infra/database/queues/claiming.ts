import type { LostClaim } from '../after-commit.ts'
import type { Database } from '../connect.ts'
import { isDatabaseUnavailable } from '../is-database-unavailable.ts'

/**
 * Returns what `work` returns: the statement that writes a claim, or the work on what was claimed. Where the database
 * goes away meanwhile, nobody works on what stands under the claim, and it is given back.
 */
export async function claiming<Value>(
  { afterCommit }: Pick<Database, 'afterCommit'>,
  { claimId, id }: LostClaim,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (isDatabaseUnavailable(error))
      afterCommit.lose([id === undefined ? { claimId } : { claimId, id }])
    throw error
  }
}
