import type { ProblemCode } from './vocabulary.ts'

/** One field that is wrong: a dot path such as `steps.tell.body[1]`, and the rule it breaks. */
export type FieldError = { field: string; code: string; message: string }

type Options = {
  errors?: readonly FieldError[]
  /** When it can be tried again; for `rate_limited`. */
  retryAfterMs?: number
  cause?: unknown
}

/**
 * What a room throws when it refuses a member's request: a code of the closed list, a sentence for a
 * person, and for `invalid` the fields. `http/errors.ts` alone knows which status each code has.
 */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[] | null
  readonly retryAfterMs: number | null

  constructor(code: ProblemCode, detail: string, options: Options = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
