import type { Fact, FactCode } from '../../core/facts/fact.ts'
import type { ProblemCode } from '../../core/vocabulary/problems.ts'

/** The body of every refusal (RFC 9457). Spec: Errors › Problems. */
export type Problem = {
  type: string
  title: string
  status: number
  /** The sentence of `reason`. */
  detail: string
  code: ProblemCode
  /** The code of the fact behind the refusal, which is more specific than `code`, with its parameters. */
  reason: FactCode
  params: Fact['params']
  requestId: string
  errors: readonly ({ field: string; message: string } & Fact)[] | null
}
