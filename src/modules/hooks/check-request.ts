/**
 * Checks hook requests in the order of the reference: the first check that fails decides the response. Checks 1 and 2
 * (limit per address, content type and size) need neither token nor database; `http/hook-handler` makes them before.
 *
 * Requests are decided in batches by `hook-batcher`: checks 3 to 8 use the current hook and its counters, checks 9 to
 * 13 what is known of the key and the customer, under the customer's lock.
 *
 * Spec: Hooks › Order of checks; Errors › Hook statuses.
 */
import type { FlowDefinition } from '../../contract/flow-definition.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { withoutIsolates } from '../../i18n/isolate.ts'
import { formatFact } from '../../i18n/format-fact.ts'
import type { HookResponse } from '../../contract/hook-response.ts'
import { asWebhook, type WebhookTrigger } from '../../flow-kinds/triggers/webhook.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { TEMPLATE_LIMITS } from '../../core/limits/messaging.ts'
import { readIdempotencyKey } from '../../rules/hooks/idempotency-key.ts'
import {
  cleanText,
  cutCodePoints,
  readJson,
  type JsonRefusal,
  type JsonValue,
} from '../../rules/text/json-text.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { readLanguage } from '../../rules/messaging/language-reading.ts'
import {
  findAt,
  phoneText,
  readPathExpression,
  valueText,
} from '../../rules/hooks/path-expression.ts'
import { readPhone } from '../../rules/messaging/phone-reading.ts'
import type { HookStatus, Language } from '../../core/vocabulary/hooks.ts'
import type { CountedHook } from './count-requests.sql.ts'

/** A hook request with a body that has not been parsed. */
export type HookRequest = {
  token: string
  /** The `Idempotency-Key` header as Node passes it. */
  idempotencyKey: string | undefined
  body: Uint8Array
}

/** The input of checks 3 to 8: the hook, and this request's number within its rate-limit windows. */
export type HookState = {
  isPaused: boolean
  /** The hook with this token, or null without one. */
  hook: CountedHook | null
  /** The number of this request in the URL's clock minute and in the company's clock hour, from 1. */
  urlRequest: number
  companyRequest: number
  /** The definition of the published version; null when there is none, or when it cannot be read now. */
  definition: FlowDefinition | null
}

/** A request that has passed check 8. `refusal` is the response of check 10 or 11 if one fails. */
export type AdmittedRequest = {
  hook: CountedHook
  idempotencyKey: string | null
  refusal: HookResponse | null
  /** E.164; empty when refused. */
  phone: string
  name: string | null
  language: Language | null
  variables: Record<string, string | null>
}

/** The outcome of checks 3 to 8: the response, or a request that has passed them. */
export type Checked = {
  result: HookResponse | AdmittedRequest
  /** The parsed body of a request that reached check 6, from which its shape is saved. */
  json: JsonValue | null
}

/**
 * Makes checks 3 to 8 of a hook request (pause, token, rate limits, body and its fields), and prepares the responses of
 * checks 10 and 11. Never throws.
 */
export function checkHook(request: HookRequest, state: HookState): Checked {
  const { hook, definition } = state

  // 3. Hooks paused on the service side.
  if (state.isPaused) return refused('service_unavailable', fact('hooks_paused'))

  // 4. Token exists.
  if (!hook) {
    return refused('not_found', fact('hook_token_unknown'))
  }
  // An account that has moved starts nothing here: a program retries until its URL leads to the account's new server.
  if (hook.hold === 'moved') return refused('account_moved', fact('hook_account_moved'))
  if (hook.hold) return refused('service_unavailable', fact('hook_account_on_hold'))

  // 5. Per-URL and per-account rate limits.
  if (state.urlRequest > HOOK_LIMITS.requestsPerUrlPerMinute) {
    return refused(
      'rate_limited',
      fact('hook_requests_to_url', { max: HOOK_LIMITS.requestsPerUrlPerMinute }),
    )
  }
  if (state.companyRequest > HOOK_LIMITS.requestsPerCompanyPerHour) {
    return refused(
      'rate_limited',
      fact('hook_requests_to_company', { max: HOOK_LIMITS.requestsPerCompanyPerHour }),
    )
  }

  // 6. `Idempotency-Key` length, and that the body is JSON.
  const key = readIdempotencyKey(request.idempotencyKey)
  const body = readJson(request.body, { mustBeContainer: true })
  const json = body.ok ? body.value : null
  if (!key.ok) {
    return refused(
      'idempotency_key_too_long',
      fact('hook_key_too_long', { max: HOOK_LIMITS.idempotencyKeyChars }),
      json,
    )
  }
  if (!body.ok) return refused('invalid_json', bodyRefused(body.reason))

  // 7. Account plan.
  const plan = PLAN_LIMITS[hook.plan]
  if (!plan.developer || !plan.automations) {
    return refused('not_in_plan', fact('hook_starts_not_in_plan', { plan: hook.plan }), json)
  }

  // 8. Flow published, switched on, within the plan's number, and started by this trigger.
  const { flow, channel } = hook
  if (!flow.publishedVersionId || !flow.isOn) {
    return refused('flow_off', fact('hook_flow_off'), json)
  }
  if (flow.publishedBefore >= plan.flows) {
    return refused('flow_off', fact('hook_flow_beyond_plan', { flows: plan.flows }), json)
  }
  // The version was published by a later release, or the database is slow. A retry may succeed, so the flow is not
  // blamed.
  if (!definition) return refused('service_unavailable', fact('hook_not_taken_in_now'))
  const trigger = asWebhook(definition.trigger)
  if (!trigger) {
    return refused('flow_not_listening', fact('hook_flow_not_listening'), json)
  }

  // Check 9 precedes 10 and 11, whose responses are prepared here because they need the body.
  const read = readTriggerValues(trigger, body.value)
  const phone = readPhone(read.phone, channel?.country ?? '')
  return {
    json,
    result: {
      hook,
      idempotencyKey: key.value === null ? null : cleanText(key.value),
      refusal:
        // 10. The flow's `whatsapp` number.
        !channel?.isConnected || !capabilitiesOf(channel.type).startsConversations
          ? refusalResponse('channel_unavailable', fact('hook_channel_not_connected'))
          : // 11. The customer's phone number.
            phone.ok
            ? null
            : refusalResponse(
                'invalid_phone',
                fact('hook_phone_unreadable', { path: trigger.phonePath }),
              ),
      phone: phone.ok ? phone.value : '',
      name: read.name,
      language: readLanguage(read.language),
      variables: read.kept,
    },
  }
}

/** The stored state of a candidate's key and customer. */
export type ExistingState = {
  /** The run that this key has started. */
  runOfKey: string | null
  isOptedOut: boolean
  /** Automated templates of the account and its projects in this UTC day. */
  accountTemplates: number
  /** Automated templates to the customer in the last 24 hours. */
  customerTemplates: number
}

/**
 * Makes checks 9 to 13 of a hook request, which need the stored state. Returns the response, also of a repeated key, or
 * null when a run starts.
 */
export function checkAdmittedRequest(
  candidate: AdmittedRequest,
  known: ExistingState,
): HookResponse | null {
  const { hook } = candidate

  // 9. Key against earlier runs.
  if (known.runOfKey) return duplicateResponse(known.runOfKey)

  // 10. The flow's `whatsapp` number. 11. The customer's phone number.
  if (candidate.refusal) return candidate.refusal

  // 12. Account and customer template limits.
  const perDay = hook.templatesPerDay ?? PLAN_LIMITS[hook.plan].templatesPerDay
  if (perDay === 0) return refusalResponse('not_in_plan', fact('hook_templates_not_in_plan'))
  if (known.accountTemplates >= perDay) {
    return refusalResponse(
      'template_limit_reached',
      fact('hook_account_templates', { max: perDay }),
    )
  }
  if (known.customerTemplates >= TEMPLATE_LIMITS.perCustomer) {
    return refusalResponse(
      'customer_limit_reached',
      fact('hook_customer_templates', { max: TEMPLATE_LIMITS.perCustomer }),
    )
  }

  // 13. Customer opt-out.
  if (known.isOptedOut) {
    return refusalResponse('opted_out', fact('hook_opted_out'))
  }
  return null
}

/** Returns the response to a key that has started a run before. */
export function duplicateResponse(runId: string): HookResponse {
  return { id: runId, status: 'duplicate', detail: inEnglish(fact('hook_started_before')) }
}

/** Returns the response of a request that starts no run. */
export function refusalResponse(status: HookStatus, why: Fact): HookResponse {
  return { id: null, status, detail: inEnglish(why) }
}

function refused(status: HookStatus, why: Fact, json: JsonValue | null = null): Checked {
  return { result: refusalResponse(status, why), json }
}

// The detail is for programs: always English, and without Unicode isolates. Spec: Hooks › Response.
const inEnglish = (why: Fact): string => withoutIsolates(formatFact(why, 'en'))

/** Converts the reason why a request's body was refused to a fact. */
export function bodyRefused(reason: JsonRefusal): Fact {
  switch (reason) {
    case 'not_utf8':
      return fact('hook_body_not_utf8')
    case 'not_json':
      return fact('hook_body_not_json')
    case 'not_a_container':
      return fact('hook_body_not_container')
  }
}

/** Reads the values that the trigger's settings name. Never throws; a missing value is empty. */
function readTriggerValues(trigger: WebhookTrigger, body: JsonValue) {
  const valueAt = (path: string | null) => {
    const steps = path === null ? null : readPathExpression(path)
    return steps?.ok ? findAt(body, steps.value) : undefined
  }
  const at = (path: string | null) => cleanText(valueText(valueAt(path)))
  return {
    phone: cleanText(phoneText(valueAt(trigger.phonePath))),
    name: cutCodePoints(at(trigger.namePath), HOOK_LIMITS.nameChars) || null,
    language: at(trigger.languagePath),
    kept: Object.fromEntries(
      trigger.keep.map(({ name, path }) => [
        name,
        cutCodePoints(at(path), HOOK_LIMITS.keptValueChars) || null,
      ]),
    ),
  }
}
