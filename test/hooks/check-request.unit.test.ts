/** Checks 3 to 13 of a hook request, each at its limit. Spec: Hooks › Order of checks. */
import { describe, expect, test } from 'vitest'
import type { FlowDefinition } from '../../src/contract/flow-definition.ts'
import { fact, type Fact } from '../../src/core/facts/fact.ts'
import { PLAN_LIMITS } from '../../src/core/limits/accounts.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { TEMPLATE_LIMITS } from '../../src/core/limits/messaging.ts'
import type { HookStatus } from '../../src/core/vocabulary/hooks.ts'
import {
  checkAdmittedRequest,
  checkHook,
  refusalResponse,
  type AdmittedRequest,
  type HookState,
} from '../../src/modules/hooks/check-request.ts'

type Hook = NonNullable<HookState['hook']>

const HOOK = {
  plan: 'business',
  hold: null,
  templatesPerDay: null,
  flow: { id: 'f', isOn: true, publishedVersionId: 'v', publishedBefore: 0 },
  channel: { id: 'w', type: 'whatsapp', isConnected: true, country: 'SA' },
} as Hook
const TRIGGER = {
  kind: 'webhook',
  phonePath: 'phone',
  namePath: 'name',
  languagePath: 'language',
  keep: [{ name: 'order', path: 'order' }],
}
const STATE: HookState = {
  isPaused: false,
  hook: HOOK,
  urlRequest: HOOK_LIMITS.requestsPerUrlPerMinute,
  companyRequest: HOOK_LIMITS.requestsPerCompanyPerHour,
  definition: { trigger: TRIGGER } as unknown as FlowDefinition,
}
const BODY = { phone: '0501112233', name: 'Sara', language: 'ar', order: 7 }
const ofFlow = (change: Partial<Hook['flow']>) => ({
  hook: { ...HOOK, flow: { ...HOOK.flow, ...change } },
})
const ofHook = (change: Partial<Hook>) => ({ hook: { ...HOOK, ...change } })

const check = (state: Partial<HookState> = {}, body: string = JSON.stringify(BODY), key?: string) =>
  checkHook(
    { token: 't', idempotencyKey: key, body: Buffer.from(body, 'latin1') },
    { ...STATE, ...state },
  )

test('a request at every limit is admitted with the values that the trigger names', () => {
  expect(check({}, JSON.stringify(BODY), ' k ')).toEqual({
    json: BODY,
    result: {
      hook: HOOK,
      idempotencyKey: 'k',
      refusal: null,
      phone: '+966501112233',
      name: 'Sara',
      language: 'ar',
      variables: { order: '7' },
    },
  })
  const paths = { namePath: null, languagePath: 'a[' }
  const definition = { trigger: { ...TRIGGER, ...paths } } as unknown as FlowDefinition
  expect(check({ definition }).result).toMatchObject({ name: null, language: null })
  const empty = check({}, '{"phone":"+966501112233"}').result
  expect(empty).toMatchObject({ idempotencyKey: null, name: null, variables: { order: null } })
})

describe('A request is refused, with its body from check 6 on, when', () => {
  const LONG_KEY = 'k'.repeat(HOOK_LIMITS.idempotencyKeyChars + 1)
  const { flows } = PLAN_LIMITS.business
  const tooLong = fact('hook_key_too_long', { max: HOOK_LIMITS.idempotencyKeyChars })
  const perUrl = HOOK_LIMITS.requestsPerUrlPerMinute
  const perCompany = HOOK_LIMITS.requestsPerCompanyPerHour
  const noPlan = fact('hook_starts_not_in_plan', { plan: 'pro' })

  test.each<[string, Partial<HookState>, HookStatus, Fact]>([
    [
      'hooks are paused',
      { isPaused: true, hook: null },
      'service_unavailable',
      fact('hooks_paused'),
    ],
    ['no hook has the token', { hook: null }, 'not_found', fact('hook_token_unknown')],
    [
      'the account leaves',
      ofHook({ hold: 'leaving' }),
      'service_unavailable',
      fact('hook_account_on_hold'),
    ],
    [
      'the account arrives',
      ofHook({ hold: 'arrived' }),
      'service_unavailable',
      fact('hook_account_on_hold'),
    ],
    [
      'the account has moved',
      ofHook({ hold: 'moved' }),
      'account_moved',
      fact('hook_account_moved'),
    ],
    [
      'the URL has too many requests',
      { urlRequest: perUrl + 1 },
      'rate_limited',
      fact('hook_requests_to_url', { max: perUrl }),
    ],
    [
      'the company has too many requests',
      { companyRequest: perCompany + 1 },
      'rate_limited',
      fact('hook_requests_to_company', { max: perCompany }),
    ],
  ])('%s', (_, state, status, why) => {
    expect(check(state)).toEqual({ result: refusalResponse(status, why), json: null })
  })

  test.each<[string, string, HookStatus, Fact]>([
    ['not UTF-8', '{"phone":"\xff"}', 'invalid_json', fact('hook_body_not_utf8')],
    ['not JSON', '{', 'invalid_json', fact('hook_body_not_json')],
    ['neither an object nor a list', '"text"', 'invalid_json', fact('hook_body_not_container')],
  ])('the body is %s', (_, body, status, why) => {
    expect(check({}, body)).toEqual({ result: refusalResponse(status, why), json: null })
    const longKey = refusalResponse('idempotency_key_too_long', tooLong)
    expect(check({}, body, LONG_KEY)).toEqual({ result: longKey, json: null })
  })

  test.each<[string, Partial<HookState>, HookStatus, Fact]>([
    ['the plan has no hooks', ofHook({ plan: 'pro' }), 'not_in_plan', noPlan],
    [
      'the flow is not published',
      ofFlow({ publishedVersionId: null }),
      'flow_off',
      fact('hook_flow_off'),
    ],
    ['the flow is off', ofFlow({ isOn: false }), 'flow_off', fact('hook_flow_off')],
    [
      'the plan has fewer flows',
      ofFlow({ publishedBefore: flows }),
      'flow_off',
      fact('hook_flow_beyond_plan', { flows }),
    ],
    [
      'the flow cannot be read',
      { definition: null },
      'service_unavailable',
      fact('hook_not_taken_in_now'),
    ],
    [
      'the flow has another trigger',
      { definition: { trigger: { kind: 'message' } } as unknown as FlowDefinition },
      'flow_not_listening',
      fact('hook_flow_not_listening'),
    ],
  ])('%s', (_, state, status, why) => {
    const result = refusalResponse(status, why)
    if (status === 'service_unavailable') expect(check(state).result).toEqual(result)
    else expect(check(state)).toEqual({ result, json: BODY })
  })

  test('the key is too long', () => {
    const result = refusalResponse('idempotency_key_too_long', tooLong)
    expect(check({}, JSON.stringify(BODY), LONG_KEY)).toEqual({ result, json: BODY })
    expect(check({}, JSON.stringify(BODY), LONG_KEY.slice(1)).result).toHaveProperty(
      'refusal',
      null,
    )
  })
})

describe('A refusal is prepared for an admitted request', () => {
  const noChannel = refusalResponse('channel_unavailable', fact('hook_channel_not_connected'))
  const unreadable = fact('hook_phone_unreadable', { path: 'phone' })

  test.each<[string, Hook['channel']]>([
    ['no channel', null],
    ['a channel that is not connected', { ...HOOK.channel!, isConnected: false }],
    ['a channel that begins no conversation', { ...HOOK.channel!, type: 'telegram' }],
  ])('with %s', (_, channel) => {
    expect(check(ofHook({ channel })).result).toHaveProperty('refusal', noChannel)
  })

  test('with a phone number that cannot be read', () => {
    const { result } = check({}, '{"phone":"no number"}')
    expect(result).toMatchObject({
      phone: '',
      refusal: refusalResponse('invalid_phone', unreadable),
    })
  })
})

describe('An admitted request', () => {
  const KNOWN = { runOfKey: null, isOptedOut: false, accountTemplates: 0, customerTemplates: 0 }
  const { templatesPerDay } = PLAN_LIMITS.business
  const perCustomer = TEMPLATE_LIMITS.perCustomer
  const admitted = (change: Partial<AdmittedRequest> = {}) =>
    ({ hook: HOOK, refusal: null, ...change }) as AdmittedRequest
  const account = (max: number) =>
    refusalResponse('template_limit_reached', fact('hook_account_templates', { max }))

  test('starts a run below every limit', () => {
    const known = { accountTemplates: templatesPerDay - 1, customerTemplates: perCustomer - 1 }
    expect(checkAdmittedRequest(admitted(), { ...KNOWN, ...known })).toBeNull()
  })

  test('gets the run of its key before its refusal', () => {
    const refusal = refusalResponse('invalid_phone', fact('hook_opted_out'))
    const answer = checkAdmittedRequest(admitted({ refusal }), { ...KNOWN, runOfKey: 'r' })
    const detail = 'This key already started the run with this ID.'
    expect(answer).toEqual({ id: 'r', status: 'duplicate', detail })
    expect(checkAdmittedRequest(admitted({ refusal }), KNOWN)).toBe(refusal)
  })

  test.each([
    [
      'the account’s templates of the day',
      { accountTemplates: templatesPerDay },
      account(templatesPerDay),
    ],
    [
      'the customer’s templates',
      { customerTemplates: perCustomer },
      refusalResponse(
        'customer_limit_reached',
        fact('hook_customer_templates', { max: perCustomer }),
      ),
    ],
    [
      'the customer’s opt-out',
      { isOptedOut: true },
      refusalResponse('opted_out', fact('hook_opted_out')),
    ],
  ])('is refused for %s', (_, known, answer) => {
    expect(checkAdmittedRequest(admitted(), { ...KNOWN, ...known })).toEqual(answer)
  })

  test('has the operator’s limit of templates instead of the plan’s', () => {
    const limited = (perDay: number) => admitted({ hook: { ...HOOK, templatesPerDay: perDay } })
    expect(checkAdmittedRequest(limited(1), { ...KNOWN, accountTemplates: 1 })).toEqual(account(1))
    const none = refusalResponse('not_in_plan', fact('hook_templates_not_in_plan'))
    expect(checkAdmittedRequest(limited(0), KNOWN)).toEqual(none)
  })
})
