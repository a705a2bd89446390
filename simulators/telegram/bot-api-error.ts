/** An error in the form of the Bot API: `{ok: false, error_code, description, parameters?}`. */
export class BotApiError extends Error {
  override name = 'BotApiError'
  readonly code: number
  readonly parameters: Record<string, number> | undefined
  constructor(code: number, description: string, parameters?: Record<string, number>) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

/** Creates the Bot API's error 400 with this explanation. */
export const badRequest = (what: string) => new BotApiError(400, `Bad Request: ${what}`)

/** Creates the Bot API's error 429 with the seconds to wait. */
export function tooManyRequests(seconds: number): BotApiError {
  return new BotApiError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
}
