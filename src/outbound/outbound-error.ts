import type { AttemptError } from '../vocabulary.ts'

/**
 * Why nothing, or nothing whole, came back from a merchant's server. `message` is for people: what
 * happened and what to check. It never names an address: that would map a network for a stranger.
 */
export class OutboundError extends Error {
  readonly code: AttemptError

  constructor(code: AttemptError, message: string) {
    super(message)
    this.name = 'OutboundError'
    this.code = code
  }
}
