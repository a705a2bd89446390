import { sql } from 'kysely'

/**
 * The condition, always true, that lets the transaction of a claim commit without waiting for the disk or a standby.
 * A crash of the database may undo the claim, and its rows are due again. What a worker writes with a claim waits for
 * both, and comes after the claim in the log: an outcome is never kept without its claim.
 */
export const COMMITS_WITHOUT_WAITING = sql`set_config('synchronous_commit', 'off', true) = 'off'`
