/** The tables of the reference against the constants and the word lists of the code. */
import { describe, expect, test } from 'vitest'
import { HOOK_STATUS_HTTP } from '../../src/contract/hook-response.ts'
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
} from '../../src/limits.ts'
import {
  API_VERSIONS,
  APPOINTMENT_STATUSES,
  ATTEMPT_ERRORS,
  CALL_METHODS,
  CONNECTION_AUTH_KINDS,
  CURRENT_API_VERSION,
  DELIVERY_STATES,
  END_REASONS,
  EVENT_TYPES,
  HANDOVER_REASONS,
  HOOK_STATUSES,
  LEAD_TEMPERATURES,
  MESSAGE_TYPES,
  OFF_REASONS,
  PLANS,
  PROBLEM_CODES,
  ROLES,
  RUN_STATUSES,
  TRIGGER_KINDS,
} from '../../src/vocabulary.ts'
import { readPages, tableOf, wordsIn } from './pages.ts'

const text = (value: number) => value.toLocaleString('en-US')
const bytes = (value: number) => `${text(value)} bytes`
const characters = (value: number) => `${text(value)} characters`
const seconds = (ms: number) => `${ms / SECOND_MS} s`
const hours = (ms: number) => `${ms / HOUR_MS} h`
const days = (ms: number) => `${ms / DAY_MS} days`
const name = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`
const rows = (table: Record<string, string>) => Object.entries(table)

function section(page: string, title: string): string {
  return readPages().get(page)!.sections.get(title)!
}

describe('Limits are those of the code:', () => {
  test.each([
    [
      'Hooks',
      {
        'Body of a hook request': bytes(HOOK_LIMITS.bodyBytes),
        '`Idempotency-Key`': characters(HOOK_LIMITS.idempotencyKeyChars),
        'Requests to one hook URL': `${HOOK_LIMITS.requestsPerUrlPerMinute} a minute of the clock`,
        'Requests to all hook URLs of a company': `${text(HOOK_LIMITS.requestsPerCompanyPerHour)} an hour of the clock`,
        'Requests from one address': `${HOOK_LIMITS.requestsPerAddressPerMinute} in any minute`,
        'Hook URLs of a company': `${HOOK_LIMITS.urlsPerCompany}`,
        Path: `${characters(HOOK_LIMITS.pathChars)}, ${HOOK_LIMITS.pathSteps} steps`,
        Name: characters(HOOK_LIMITS.nameChars),
        'Values kept': `${HOOK_LIMITS.keptValues}, of ${characters(HOOK_LIMITS.keptValueChars)} each`,
      },
    ],
    [
      'Templates and flows',
      {
        'Automated templates of an account': `${text(PLAN_LIMITS.business.templatesPerDay)} a UTC day`,
        'Automated templates to a customer': `${TEMPLATE_LIMITS.perCustomer} in any ${hours(TEMPLATE_LIMITS.perCustomerMs)}`,
        Flows: PLANS.map((plan) => `${name(plan)} ${PLAN_LIMITS[plan].flows}`).join(', '),
        'Conversation id': bytes(CONVERSATION_ID_BYTES),
      },
    ],
    [
      'Deliveries',
      {
        'Endpoints of a company': `${DELIVERY_LIMITS.endpointsPerCompany}`,
        'URL of an endpoint': characters(DELIVERY_LIMITS.urlChars),
        'Name of an endpoint': characters(DELIVERY_LIMITS.nameChars),
        'Time to answer': seconds(DELIVERY_LIMITS.answerMs),
        Attempts: `${DELIVERY_LIMITS.attempts}`,
        'Switched off after': `${DELIVERY_LIMITS.switchOffAfterFailuresInRow} failures in a row, ${days(DELIVERY_LIMITS.switchOffAfterFailingMs)} of failing`,
        Body: bytes(DELIVERY_LIMITS.bodyBytes),
        'Text of a message in an event': characters(DELIVERY_LIMITS.messageTextChars),
        'Answer kept': bytes(DELIVERY_LIMITS.answerKeptBytes),
        'Tests and resends': `${DELIVERY_LIMITS.testsAndResendsPerMinute} a minute`,
        "Tolerance of the signature's time": seconds(DELIVERY_LIMITS.signatureToleranceMs),
        'An old secret signs for': hours(DELIVERY_LIMITS.secretOverlapMs),
        'Secrets that sign': `${DELIVERY_LIMITS.secretsThatSign}`,
      },
    ],
    [
      'Calls',
      {
        'Connections of a company': `${CALL_LIMITS.connectionsPerCompany}`,
        'Tests of connections': `${CALL_LIMITS.testsPerMinute} a minute`,
        'Base URL': characters(CALL_LIMITS.baseUrlChars),
        Credential: characters(CALL_LIMITS.credentialChars),
        Timeout: `${CALL_LIMITS.timeoutMinMs / SECOND_MS} to ${seconds(CALL_LIMITS.timeoutMaxMs)}, ${CALL_LIMITS.timeoutDefaultMs / SECOND_MS} unless said`,
        'Opening the connection': seconds(CALL_LIMITS.connectMs),
        'Calls in one go': `${CALL_LIMITS.inOneGo}, ${seconds(CALL_LIMITS.inOneGoMs)} in all`,
        'Calls of an account': `${text(CALL_LIMITS.perAccountPerDay)} a UTC day`,
        'Body once filled in': bytes(CALL_LIMITS.bodyBytes),
        'Path and query once filled in': characters(CALL_LIMITS.pathAndQueryChars),
        Answer: bytes(CALL_LIMITS.answerBytes),
        'Query parameters': `${CALL_LIMITS.queryParameters}`,
        Headers: `${CALL_LIMITS.headers}`,
        'Default headers': `${CALL_LIMITS.defaultHeaders}`,
        'Values kept from an answer': `${CALL_LIMITS.keptValues}`,
      },
    ],
    [
      'AI actions',
      {
        'Actions of a company': `${ACTION_LIMITS.perCompany}`,
        'Calls in a reply': `${ACTION_LIMITS.callsPerReply}`,
        'Calls of a customer': `${ACTION_LIMITS.callsPerCustomerPerDay} a UTC day`,
        Parameters: `${ACTION_LIMITS.parameters}`,
        'Value of a parameter': characters(ACTION_LIMITS.valueChars),
        'Tool name': characters(ACTION_LIMITS.toolNameChars),
        Description: characters(ACTION_LIMITS.descriptionChars),
        'Time to confirm': `${ACTION_LIMITS.confirmationMs / MINUTE_MS} min`,
      },
    ],
  ] as const)('%s', (title, table) => {
    expect(tableOf('Limits', title)).toEqual(rows(table))
  })

  test('of the last request', () => {
    expect(section('Hooks', 'Last request')).toContain(
      `lists cut to the first ${HOOK_LIMITS.shapeListItems} items,\nstrings to the first ${characters(HOOK_LIMITS.shapeStringChars)}, for ${days(HOOK_LIMITS.shapeKeptMs)}`,
    )
  })
})

describe('Retention', () => {
  test('is that of the code', () => {
    expect(tableOf('Retention', 'What is kept').map(([, kept]) => kept)).toEqual([
      days(RETENTION.deliveryLogMs),
      days(RETENTION.waitingEventMs),
      `${days(RETENTION.runMs)} after the end`,
      days(RETENTION.runStepMs),
      days(RETENTION.callLogMs),
      days(TEMPLATE_LIMITS.recordKeptMs),
      days(HOOK_LIMITS.shapeKeptMs),
      days(RETENTION.noticeMs),
    ])
  })
})

describe('The schedule of retries', () => {
  test('is that of the code', () => {
    const words = (ms: number) => (ms < HOUR_MS ? `${ms / MINUTE_MS} min` : hours(ms))
    expect(tableOf('Deliveries', 'Retries')).toEqual([
      ['1', ''],
      ...DELIVERY_LIMITS.retryDelaysMs.map((ms, i) => [`${i + 2}`, words(ms)]),
    ])
    expect(DELIVERY_LIMITS.retryDelaysMs).toHaveLength(DELIVERY_LIMITS.attempts - 1)
  })
})

describe('Plans and roles', () => {
  test('are those of the code', () => {
    const of = (value: (plan: (typeof PLANS)[number]) => string) => PLANS.map(value)
    expect(tableOf('Concepts', 'Plans').map(([, ...cells]) => cells)).toEqual([
      of((plan) => (PLAN_LIMITS[plan].developer ? 'Yes' : 'No')),
      of((plan) => (PLAN_LIMITS[plan].automations ? 'Yes' : 'No')),
      of((plan) => text(PLAN_LIMITS[plan].flows)),
      of((plan) => text(PLAN_LIMITS[plan].templatesPerDay)),
    ])
    expect(tableOf('Concepts', 'Roles').map(([role]) => role!.toLowerCase())).toEqual([...ROLES])
  })
})

describe('Word lists are those of the code:', () => {
  const firstWords = (page: string, title: string, nth = 0) =>
    tableOf(page, title, nth).map(([first]) => wordsIn(first!)[0])

  test('statuses of hooks, with their HTTP statuses', () => {
    expect(
      tableOf('Errors', 'Hook statuses').map(([status, http]) => [
        wordsIn(status!)[0],
        Number(http),
      ]),
    ).toEqual(HOOK_STATUSES.map((status) => [status, HOOK_STATUS_HTTP[status]]))
  })

  test('types of events', () => {
    expect(firstWords('Events', 'Types')).toEqual([...EVENT_TYPES])
  })

  test('triggers', () => {
    expect(firstWords('Flows', 'Triggers').toSorted()).toEqual(TRIGGER_KINDS.toSorted())
  })

  test('states of runs, of deliveries, of endpoints', () => {
    expect(firstWords('States', 'Run')).toEqual([...RUN_STATUSES])
    expect(firstWords('States', 'Delivery')).toEqual([...DELIVERY_STATES])
    expect(wordsIn(section('States', 'Endpoint'))).toEqual([...OFF_REASONS])
  })

  test('words in payloads', () => {
    expect(tableOf('Events', 'Words in payloads').map(([, words]) => wordsIn(words!))).toEqual([
      [...MESSAGE_TYPES],
      [...HANDOVER_REASONS],
      [...LEAD_TEMPERATURES],
      [...APPOINTMENT_STATUSES],
      ['completed', 'failed'],
      [...END_REASONS],
      [...TRIGGER_KINDS],
    ])
  })

  test('failed attempts and problems', () => {
    expect(wordsIn(section('Errors', 'Attempts'))).toEqual([...ATTEMPT_ERRORS])
    expect(wordsIn(section('Errors', 'Problems').split('\n\n')[1]!)).toEqual([...PROBLEM_CODES])
  })

  test('authentication and methods of calls', () => {
    expect(firstWords('Calls', 'Connections', 1)).toEqual([...CONNECTION_AUTH_KINDS])
    expect(wordsIn(tableOf('Calls', 'HTTP steps')[0]![1]!)).toEqual([...CALL_METHODS])
  })

  test('versions of payloads', () => {
    expect(API_VERSIONS.at(-1)).toBe(CURRENT_API_VERSION)
    expect(section('Versioning', 'Events')).toContain(`today \`${CURRENT_API_VERSION}\``)
  })
})
