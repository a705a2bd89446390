import { fact, type Fact } from '../../core/facts/fact.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import type { ParameterRule } from './action-arguments.ts'
import { hasBrokenPlaceholder, placeholdersOf } from './call-placeholders.ts'
import type { RequestDesign } from './fill-request.ts'
import { validateCallRequest, type RequestIssue } from './validate-call-request.ts'
import { asksForCustomer } from './names-customer.ts'
import type { StatementByLanguage } from './state-action.ts'

/** The parts of an action that are checked together. */
type ActionDesign = {
  request: RequestDesign
  parameters: readonly ParameterRule[]
  identity: 'none' | 'phone' | 'email' | 'contact_id'
  ownershipPath: string | null
  statement: StatementByLanguage
}

/**
 * Returns the issues of an action when it is saved; empty when it has none. A parameter or the customer's value fills
 * each placeholder, the request uses every parameter, and no parameter asks who the customer is.
 * Spec: Calls › AI actions.
 */
export function validateAction({
  request,
  parameters,
  identity,
  ownershipPath,
  statement,
}: ActionDesign): RequestIssue[] {
  const names = parameters.map(({ name }) => name)
  const isKnown = (placeholder: string) =>
    placeholder === 'identity'
      ? identity !== 'none'
      : placeholder.startsWith('args.') && names.includes(placeholder.slice('args.'.length))
  const issues = validateCallRequest(request, isKnown).map((issue) => ({
    ...issue,
    field: `request.${issue.field}`,
  }))
  const used = new Set(
    [
      request.path,
      ...request.query.map(({ value }) => value),
      ...request.headers.map(({ value }) => value),
      request.body ?? '',
    ].flatMap(placeholdersOf),
  )
  for (const [index, name] of names.entries()) {
    const issue = (rule: Fact) => issues.push({ field: `parameters[${index}].name`, ...rule })
    if (names.indexOf(name) !== index) issue(fact('parameter_name_taken'))
    if (!used.has(`args.${name}`)) issue(fact('parameter_not_used', { name }))
    if (asksForCustomer(name)) issue(fact('names_customer'))
  }
  issues.push(...validateStatements(statement, names))
  if (identity === 'none') {
    if (ownershipPath !== null) {
      issues.push({ field: 'ownershipPath', ...fact('no_identity') })
    }
  } else if (!used.has('identity') && ownershipPath === null) {
    issues.push({ field: 'identity', ...fact('identity_not_used') })
  }
  return issues
}

/** Returns the issues of the confirmation sentences, which may use arguments but not the customer's identity. */
function validateStatements(
  statement: StatementByLanguage,
  names: readonly string[],
): RequestIssue[] {
  return LANGUAGES.flatMap((language) => {
    const sentence = statement[language] ?? ''
    const field = `statement.${language}`
    const unknown = placeholdersOf(sentence).filter(
      (placeholder) => !names.some((name) => placeholder === `args.${name}`),
    )
    return [
      ...(hasBrokenPlaceholder(sentence) ? [{ field, ...fact('broken_placeholder') }] : []),
      ...unknown.map((placeholder) => ({ field, ...fact('unknown_placeholder', { placeholder }) })),
    ]
  })
}
