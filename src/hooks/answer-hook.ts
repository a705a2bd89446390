/**
 * The answer of a hook URL, in the order that the reference gives its checks: the first failure
 * is the answer. Checks 1 and 2 (per-address limit, content type and size) stand before this, in
 * `http/hook-host`, since they need neither token nor database.
 *
 * Requests are answered in batches (`answer-batch`): checks 3 to 8 see the hook as it is now and its
 * counts, checks 9 to 13 what is known of the key and the customer, under the customer's lock.
 *
 * Spec: Hooks › Order of checks; Errors › Hook statuses.
 */
import type { FlowDefinition, WebhookTrigger } from '../contract/flow-definition.ts'
import type { HookResponse } from '../contract/hook-response.ts'
import { HOOK_LIMITS, PLAN_LIMITS, TEMPLATE_LIMITS } from '../limits.ts'
import { readIdempotencyKey } from '../rules/idempotency-key.ts'
import { cleanText, cutCodePoints, readJson, type JsonValue } from '../rules/json-text.ts'
import { readLanguage } from '../rules/language-reading.ts'
import { readAt, readPathExpression } from '../rules/path-expression.ts'
import { readPhone } from '../rules/phone-reading.ts'
import type { HookStatus, Language } from '../vocabulary.ts'
import type { CountedHook } from './count-requests.sql.ts'

export type HookRequest = {
  token: string
  /** The `Idempotency-Key` header as Node hands it over. */
  idempotencyKey: string | undefined
  body: Uint8Array
}

/** What the checks up to 8 see: the hook, and which request of its windows this one is. */
export type Asked = {
  isPaused: boolean
  /** Null: no hook has this token. */
  hook: CountedHook | null
  /** This request's place in the URL's clock minute and in the company's clock hour, from 1. */
  urlRequest: number
  companyRequest: number
  /** Of the published version; null when there is none. */
  definition: FlowDefinition | null
}

/** A request that has passed check 8. `refusal` is the answer of check 10 or 11, if it is one. */
export type Candidate = {
  hook: CountedHook
  idempotencyKey: string | null
  refusal: HookResponse | null
  /** E.164; empty when refused. */
  phone: string
  name: string | null
  language: Language | null
  variables: Record<string, string | null>
}

export type Checked = {
  result: HookResponse | Candidate
  /** The body, of a request that reached check 6 with JSON: its shape is kept. */
  json: JsonValue | null
}

/** Checks 3 to 8, and what 10 and 11 will say. Nothing here throws. */
export function checkHook(request: HookRequest, asked: Asked): Checked {
  const { hook, definition } = asked

  // 3. Hooks paused on the service side.
  if (asked.isPaused) return refused('service_unavailable', PAUSED)

  // 4. Token exists.
  if (!hook) {
    return refused('not_found', 'No hook has this token. Copy the URL from the flow builder again.')
  }

  // 5. Per-URL and per-account rate limits.
  if (asked.urlRequest > HOOK_LIMITS.requestsPerUrlPerMinute) {
    return refused(
      'rate_limited',
      `More than ${HOOK_LIMITS.requestsPerUrlPerMinute} requests to this URL in a minute.`,
    )
  }
  if (asked.companyRequest > HOOK_LIMITS.requestsPerCompanyPerHour) {
    return refused(
      'rate_limited',
      `More than ${HOOK_LIMITS.requestsPerCompanyPerHour} requests to the company's hooks in an hour.`,
    )
  }

  // 6. `Idempotency-Key` length, and that the body is JSON.
  const key = readIdempotencyKey(request.idempotencyKey)
  const body = readJson(request.body, { mustBeContainer: true })
  const json = body.ok ? body.value : null
  if (!key.ok) {
    return refused(
      'idempotency_key_too_long',
      `Idempotency-Key is longer than ${HOOK_LIMITS.idempotencyKeyChars} characters.`,
      json,
    )
  }
  if (!body.ok) return refused('invalid_json', INVALID_JSON[body.reason])

  // 7. Account plan.
  const plan = PLAN_LIMITS[hook.plan]
  if (!plan.developer || !plan.automations) {
    return refused(
      'not_in_plan',
      `Starting flows from your system is not part of the ${hook.plan} plan.`,
      json,
    )
  }

  // 8. Flow published, switched on, within the plan's number, and started by this trigger.
  const { flow, channel } = hook
  if (!flow.publishedVersionId || !definition || !flow.isOn) {
    return refused('flow_off', 'The flow is not published or is switched off.', json)
  }
  if (flow.publishedBefore >= plan.flows) {
    return refused('flow_off', `The flow is beyond the ${plan.flows} flows of the plan.`, json)
  }
  if (definition.trigger.kind !== 'webhook') {
    return refused(
      'flow_not_listening',
      'The published flow is not started by its webhook trigger.',
      json,
    )
  }

  // 9 looks at the key first; what 10 and 11 say is decided here, where the body is at hand.
  const read = readTriggerValues(definition.trigger, body.value)
  const phone = readPhone(read.phone, channel?.country ?? '')
  return {
    json,
    result: {
      hook,
      idempotencyKey: key.value === null ? null : cleanText(key.value),
      refusal:
        // 10. The flow's `whatsapp` number.
        !channel || channel.type !== 'whatsapp' || !channel.isConnected
          ? answer('channel_unavailable', "The flow's WhatsApp number is not connected.")
          : // 11. The customer's phone number.
            phone.ok
            ? null
            : answer(
                'invalid_phone',
                `No readable phone number at "${definition.trigger.phonePath}".`,
              ),
      phone: phone.ok ? phone.value : '',
      name: read.name,
      language: readLanguage(read.language),
      variables: read.kept,
    },
  }
}

/** What is known of a candidate's key and customer. */
export type Known = {
  /** The run that the key has started. */
  runOfKey: string | null
  isOptedOut: boolean
  /** Automated templates of the account and its projects in this UTC day. */
  accountTemplates: number
  /** Automated templates to the customer in the last 24 hours. */
  customerTemplates: number
}

/** Checks 9 to 13. Null: the run starts. */
export function checkCandidate(candidate: Candidate, known: Known): HookResponse | null {
  const { hook } = candidate

  // 9. Key against earlier runs.
  if (known.runOfKey) return duplicate(known.runOfKey)

  // 10. The flow's `whatsapp` number. 11. The customer's phone number.
  if (candidate.refusal) return candidate.refusal

  // 12. Account and customer template limits.
  const perDay = hook.templatesPerDay ?? PLAN_LIMITS[hook.plan].templatesPerDay
  if (perDay === 0) return answer('not_in_plan', 'The plan has no automated templates.')
  if (known.accountTemplates >= perDay) {
    return answer(
      'template_limit_reached',
      `The account's ${perDay} automated templates of this day (UTC) are used up.`,
    )
  }
  if (known.customerTemplates >= TEMPLATE_LIMITS.perCustomer) {
    return answer(
      'customer_limit_reached',
      `The customer had ${TEMPLATE_LIMITS.perCustomer} automated templates in the last 24 hours.`,
    )
  }

  // 13. Customer opt-out.
  if (known.isOptedOut) {
    return answer('opted_out', 'The customer has opted out. Do not message them another way.')
  }
  return null
}

export function duplicate(runId: string): HookResponse {
  return { id: runId, status: 'duplicate', detail: 'This key already started the run named here.' }
}

export function answer(status: HookStatus, detail: string): HookResponse {
  return { id: null, status, detail }
}

function refused(status: HookStatus, detail: string, json: JsonValue | null = null): Checked {
  return { result: answer(status, detail), json }
}

export const PAUSED = 'Hooks are paused. Try again in a minute.'

const INVALID_JSON = {
  not_utf8: 'The body is not UTF-8.',
  not_json: 'The body is not JSON.',
  not_a_container: 'The body must be a JSON object or array.',
} as const

/** What the trigger settings read from a body; nothing here throws or refuses. */
function readTriggerValues(trigger: WebhookTrigger, body: JsonValue) {
  const at = (path: string | null) => {
    const steps = path === null ? null : readPathExpression(path)
    return steps?.ok ? cleanText(readAt(body, steps.value)) : ''
  }
  return {
    phone: at(trigger.phonePath),
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
