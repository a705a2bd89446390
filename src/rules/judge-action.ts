import type { ParameterRule } from './action-arguments.ts'
import { placeholdersOf } from './call-placeholders.ts'
import type { RequestDesign } from './fill-request.ts'
import { judgeCallRequest, type RequestFault } from './judge-call-request.ts'
import { namesCustomer } from './names-customer.ts'

type ActionDesign = {
  request: RequestDesign
  parameters: readonly ParameterRule[]
  identity: 'none' | 'phone' | 'email' | 'contact_id'
  ownershipPath: string | null
}

/**
 * What is wrong with an action when it is saved; empty when nothing is. Every placeholder is filled
 * by a parameter or the customer's value, every parameter is used, and none asks who the customer is.
 * Spec: Calls › AI actions.
 */
export function judgeAction({
  request,
  parameters,
  identity,
  ownershipPath,
}: ActionDesign): RequestFault[] {
  const names = parameters.map(({ name }) => name)
  const isKnown = (placeholder: string) =>
    placeholder === 'identity'
      ? identity !== 'none'
      : placeholder.startsWith('args.') && names.includes(placeholder.slice('args.'.length))
  const faults = judgeCallRequest(request, isKnown).map((fault) => ({
    ...fault,
    field: `request.${fault.field}`,
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
    const fault = (code: string, message: string) =>
      faults.push({ field: `parameters[${index}].name`, code, message })
    if (names.indexOf(name) !== index) fault('taken', 'is the name of an earlier parameter already')
    if (!used.has(`args.${name}`)) {
      fault('not_used', `is used nowhere: write {{args.${name}}} in the request, or remove it`)
    }
    if (namesCustomer(name)) {
      fault(
        'names_customer',
        'asks who the customer is: choose what the action knows the customer by and write {{identity}}',
      )
    }
  }
  if (identity === 'none') {
    if (ownershipPath !== null) {
      faults.push({
        field: 'ownershipPath',
        code: 'no_identity',
        message: 'needs the customer’s value: choose what the action knows the customer by',
      })
    }
  } else if (!used.has('identity') && ownershipPath === null) {
    faults.push({
      field: 'identity',
      code: 'not_used',
      message:
        'is used nowhere: write {{identity}} in the request, give an ownership check, or choose none',
    })
  }
  return faults
}
