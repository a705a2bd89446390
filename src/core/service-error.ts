import { fact, type Fact, type FieldFact } from './facts/fact.ts'
import type { ProblemCode } from './vocabulary/problems.ts'

/** One invalid field: a dot path such as `steps.tell.body[1]`, and the rule it breaks. */
export type FieldError = FieldFact

type Options = {
  errors?: readonly FieldError[]
  /** Time until the request can be repeated; set for `rate_limited`. */
  retryAfterMs?: number
  cause?: unknown
}

/**
 * The error by which a module or `http/` refuses a request of a member or a visitor. It has a code of the closed list,
 * the fact behind it, and the fields for `invalid`. `http/errors.ts` alone maps codes to statuses and chooses the
 * language.
 */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly code: ProblemCode
  readonly reason: Fact
  readonly errors: readonly FieldError[] | null
  readonly retryAfterMs: number | null

  constructor(code: ProblemCode, reason: Fact, options: Options = {}) {
    super(`${code}: ${reason.code}`, { cause: options.cause })
    this.code = code
    this.reason = reason
    this.errors = options.errors ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/** Returns the refusal of a request with invalid fields, each with its rule. */
export function wrongFields(errors: readonly FieldError[], cause?: unknown): ServiceError {
  return new ServiceError('invalid', fact('fields_wrong'), { errors, cause })
}

/** Returns the refusal of a request in which one field breaks a rule. */
export function wrongField(field: string, why: Fact): ServiceError {
  return wrongFields([{ field, ...why }])
}
