import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { readArguments } from '../../rules/calls/action-arguments.ts'
import { stateAction } from '../../rules/calls/state-action.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { tellProblems } from './call-action.ts'
import { DRAFTED } from './draft-proposal.ts'
import { loadAction } from './load-action.ts'
import { toolOf } from './view-action.ts'

/** `does`: what the action does, by its merchant's choice. Without a text it asks nobody first. */
type Rehearsed = {
  text?: string
  isDone?: boolean
  statement?: string
  does: readonly ClaimKind[] | null
}

/**
 * What would be stated to a customer, where nothing is written or called. `isDone` false: the arguments are no good,
 * and the text says what to correct. Null: there is no such action.
 *
 * Spec: Assistant › Trying it out.
 */
export async function dryRunAction(
  db: Kysely<DB>,
  {
    companyId,
    tool,
    args: given,
    language,
  }: { companyId: string; tool: string; args: unknown; language: Language },
): Promise<Rehearsed | null> {
  const action = await loadAction(db, { companyId, toolName: tool.replace(/^action_/, '') })
  if (!action || tool !== toolOf(action.toolName)) return null
  const { toolName, definition, needsConfirmation } = action
  if (!needsConfirmation) return { does: definition.does }
  const read = readArguments(definition.parameters, given, definition.request)
  if (!read.ok) return { text: tellProblems(read.problems), isDone: false, does: null }
  const statement = stateAction({ toolName, ...definition }, read.value, language)
  return { text: DRAFTED, isDone: true, statement, does: definition.does }
}
