import type { Kysely } from 'kysely'
import type { DB } from '../database/tables.ts'
import { readArguments } from '../rules/calls/action-arguments.ts'
import { stateAction } from '../rules/calls/state-action.ts'
import type { Language } from '../vocabulary/hooks.ts'
import { tellProblems } from './call-action.ts'
import { DRAFTED } from './draft-proposal.ts'
import { loadAction } from './load-action.ts'
import { toolOf } from './view-action.ts'

/**
 * What would be stated to a customer, where nothing is written or called. `isDone` false: the arguments are no good,
 * and the text says what to correct. Null: the action asks nobody first, or it is none.
 *
 * Spec: Assistant › Trying it out.
 */
export async function rehearseAction(
  db: Kysely<DB>,
  {
    companyId,
    tool,
    args: given,
    language,
  }: { companyId: string; tool: string; args: unknown; language: Language },
): Promise<{ text: string; isDone: boolean; statement?: string } | null> {
  const action = await loadAction(db, { companyId, toolName: tool.replace(/^action_/, '') })
  if (!action?.needsConfirmation || tool !== toolOf(action.toolName)) return null
  const { toolName, definition } = action
  const read = readArguments(definition.parameters, given, definition.request)
  if (!read.ok) return { text: tellProblems(read.problems), isDone: false }
  const statement = stateAction({ toolName, ...definition }, read.value, language)
  return { text: DRAFTED, isDone: true, statement }
}
