import { fact } from '../../facts/fact.ts'
import { stepFault, type StepFault, type StepSurroundings } from './step-design.ts'

/** Somebody who is to have a conversation must work in the company's. */
export function faultsOfMember(
  field: string,
  personId: string | null,
  { memberIds }: StepSurroundings,
): StepFault[] {
  if (personId === null || memberIds.includes(personId)) return []
  return [stepFault(field, 'member_exists', fact('member_exists'))]
}
