import type { Transaction } from 'kysely'
import type { ActionDefinition } from '../../contract/ai-action.ts'
import { pathRefusalFact } from '../../schemas/path-refusal-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { validateAction } from '../../rules/calls/validate-action.ts'
import { readPathExpression } from '../../rules/hooks/path-expression.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError, type FieldError } from '../../core/service-error.ts'

/**
 * Throws unless an action can be called as it is defined. Locks its connection against deletion until the transaction
 * ends. @throws invalid, with every wrong field
 * Spec: Calls › AI actions.
 */
export async function requireCallableAction(
  tx: Transaction<DB>,
  companyId: string,
  definition: ActionDefinition,
): Promise<void> {
  const errors: FieldError[] = [...validateAction(definition), ...validatePaths(definition)]
  const connection = await tx
    .selectFrom('apiConnection')
    .select('id')
    .where('id', '=', definition.request.connectionId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!connection) {
    errors.unshift({ field: 'request.connectionId', ...fact('unknown_connection') })
  }
  if (errors.length > 0) {
    throw new ServiceError('invalid', fact('action_not_callable'), { errors })
  }
}

function validatePaths({ shown, ownershipPath }: ActionDefinition): FieldError[] {
  const paths = shown.map(({ path }, index) => ({ field: `shown[${index}].path`, path }))
  if (ownershipPath !== null) paths.push({ field: 'ownershipPath', path: ownershipPath })
  const errors = paths.flatMap(({ field, path }): FieldError[] => {
    const read = readPathExpression(path)
    return read.ok ? [] : [{ field, ...pathRefusalFact(read.reason) }]
  })
  for (const [index, { label }] of shown.entries()) {
    if (shown.findIndex((other) => other.label === label) === index) continue
    const field = `shown[${index}].label`
    errors.push({ field, ...fact('label_taken') })
  }
  return errors
}
