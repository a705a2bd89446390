/**
 * What is wrong with a step that calls the merchant's system, found when a draft is saved and again
 * before it is published. Spec: Calls › HTTP steps.
 */
import { judgeCallRequest, type RequestFault } from '../rules/judge-call-request.ts'
import { readPathExpression } from '../rules/path-expression.ts'
import { HTTP_STATUS } from '../vocabulary.ts'
import type { HttpRequestStep } from './flow-definition.ts'
import { PATH_REFUSED } from './path-refused.ts'

/** Each fault with its place in the step, such as `request.headers[0].name` or `keep[1].path`. */
export function callStepFaults({ request, keep }: HttpRequestStep): RequestFault[] {
  const faults = judgeCallRequest(request, (placeholder) => placeholder.startsWith('vars.')).map(
    (fault) => ({ ...fault, field: `request.${fault.field}` }),
  )
  for (const [index, { name, path }] of keep.entries()) {
    const read = readPathExpression(path)
    if (!read.ok) {
      const message = PATH_REFUSED[read.reason]
      faults.push({ field: `keep[${index}].path`, code: `path_${read.reason}`, message })
    }
    if (name === HTTP_STATUS) {
      const message = 'is set by every call to the status code of the answer: choose another name'
      faults.push({ field: `keep[${index}].name`, code: 'taken', message })
    } else if (keep.findIndex((other) => other.name === name) !== index) {
      const message = 'is the name of an earlier value already'
      faults.push({ field: `keep[${index}].name`, code: 'taken', message })
    }
  }
  return faults
}
