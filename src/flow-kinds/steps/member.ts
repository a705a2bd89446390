import { fact } from '../../core/facts/fact.ts'
import { stepIssue, type StepIssue, type StepContext } from './step-design.ts'

/** Somebody who is to have a conversation must work in the company's. */
export function faultsOfMember(
  field: string,
  personId: string | null,
  { memberIds }: StepContext,
): StepIssue[] {
  if (personId === null || memberIds.includes(personId)) return []
  return [stepIssue(field, 'member_exists', fact('member_exists'))]
}
