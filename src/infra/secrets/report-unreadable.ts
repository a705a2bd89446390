import type { Context } from '../context.ts'
import { MINUTE_MS } from '../../core/limits/units.ts'
import { SecretUnreadable, type KeyRing } from './key-ring.ts'

/**
 * Returns the key ring with a `decrypt` that also logs an error when a stored secret cannot be decrypted, which only
 * the operator can fix. It logs one line a minute at most, with the number of suppressed ones, because unauthenticated
 * requests may cause it.
 */
export function reportUnreadable(
  keyRing: KeyRing,
  { log, clock }: Pick<Context, 'log' | 'clock'>,
): KeyRing {
  let quietUntilMs = -Infinity
  let suppressed = 0
  return {
    ...keyRing,
    decrypt(text, context) {
      try {
        return keyRing.decrypt(text, context)
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        const nowMs = clock.now().getTime()
        // A time more than a minute ahead was set before the clock was set back.
        if (nowMs < quietUntilMs && nowMs >= quietUntilMs - MINUTE_MS) {
          suppressed += 1
          throw error
        }
        log.error(
          { ...context, reason: error.message, suppressed },
          'stored secret could not be decrypted: key missing, or another key has its id',
        )
        quietUntilMs = nowMs + MINUTE_MS
        suppressed = 0
        throw error
      }
    },
  }
}
