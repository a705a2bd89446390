import { fact } from '../../core/facts/fact.ts'
import { stepIssue, type StepIssue, type StepContext } from './step-design.ts'

/** Returns an issue when the assignee does not work in the company's conversations. */
export function issuesOfMember(
  field: string,
  personId: string | null,
  { memberIds }: StepContext,
): StepIssue[] {
  if (personId === null || memberIds.includes(personId)) return []
  return [stepIssue(field, 'member_exists', fact('member_exists'))]
}
