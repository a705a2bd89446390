import type { Context } from '../context.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { SecretUnreadable, type KeyRing } from './key-ring.ts'

/**
 * The same ring, which tells the operator's log when a stored secret cannot be read: nobody else can
 * mend that. One line a minute at most, with how many were passed over since the last: a request of a
 * stranger may be what makes us look.
 */
export function reportUnreadable(
  keyRing: KeyRing,
  { log, clock }: Pick<Context, 'log' | 'clock'>,
): KeyRing {
  let quietUntilMs = -Infinity
  let untold = 0
  return {
    ...keyRing,
    decrypt(text, place) {
      try {
        return keyRing.decrypt(text, place)
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        const nowMs = clock.now().getTime()
        // One that is told further ahead than a minute is from before the clock was put back.
        if (nowMs < quietUntilMs && nowMs >= quietUntilMs - MINUTE_MS) {
          untold += 1
          throw error
        }
        log.error(
          { ...place, reason: error.message, untold },
          'a stored secret could not be read here: its key is not in the ring, or another key has its id',
        )
        quietUntilMs = nowMs + MINUTE_MS
        untold = 0
        throw error
      }
    },
  }
}
