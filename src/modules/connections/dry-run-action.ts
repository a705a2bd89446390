import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { readActionArguments } from '../../rules/calls/action-arguments.ts'
import { stateAction } from '../../rules/calls/state-action.ts'
import type { Language } from '../../core/vocabulary/hooks.ts'
import type { ClaimKind } from '../../core/vocabulary/statements/kinds.ts'
import { formatProblems } from './call-action.ts'
import { DRAFTED } from './draft-proposal.ts'
import { loadAction } from './load-action.ts'
import { toolOf } from './view-action.ts'

/**
 * The result of a dry run. `text` is the tool's result for the model; an action without one needs no confirmation.
 * `does` has the effects that the merchant chose for the action.
 */
type DryRun = {
  text?: string
  isDone?: boolean
  statement?: string
  does: readonly ClaimKind[] | null
}

/**
 * Returns what would be stated to a customer, without writing or calling anything. `isDone` is false for invalid
 * arguments, and the text says what to correct. Returns null for an unknown action.
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
): Promise<DryRun | null> {
  const action = await loadAction(db, { companyId, toolName: tool.replace(/^action_/, '') })
  if (!action || tool !== toolOf(action.toolName)) return null
  const { toolName, definition, needsConfirmation } = action
  if (!needsConfirmation) return { does: definition.does }
  const read = readActionArguments(definition.parameters, given, definition.request)
  if (!read.ok) return { text: formatProblems(read.problems), isDone: false, does: null }
  const statement = stateAction({ toolName, ...definition }, read.value, language)
  return { text: DRAFTED, isDone: true, statement, does: definition.does }
}
