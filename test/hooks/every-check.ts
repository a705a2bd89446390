/** One fault for each check of a hook request, in the order of the checks. */
import type { HookSetup } from '../conformance/hook-setup.ts'

/** A hook with nothing wrong. */
export const VALID_SETUP: HookSetup = {
  clock: '2026-11-21T09:00:30.000Z',
  plan: 'business',
  planTemplatesPerDay: 1_000,
  hooksPaused: false,
  counterStore: 'ok',
  token: 'valid',
  flow: { published: true, on: true, trigger: 'webhook', withinPlanNumber: true },
  channel: { type: 'whatsapp', connected: true, country: 'SA' },
  settings: { phone: 'phone', name: null, language: null, values: {} },
  contact: [{ phone: '+966501234567' }],
  conversation: 'exists',
  counters: {
    addressLast60s: 0,
    urlThisMinute: 0,
    accountThisHour: 0,
    accountTemplatesToday: 0,
    customerTemplatesLast24h: 0,
  },
  priorKey: null,
}

export type HookRequestParts = {
  contentType: string
  key: string | null
  phone: string
  isJson: boolean
  fillerBytes: number
}

export const VALID_REQUEST: HookRequestParts = {
  contentType: 'application/json',
  key: null,
  phone: '+966501234567',
  isJson: true,
  fillerBytes: 0,
}

export type Check = {
  name: string
  /** The answer: its status code, and the words of its detail where others share the status. */
  http: number
  status: string | null
  says: RegExp
  /** Makes the fault, in the hook or in its request. */
  fault(hook: HookSetup, request: HookRequestParts): unknown
}

/** Makes each fault, in the hook or in its request. */
const FAULTS: Record<string, Check['fault']> = {
  '1 address limit': ({ counters }) => (counters.addressLast60s = 120),
  '2 content type': (_, request) => (request.contentType = 'text/plain'),
  '2 size': (_, request) => (request.fillerBytes = 65_536),
  '3 paused': (hook) => (hook.hooksPaused = true),
  '4 token': (hook) => (hook.token = 'replaced'),
  '5 URL rate': ({ counters }) => (counters.urlThisMinute = 60),
  '5 company rate': ({ counters }) => (counters.accountThisHour = 1_000),
  '5 uncountable': (hook) => (hook.counterStore = 'down'),
  '6 key length': (_, request) => (request.key = 'k'.repeat(201)),
  '6 JSON': (_, request) => (request.isJson = false),
  '7 plan': (hook) => (hook.plan = 'pro'),
  '8 published': ({ flow }) => (flow.published = false),
  '8 switched on': ({ flow }) => (flow.on = false),
  "8 plan's number of flows": ({ flow }) => (flow.withinPlanNumber = false),
  '8 trigger': ({ flow }) => (flow.trigger = 'keyword'),
  '9 earlier run'(hook, request) {
    hook.priorKey = 'k-1'
    request.key ??= 'k-1'
  },
  '10 channel': ({ channel }) => (channel.connected = false),
  '11 phone': (_, request) => (request.phone = 'call me'),
  '12 plan without templates': (hook) => (hook.planTemplatesPerDay = 0),
  "12 account's templates": ({ counters }) => (counters.accountTemplatesToday = 1_000),
  "12 customer's templates": ({ counters }) => (counters.customerTemplatesLast24h = 3),
  '13 opt-out': (hook) => (hook.contact = [{ phone: '+966501234567', optedOut: true }]),
}

const ANSWERS: [name: string, http: number, status: string | null, says?: RegExp][] = [
  ['1 address limit', 429, null],
  ['2 content type', 415, 'unsupported_media_type'],
  ['2 size', 413, 'payload_too_large'],
  ['3 paused', 503, 'service_unavailable', /paused/],
  ['4 token', 404, 'not_found'],
  ['5 URL rate', 429, 'rate_limited', /to this URL/],
  ['5 company rate', 429, 'rate_limited', /account’s hooks/],
  ['5 uncountable', 503, 'service_unavailable', /counted/],
  ['6 key length', 400, 'idempotency_key_too_long'],
  ['6 JSON', 400, 'invalid_json'],
  ['7 plan', 403, 'not_in_plan', /pro plan/],
  ['8 published', 409, 'flow_off', /isn’t published or is switched off/],
  ['8 switched on', 409, 'flow_off', /isn’t published or is switched off/],
  ["8 plan's number of flows", 409, 'flow_off', /over the plan’s limit/],
  ['8 trigger', 409, 'flow_not_listening'],
  ['9 earlier run', 200, 'duplicate'],
  ['10 channel', 409, 'channel_unavailable'],
  ['11 phone', 422, 'invalid_phone'],
  ['12 plan without templates', 403, 'not_in_plan', /doesn’t include automated templates/],
  ["12 account's templates", 429, 'template_limit_reached'],
  ["12 customer's templates", 429, 'customer_limit_reached'],
  ['13 opt-out', 409, 'opted_out'],
]

export const CHECKS: readonly Check[] = ANSWERS.map(([name, http, status, says = /./]) => {
  return { name, http, status, says, fault: FAULTS[name]! }
})

/** Pairs that no single request can have, with the reason. */
export const INFEASIBLE: Readonly<Record<string, string>> = {
  '5 URL rate before 5 uncountable': 'what cannot be counted is over no limit',
  '5 company rate before 5 uncountable': 'what cannot be counted is over no limit',
  '6 key length before 9 earlier run': 'a key that is too long has started no run',
  '6 JSON before 11 phone': 'a body that is not JSON has no phone to misread',
  "6 JSON before 12 customer's templates": 'a body that is not JSON names no customer',
  '6 JSON before 13 opt-out': 'a body that is not JSON names no customer',
  "8 published before 8 plan's number of flows": 'only published flows have a place in the plan',
  '8 published before 8 trigger': 'the trigger is that of the published version',
  '8 published before 10 channel': 'the number is that of the published version',
  "11 phone before 12 customer's templates": 'an unreadable phone names no customer',
  '11 phone before 13 opt-out': 'an unreadable phone names no customer',
}
