import { z } from 'zod'
import { CallRequest, KeptValues } from '../../schemas/call-request.ts'
import { pathRefusalFact } from '../../schemas/path-refusal-fact.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { placeholdersOf } from '../../rules/calls/call-placeholders.ts'
import { validateCallRequest, type RequestIssue } from '../../rules/calls/validate-call-request.ts'
import { readPathExpression } from '../../rules/hooks/path-expression.ts'
import { HTTP_STATUS_VARIABLE } from '../../core/vocabulary/flows.ts'
import { setVariable, type CallOutcome, type RunState } from './run-state.ts'
import { nextStep, variablesIn, type StepDefinition, type StepIssue } from './step-design.ts'

const schema = z.object({
  kind: z.literal('http_request'),
  request: CallRequest,
  /** Values of a JSON response that become variables; cleared when the call fails. */
  keep: KeptValues,
  /** The Success path: a 2xx response. */
  next: nextStep,
  /** The Failed path: any other response, none, or a call that was not made. */
  onFailure: nextStep,
})
type HttpRequestStep = z.infer<typeof schema>

/** The step "Call your system", one request through an API connection. Spec: Calls › HTTP steps. */
export const HTTP_REQUEST = {
  schema,
  exits: ({ next, onFailure }) => ({ next, onFailure }),
  call: (step) => step,
  // A call has fewer placeholders than a text.
  reads({ request: { path, query, headers, body } }) {
    const values = [...query, ...headers].map(({ value }) => value)
    return variablesIn([path, ...values, body ?? ''], placeholdersOf)
  },
  sets: ({ keep }) => [HTTP_STATUS_VARIABLE, ...keep.map(({ name }) => name)],
  enter(step, { state }) {
    const refusal = refuseCall(state)
    if (!refusal) {
      return { kind: 'call', step, withinMs: CALL_LIMITS.inOneGoMs - state.callsSinceReplyMs }
    }
    takeOutcome(state, step, NOT_MADE)
    return { kind: 'go_on', to: step.onFailure, detail: refusal, hasFailed: true }
  },
  resume(step, input, { state }) {
    if (input.kind !== 'called') return null
    takeOutcome(state, step, input.call)
    return { kind: 'go_on', to: input.call.isSuccess ? step.next : step.onFailure }
  },
  issues: (step, { connections }) => [
    ...ownIssues(step).map(({ field, ...said }): StepIssue => ({
      field,
      rule: said.code.startsWith('path_') ? 'path_readable' : 'request_valid',
      fact: fact('request_valid', { field, said }),
      isWarning: false,
    })),
    ...connectionIssues(connections.find(({ id }) => id === step.request.connectionId)),
  ],
} satisfies StepDefinition<HttpRequestStep>

const NOT_MADE: CallOutcome = {
  isSuccess: false,
  httpStatus: null,
  kept: {},
  attempts: 0,
  durationMs: 0,
}

/**
 * Returns why a run may make no more calls before the customer writes; null when it may.
 * Spec: Calls › Repeats and limits; reading C7.
 */
function refuseCall({ callsSinceReply, callsSinceReplyMs }: RunState): Fact | null {
  if (callsSinceReply >= CALL_LIMITS.inOneGo)
    return fact('calls_used_up', { max: CALL_LIMITS.inOneGo })
  if (callsSinceReplyMs < CALL_LIMITS.inOneGoMs) return null
  return fact('call_time_used_up', { seconds: CALL_LIMITS.inOneGoMs / 1_000 })
}

/** Counts a call and sets its variables: `http_status` always, and a value or null for each kept name. */
function takeOutcome(state: RunState, step: HttpRequestStep, call: CallOutcome): void {
  if (call.attempts > 0) state.callsSinceReply += 1
  state.callsSinceReplyMs += call.durationMs
  setVariable(state.variables, HTTP_STATUS_VARIABLE, call.httpStatus?.toString() ?? null)
  for (const { name } of step.keep) {
    const value = Object.hasOwn(call.kept, name) ? call.kept[name] : null
    setVariable(state.variables, name, value || null)
  }
}

/** Returns each issue with its path in the step, such as `request.headers[0].name` or `keep[1].path`. */
function ownIssues({ request, keep }: HttpRequestStep): RequestIssue[] {
  const issues = validateCallRequest(request, (placeholder) => placeholder.startsWith('vars.')).map(
    (issue) => ({ ...issue, field: `request.${issue.field}` }),
  )
  for (const [index, { name, path }] of keep.entries()) {
    const read = readPathExpression(path)
    if (!read.ok) issues.push({ field: `keep[${index}].path`, ...pathRefusalFact(read.reason) })
    if (name === HTTP_STATUS_VARIABLE) {
      issues.push({ field: `keep[${index}].name`, ...fact('kept_name_reserved') })
    } else if (keep.findIndex((other) => other.name === name) !== index) {
      issues.push({ field: `keep[${index}].name`, ...fact('kept_name_taken') })
    }
  }
  return issues
}

/**
 * Returns the issues of a connection. One that is switched off is a warning, because the step takes its Failed path
 * meanwhile.
 */
function connectionIssues(connection: { name: string; isOn: boolean } | undefined): StepIssue[] {
  if (connection?.isOn) return []
  const [rule, found] = connection
    ? (['connection_on', fact('connection_on', { name: connection.name })] as const)
    : (['connection_exists', fact('connection_exists')] as const)
  const isWarning = connection !== undefined
  return [{ field: 'request.connectionId', rule, fact: found, isWarning }]
}
