/** Compares the tables of the reference with the constants and the word lists of the code. */
import { describe, expect, test } from 'vitest'
import { PLAN_LIMITS } from '../../src/core/limits/accounts.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { FILE_LIMITS } from '../../src/core/limits/files.ts'
import { HOOK_LIMITS } from '../../src/core/limits/hooks.ts'
import { TEMPLATE_LIMITS } from '../../src/core/limits/messaging.ts'
import { REPLY_RETENTION } from '../../src/core/limits/assistant-setup.ts'
import { RETENTION } from '../../src/core/limits/retention.ts'
import { VISITOR_LIMITS } from '../../src/core/limits/visitors.ts'
import { HOUR_MS } from '../../src/core/limits/units.ts'
import { PLANS, ROLES } from '../../src/core/vocabulary/accounts.ts'
import { APPOINTMENT_STATUSES } from '../../src/core/vocabulary/appointments.ts'
import { CALL_METHODS, CONNECTION_AUTH_KINDS } from '../../src/core/vocabulary/calls.ts'
import { MESSAGE_TYPES } from '../../src/core/vocabulary/channels.ts'
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATES,
  OFF_REASONS,
} from '../../src/core/vocabulary/deliveries.ts'
import { API_VERSIONS, CURRENT_API_VERSION, EVENT_TYPES } from '../../src/core/vocabulary/events.ts'
import { END_REASONS, RUN_STATUSES, TRIGGER_KINDS } from '../../src/core/vocabulary/flows.ts'
import { HOOK_STATUS_HTTP, HOOK_STATUSES } from '../../src/core/vocabulary/hooks.ts'
import { HANDOVER_REASONS } from '../../src/core/vocabulary/inbox.ts'
import { LEAD_TEMPERATURES } from '../../src/core/vocabulary/leads.ts'
import { PROBLEM_CODES } from '../../src/core/vocabulary/problems.ts'
import { days, hours, minutes, text } from './limit-words.ts'
import { readPages, tableOf, wordsIn } from './pages.ts'

const section = (page: string, title: string) => readPages().get(page)!.sections.get(title)!
/** Returns the first word of each row of a section's table. */
const firstWords = (page: string, title: string, nth = 0) =>
  tableOf(page, title, nth).map(([first]) => wordsIn(first!)[0])

describe('The table of the reference is that of the code:', () => {
  test('retention', () => {
    expect(tableOf('Retention', 'Retention periods').map(([, kept]) => kept)).toEqual([
      days(RETENTION.deliveryLogMs),
      days(RETENTION.waitingEventMs),
      `${days(RETENTION.runMs)} after the end`,
      days(RETENTION.runStepMs),
      days(REPLY_RETENTION.stepMs),
      `${days(REPLY_RETENTION.replyMs)} after the end`,
      days(RETENTION.callLogMs),
      days(TEMPLATE_LIMITS.recordKeptMs),
      days(HOOK_LIMITS.shapeKeptMs),
      days(RETENTION.contactImportMs),
      days(RETENTION.noticeMs),
      `${days(RETENTION.closeJobMs)} after the end`,
      `${days(RETENTION.recipientMs)} after the end`,
      days(RETENTION.auditMs),
      days(RETENTION.identityChangeMs),
      `${days(RETENTION.reminderMs)} after they were due`,
      `${days(RETENTION.appointmentLinkMs)} after its end`,
      hours(FILE_LIMITS.unsentKeptMs),
      `${days(VISITOR_LIMITS.forgottenMs)} after the last`,
    ])
  })

  test('retries', () => {
    const words = (ms: number) => (ms < HOUR_MS ? minutes(ms) : hours(ms))
    expect(tableOf('Deliveries', 'Retries')).toEqual([
      ['1', ''],
      ...DELIVERY_LIMITS.retryDelaysMs.map((ms, i) => [`${i + 2}`, words(ms)]),
    ])
    expect(DELIVERY_LIMITS.retryDelaysMs).toHaveLength(DELIVERY_LIMITS.attempts - 1)
  })

  test('plans and roles', () => {
    const of = (value: (plan: (typeof PLANS)[number]) => string) => PLANS.map(value)
    expect(tableOf('Concepts', 'Plans').map(([, ...cells]) => cells)).toEqual([
      of((plan) => (PLAN_LIMITS[plan].developer ? 'Yes' : 'No')),
      of((plan) => (PLAN_LIMITS[plan].automations ? 'Yes' : 'No')),
      of((plan) => text(PLAN_LIMITS[plan].flows)),
      of((plan) => text(PLAN_LIMITS[plan].templatesPerDay)),
    ])
    expect(tableOf('Concepts', 'Roles').map(([role]) => role!.toLowerCase())).toEqual([...ROLES])
  })

  test('statuses of hooks, with their HTTP statuses', () => {
    expect(
      tableOf('Errors', 'Hook statuses').map(([status, http]) => [
        wordsIn(status!)[0],
        Number(http),
      ]),
    ).toEqual(HOOK_STATUSES.map((status) => [status, HOOK_STATUS_HTTP[status]]))
  })

  test('types of events, triggers, states of runs, deliveries and endpoints', () => {
    expect(firstWords('Events', 'Types')).toEqual([...EVENT_TYPES])
    expect(firstWords('Flows', 'Triggers').toSorted()).toEqual(TRIGGER_KINDS.toSorted())
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

  test('failed attempts, problems, authentication and methods of calls, versions of payloads', () => {
    expect(wordsIn(section('Errors', 'Attempts'))).toEqual([...ATTEMPT_ERRORS])
    expect(wordsIn(section('Errors', 'Problems').split('\n\n')[1]!)).toEqual([...PROBLEM_CODES])
    expect(firstWords('Calls', 'Connections', 1)).toEqual([...CONNECTION_AUTH_KINDS])
    expect(wordsIn(tableOf('Calls', 'HTTP steps')[0]![1]!)).toEqual([...CALL_METHODS])
    expect(API_VERSIONS.at(-1)).toBe(CURRENT_API_VERSION)
    expect(section('Versioning', 'Events')).toContain(`today \`${CURRENT_API_VERSION}\``)
  })
})
