/** The specification's own tables, read from the document, against the constants. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CAPABILITIES } from '../src/channels/capabilities.ts'
import {
  ACTION_LIMITS,
  CALL_LIMITS,
  CONVERSATION_ID_BYTES,
  DAY_MS,
  DELIVERY_LIMITS,
  HOOK_LIMITS,
  HOUR_MS,
  MINUTE_MS,
  PLAN_LIMITS,
  RETENTION,
  SECOND_MS,
  TEMPLATE_LIMITS,
} from '../src/limits.ts'
import { HOOK_STATUS_HTTP } from '../src/contract/hook-response.ts'
import { EVENT_TYPES, HOOK_STATUSES, PLANS, ROLES } from '../src/vocabulary.ts'

const specification = readFileSync(new URL('../docs/specification.md', import.meta.url), 'utf8')

/** The rows of the first table below a heading, as cells. */
function tableBelow(heading: string): string[][] {
  const section = specification.split(`\n${heading}\n`)[1] ?? ''
  const lines = section.split('\n')
  const start = lines.findIndex((line) => line.startsWith('| --- '))
  const rows: string[][] = []
  for (const line of lines.slice(start + 1)) {
    if (!line.startsWith('|')) break
    rows.push(
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  }
  return rows
}

const text = (value: number) => value.toLocaleString('en-US')
const seconds = (ms: number) => `${ms / SECOND_MS} s`
const minutes = (ms: number) => `${ms / MINUTE_MS} min`
const hours = (ms: number) => `${ms / HOUR_MS} h`
const days = (ms: number) => `${ms / DAY_MS} days`

const [first, ...later] = DELIVERY_LIMITS.retryDelaysMs
/** Each row of the table, with what its value must say. */
const LIMITS: Record<string, string[]> = {
  'Hook body': [text(HOOK_LIMITS.bodyBytes)],
  '`Idempotency-Key`': [`${HOOK_LIMITS.idempotencyKeyChars} characters`],
  'Requests to one hook URL': [`${HOOK_LIMITS.requestsPerUrlPerMinute} a minute`],
  "Requests to all of an account's hook URLs": [
    `${text(HOOK_LIMITS.requestsPerCompanyPerHour)} an hour`,
  ],
  'Requests from one client IP address to hook URLs': [
    `${HOOK_LIMITS.requestsPerAddressPerMinute} a minute`,
  ],
  'Hook URLs per account': [`${HOOK_LIMITS.urlsPerCompany}`],
  'Automated templates per day (Business)': [text(PLAN_LIMITS.business.templatesPerDay)],
  'Automated templates to one customer': [
    `${TEMPLATE_LIMITS.perCustomer} in any ${TEMPLATE_LIMITS.perCustomerMs / HOUR_MS} hours`,
  ],
  'Webhook endpoints per account': [`${DELIVERY_LIMITS.endpointsPerCompany}`],
  'Endpoint URL / name length': [`${DELIVERY_LIMITS.urlChars} / ${DELIVERY_LIMITS.nameChars}`],
  'Webhook answer time': [seconds(DELIVERY_LIMITS.answerMs)],
  'Webhook attempts per delivery': [
    `${DELIVERY_LIMITS.attempts};`,
    [first, ...later].map((ms) => (ms < HOUR_MS ? minutes(ms) : hours(ms))).join(', '),
  ],
  'Endpoint switched off after': [
    `${DELIVERY_LIMITS.switchOffAfterFailuresInRow} failures in a row`,
    days(DELIVERY_LIMITS.switchOffAfterFailingMs),
  ],
  'Webhook body': [`${DELIVERY_LIMITS.bodyBytes / 1_024} KB`],
  'Message text in an event': [`${text(DELIVERY_LIMITS.messageTextChars)} characters`],
  'Answer kept in the delivery log': [
    `first ${DELIVERY_LIMITS.answerKeptBytes / 1_024} KB`,
    days(RETENTION.deliveryLogMs),
  ],
  'Tests and resends': [`${DELIVERY_LIMITS.testsAndResendsPerMinute} a minute`],
  'Signature tolerance': [minutes(DELIVERY_LIMITS.signatureToleranceMs)],
  'Old secret still signs after rotation': [hours(DELIVERY_LIMITS.secretOverlapMs)],
  'API connections per account': [`${CALL_LIMITS.connectionsPerCompany}`],
  'Connection test calls': [`${CALL_LIMITS.testsPerMinute} a minute`],
  'Timeout per call': [
    `${CALL_LIMITS.timeoutMinMs / SECOND_MS} to ${seconds(CALL_LIMITS.timeoutMaxMs)}`,
    `${CALL_LIMITS.timeoutDefaultMs / SECOND_MS} by default`,
    `connection ${seconds(CALL_LIMITS.connectMs)}`,
  ],
  'Calls in one go (between two customer messages)': [
    `${CALL_LIMITS.inOneGo}; ${seconds(CALL_LIMITS.inOneGoMs)}`,
  ],
  'Calls per account per day (UTC), HTTP steps and AI actions together': [
    text(CALL_LIMITS.perAccountPerDay),
  ],
  'Request body once filled in': [`${CALL_LIMITS.bodyBytes / 1_024} KB`],
  'Path and query once filled in': [`${text(CALL_LIMITS.pathAndQueryChars)} characters`],
  'Answer read': [`${CALL_LIMITS.answerBytes / 1_024} KB`],
  'Query parameters / headers per step': [
    `${CALL_LIMITS.queryParameters} / ${CALL_LIMITS.headers}`,
  ],
  'Values kept from an answer': [`${CALL_LIMITS.keptValues}`],
  'AI actions per account': [`${ACTION_LIMITS.perCompany}`],
  'AI action calls in one assistant reply': [`${ACTION_LIMITS.callsPerReply}`],
  'AI action calls per customer per day (UTC)': [`${ACTION_LIMITS.callsPerCustomerPerDay}`],
  'AI action parameters / value length': [
    `${ACTION_LIMITS.parameters} / ${ACTION_LIMITS.valueChars} characters`,
  ],
  'Confirmation window for a proposed action': [
    `${ACTION_LIMITS.confirmationMs / MINUTE_MS} minutes`,
  ],
  'Automation flows per plan': PLANS.map(
    (plan) => `${plan[0]!.toUpperCase()}${plan.slice(1)} ${PLAN_LIMITS[plan].flows}`,
  ),
  'Path expression': [`${HOOK_LIMITS.pathChars} characters, ${HOOK_LIMITS.pathSteps} steps`],
  'Name read from a hook': [
    `${HOOK_LIMITS.nameChars} characters`,
    `${text(HOOK_LIMITS.keptValueChars)} characters each`,
  ],
  'Flow variables kept from a hook': [`${HOOK_LIMITS.keptValues}`],
  'Other text limits': ['channel table'],
}

describe('Limits', () => {
  const rows = tableBelow('## Limits')

  test('every row of the table has its constant', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(LIMITS))
  })

  test.each(rows)('%s: %s', (name, value) => {
    for (const said of LIMITS[name]!) expect(value).toContain(said)
  })

  test('other text limits are those of the channel table', () => {
    for (const [channel, , , , , , longest] of tableBelow('### Channel capabilities')) {
      const type = /`(\w+)`/.exec(channel!)![1]! as keyof typeof CAPABILITIES
      const { longestText } = CAPABILITIES[type]
      expect(longestText === null ? 'not applicable' : text(longestText)).toBe(longest)
    }
  })

  test('limits said in prose', () => {
    const { toolNameChars, descriptionChars } = ACTION_LIMITS
    for (const said of [
      `up to ${text(CONVERSATION_ID_BYTES)} bytes`,
      `starting with a letter, up to ${toolNameChars} characters`,
      `up to ${descriptionChars} characters`,
      `Credentials up to ${text(CALL_LIMITS.credentialChars)} characters`,
      `up to ${CALL_LIMITS.baseUrlChars} characters`,
      `up to ${CALL_LIMITS.nameChars} characters`,
      `up to ${CALL_LIMITS.defaultHeaders}, sent with every call`,
      `only the two most recent secrets ever sign`,
      `cut to the first ${HOOK_LIMITS.shapeListItems} items`,
      `the first ${HOOK_LIMITS.shapeStringChars} characters`,
      `${days(HOOK_LIMITS.shapeKeptMs)}; each new JSON request replaces it`,
      `events waiting to be delivered ${days(RETENTION.waitingEventMs)}`,
      `values they collected ${days(RETENTION.runMs)}`,
      `step history ${days(RETENTION.runStepMs)}`,
      `no bodies) ${days(RETENTION.callLogMs)}`,
      `templates sent ${days(TEMPLATE_LIMITS.recordKeptMs)}`,
    ]) {
      expect(specification).toContain(said)
    }
    expect(DELIVERY_LIMITS.secretsThatSign).toBe(2)
    expect(DELIVERY_LIMITS.retryDelaysMs).toHaveLength(DELIVERY_LIMITS.attempts - 1)
  })
})

describe('Hook errors', () => {
  test('every status of the table has its HTTP status', () => {
    const rows = tableBelow('### Hook errors').map(([status, http]) => [
      status!.replaceAll('`', ''),
      Number(http),
    ])
    const ours = HOOK_STATUSES.filter((status) => status !== 'method_not_allowed')
    expect(rows).toEqual(ours.map((status) => [status, HOOK_STATUS_HTTP[status]]))
  })
})

describe('Events', () => {
  test('the event types are those of the specification, in its order', () => {
    const sentence = specification.split('header `X-Service-Event`): ')[1]!.split('.\n')[0]!
    expect([...sentence.matchAll(/`([a-z_.]+)`/g)].map((match) => match[1])).toEqual([
      ...EVENT_TYPES,
    ])
  })
})

describe('Plans', () => {
  test('are those of the table', () => {
    const rows = tableBelow('Plans:\n').map(([, ...cells]) => cells)
    const of = (value: (plan: (typeof PLANS)[number]) => string) => PLANS.map(value)
    expect(rows).toEqual([
      of((plan) => (PLAN_LIMITS[plan].developer ? 'Yes' : 'No')),
      of((plan) => (PLAN_LIMITS[plan].automations ? 'Yes' : 'No')),
      of((plan) => text(PLAN_LIMITS[plan].flows)),
      of((plan) => text(PLAN_LIMITS[plan].templatesPerDay)),
    ])
    expect(ROLES).toEqual(['owner', 'admin', 'agent'])
  })
})
