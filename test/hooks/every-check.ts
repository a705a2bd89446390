/** One fault for each check of a hook request, in the order in which the checks are made. */
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
  says?: RegExp
  setup(setup: HookSetup): void
  request(parts: HookRequestParts): void
}

const nothing = () => {}

export const CHECKS: readonly Check[] = [
  {
    name: '1 address limit',
    http: 429,
    status: null,
    setup: (setup) => (setup.counters.addressLast60s = 120),
    request: nothing,
  },
  {
    name: '2 content type',
    http: 415,
    status: 'unsupported_media_type',
    setup: nothing,
    request: (parts) => (parts.contentType = 'text/plain'),
  },
  {
    name: '2 size',
    http: 413,
    status: 'payload_too_large',
    setup: nothing,
    request: (parts) => (parts.fillerBytes = 65_536),
  },
  {
    name: '3 paused',
    http: 503,
    status: 'service_unavailable',
    says: /paused/,
    setup: (setup) => (setup.hooksPaused = true),
    request: nothing,
  },
  {
    name: '4 token',
    http: 404,
    status: 'not_found',
    setup: (setup) => (setup.token = 'replaced'),
    request: nothing,
  },
  {
    name: '5 URL rate',
    http: 429,
    status: 'rate_limited',
    says: /to this URL/,
    setup: (setup) => (setup.counters.urlThisMinute = 60),
    request: nothing,
  },
  {
    name: '5 company rate',
    http: 429,
    status: 'rate_limited',
    says: /company's hooks/,
    setup: (setup) => (setup.counters.accountThisHour = 1_000),
    request: nothing,
  },
  {
    name: '5 uncountable',
    http: 503,
    status: 'service_unavailable',
    says: /counted/,
    setup: (setup) => (setup.counterStore = 'down'),
    request: nothing,
  },
  {
    name: '6 key length',
    http: 400,
    status: 'idempotency_key_too_long',
    setup: nothing,
    request: (parts) => (parts.key = 'k'.repeat(201)),
  },
  {
    name: '6 JSON',
    http: 400,
    status: 'invalid_json',
    setup: nothing,
    request: (parts) => (parts.isJson = false),
  },
  {
    name: '7 plan',
    http: 403,
    status: 'not_in_plan',
    says: /pro plan/,
    setup: (setup) => (setup.plan = 'pro'),
    request: nothing,
  },
  {
    name: '8 published',
    http: 409,
    status: 'flow_off',
    says: /not published or is switched off/,
    setup: (setup) => (setup.flow.published = false),
    request: nothing,
  },
  {
    name: '8 switched on',
    http: 409,
    status: 'flow_off',
    says: /not published or is switched off/,
    setup: (setup) => (setup.flow.on = false),
    request: nothing,
  },
  {
    name: "8 plan's number of flows",
    http: 409,
    status: 'flow_off',
    says: /beyond/,
    setup: (setup) => (setup.flow.withinPlanNumber = false),
    request: nothing,
  },
  {
    name: '8 trigger',
    http: 409,
    status: 'flow_not_listening',
    setup: (setup) => (setup.flow.trigger = 'keyword'),
    request: nothing,
  },
  {
    name: '9 earlier run',
    http: 200,
    status: 'duplicate',
    setup: (setup) => (setup.priorKey = 'k-1'),
    request: (parts) => (parts.key ??= 'k-1'),
  },
  {
    name: '10 channel',
    http: 409,
    status: 'channel_unavailable',
    setup: (setup) => (setup.channel.connected = false),
    request: nothing,
  },
  {
    name: '11 phone',
    http: 422,
    status: 'invalid_phone',
    setup: nothing,
    request: (parts) => (parts.phone = 'call me'),
  },
  {
    name: '12 plan without templates',
    http: 403,
    status: 'not_in_plan',
    says: /no automated templates/,
    setup: (setup) => (setup.planTemplatesPerDay = 0),
    request: nothing,
  },
  {
    name: "12 account's templates",
    http: 429,
    status: 'template_limit_reached',
    setup: (setup) => (setup.counters.accountTemplatesToday = 1_000),
    request: nothing,
  },
  {
    name: "12 customer's templates",
    http: 429,
    status: 'customer_limit_reached',
    setup: (setup) => (setup.counters.customerTemplatesLast24h = 3),
    request: nothing,
  },
  {
    name: '13 opt-out',
    http: 409,
    status: 'opted_out',
    setup: (setup) => (setup.contact = [{ phone: '+966501234567', optedOut: true }]),
    request: nothing,
  },
]

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
