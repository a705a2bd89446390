import type { Fact } from '../../core/facts/fact.ts'
import type { AttemptError } from '../../core/vocabulary/deliveries.ts'

/**
 * The error of a merchant's server that returned no complete response. `detail` explains it and says what to check.
 * It never contains an address, which would map the internal network for an attacker.
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
