import { endSentReplies } from '../modules/assistant/record-reply-outcome.sql.ts'
import { REPLY_QUEUE } from '../modules/assistant/reply-queue.ts'
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import { lowerBoundOf } from '../infra/database/queues/lower-bound.ts'
import { fact } from '../core/facts/fact.ts'

/** The completion of replies whose last message the provider has accepted, many in one statement. */
export type SentReplies = {
  /** Checks soon which replies the provider has accepted; runs after the outcome of their messages is recorded. */
  note(): void
  /** Resolves once the noted replies are checked; null when none are. */
  underWay(): Promise<void> | null
}

/**
 * Creates the completion of replies whose last message the provider has accepted.
 * @param onLeft runs when sent replies are left that an advance has to end
 */
export function createSentReplies(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  onLeft: () => void,
): SentReplies {
  const lowerBound = lowerBoundOf({ db, clock }, REPLY_QUEUE)
  let isNoted = false
  let looking: Promise<void> | null = null

  /** Runs one check at a time; later notes are covered by the next check. */
  async function look(): Promise<void> {
    while (isNoted) {
      isNoted = false
      if (await isMoreLeft()) onLeft()
    }
    // Reset right after the last check, so that a later note starts another look.
    looking = null
  }

  /** Returns whether replies are left that their own advance has to end. */
  async function isMoreLeft(): Promise<boolean> {
    try {
      return await lowerBound.read((since) =>
        endSentReplies(db.kysely, clock.now(), { why: fact('reply_sent'), since }),
      )
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        log.error({ err: error }, 'sent replies not completed: their own advance follows')
      return true
    }
  }

  return {
    note() {
      isNoted = true
      looking ??= look()
    },
    underWay: () => looking,
  }
}
