import type { Fact } from '../../core/facts/fact.ts'
import type { AttemptError } from '../../core/vocabulary/deliveries.ts'

/**
 * Why nothing, or nothing whole, came back from a merchant's server. `detail` tells what happened and
 * what to check. It never names an address: that would map a network for a stranger.
 */
export class OutboundError extends Error {
  readonly code: AttemptError

  readonly detail: Fact

  constructor(code: AttemptError, detail: Fact) {
    super(`${code}: ${detail.code}`)
    this.name = 'OutboundError'
    this.code = code
    this.detail = detail
  }
}
