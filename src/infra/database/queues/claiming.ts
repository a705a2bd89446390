import type { LostClaim } from '../after-commit.ts'
import type { Database } from '../connect.ts'
import { isDatabaseUnavailable } from '../is-database-unavailable.ts'

/** Runs `work` on a claim. If the database becomes unavailable meanwhile, the claim is released later. */
export async function claiming<Value>(
  { afterCommit }: Pick<Database, 'afterCommit'>,
  { claimId, id }: LostClaim,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (isDatabaseUnavailable(error))
      afterCommit.releaseClaims([id === undefined ? { claimId } : { claimId, id }])
    throw error
  }
}
