/** Facts in zod's issues: a schema names the broken rule, and `contract/field-errors` reads it from the issue. */
import type { Fact, FactCode, FactParams } from '../core/facts/fact.ts'
import type { None } from '../core/facts/none.ts'

/** Returns the zod issue that a fact explains, for `addIssue`. */
export function factIssue(rule: Fact): { code: 'custom'; params: Fact; message: string } {
  return { code: 'custom', params: rule, message: rule.code }
}

/** Returns the parameters of zod's `refine` for a rule whose violation a fact explains. */
export function failsWith(rule: Fact): { params: Fact; error: string } {
  return { params: rule, error: rule.code }
}

type BareCode = { [Code in FactCode]: FactParams[Code] extends None ? Code : never }[FactCode]

/** Returns the code of a rule as the message of zod's `regex`, whose issues have no parameters. */
export function ruleCode(code: BareCode): string {
  return code
}
