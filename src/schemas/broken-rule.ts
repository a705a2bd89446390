/** How a schema says which rule of ours a field breaks; `contract/field-errors` reads it from zod's issues. */
import type { Fact, FactCode, FactParams } from '../core/facts/fact.ts'
import type { None } from '../core/facts/none.ts'

/** An issue for `addIssue`. */
export function issueFact(rule: Fact): { code: 'custom'; params: Fact; message: string } {
  return { code: 'custom', params: rule, message: rule.code }
}

/** For `refine`. */
export function breaks(rule: Fact): { params: Fact; error: string } {
  return { params: rule, error: rule.code }
}

type BareCode = { [Code in FactCode]: FactParams[Code] extends None ? Code : never }[FactCode]

/** For `regex`, whose issues carry a message and nothing else: the code of the rule. */
export function ruleOf(code: BareCode): string {
  return code
}
