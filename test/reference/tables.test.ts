/** The tables of the reference against the constants and the word lists of the code. */
import { describe, expect, test } from 'vitest'
import { SIGN_IN_LIMITS } from '../../src/contract/sign-in-limits.ts'
import { PLAN_LIMITS } from '../../src/limits/accounts.ts'
import { BROADCAST_LIMITS } from '../../src/limits/broadcasts.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../src/limits/calls.ts'
import {
  CONTACT_JOBS,
  CONTACT_LIMITS,
  IMPORT_LIMITS,
  SEARCH_LIMITS,
  SEGMENT_LIMITS,
} from '../../src/limits/contacts.ts'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { FILE_LIMITS } from '../../src/limits/files.ts'
import { HOOK_LIMITS } from '../../src/limits/hooks.ts'
import {
  APPOINTMENT_LIMITS,
  BOOKING_DEFAULTS,
  BOOKING_SETUP_LIMITS as SETUP,
  CALENDAR_LIMITS,
  REMINDER_LIMITS,
} from '../../src/limits/appointments.ts'
import { LEAD_LIMITS } from '../../src/limits/leads.ts'
import { FLOW_LIMITS } from '../../src/limits/flows.ts'
import { BURST_LIMITS, CONVERSATION_ID_BYTES, TEMPLATE_LIMITS } from '../../src/limits/messaging.ts'
import { INBOX_LIMITS } from '../../src/limits/inbox.ts'
import { PAGE_LIMITS } from '../../src/limits/pages.ts'
import { RETENTION } from '../../src/limits/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { PLANS, ROLES } from '../../src/vocabulary/accounts.ts'
import { APPOINTMENT_STATUSES } from '../../src/vocabulary/appointments.ts'
import { CALL_METHODS, CONNECTION_AUTH_KINDS } from '../../src/vocabulary/calls.ts'
import { MESSAGE_TYPES } from '../../src/vocabulary/channels.ts'
import { ATTEMPT_ERRORS, DELIVERY_STATES, OFF_REASONS } from '../../src/vocabulary/deliveries.ts'
import { API_VERSIONS, CURRENT_API_VERSION, EVENT_TYPES } from '../../src/vocabulary/events.ts'
import { END_REASONS, RUN_STATUSES, TRIGGER_KINDS } from '../../src/vocabulary/flows.ts'
import { HOOK_STATUS_HTTP, HOOK_STATUSES } from '../../src/vocabulary/hooks.ts'
import { HANDOVER_REASONS } from '../../src/vocabulary/inbox.ts'
import { LEAD_TEMPERATURES } from '../../src/vocabulary/leads.ts'
import { PROBLEM_CODES } from '../../src/vocabulary/problems.ts'
import { readPages, tableOf, wordsIn } from './pages.ts'

const text = (value: number) => value.toLocaleString('en-US')
const bytes = (value: number) => `${text(value)} bytes`
const characters = (value: number) => `${text(value)} characters`
const seconds = (ms: number) => `${ms / SECOND_MS} s`
const minutes = (ms: number) => `${ms / MINUTE_MS} min`
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
      'Public pages',
      {
        'Pages that an address looks at': `${PAGE_LIMITS.viewsPerMinute} in ${seconds(MINUTE_MS)}`,
        'Forms that an address sends': `${PAGE_LIMITS.formsPerMinute} in ${seconds(MINUTE_MS)}`,
        Form: bytes(PAGE_LIMITS.formBytes),
        'Address of a page, with all that is in it': characters(PAGE_LIMITS.urlChars),
        'Days that are shown at once': text(PAGE_LIMITS.daysShown),
      },
    ],
    [
      'Contacts',
      {
        'Tags of a contact': `${CONTACT_LIMITS.tags}, of ${characters(CONTACT_LIMITS.tagChars)} each`,
        'Custom fields of a company': `${CONTACT_LIMITS.fields}, archived ones among them`,
        'Value of a custom field': characters(CONTACT_LIMITS.fieldValueChars),
        'Choices of a field': `${CONTACT_LIMITS.choices}`,
        'Reason for opting in': characters(CONTACT_LIMITS.reasonChars),
        "Letters of a name's search": `${SEARCH_LIMITS.leastLetters} at least`,
        'Time of a search': seconds(SEARCH_LIMITS.statementMs),
        'Segments of a company': `${SEGMENT_LIMITS.segments}, names of ${characters(SEGMENT_LIMITS.nameChars)}`,
        "Days in a segment's filter": text(SEGMENT_LIMITS.days),
        "Time of a segment's count": seconds(SEGMENT_LIMITS.countMs),
        'File of an import': `${bytes(IMPORT_LIMITS.bytes)}, ${text(IMPORT_LIMITS.rows)} rows`,
        'Faults of an import that are kept': text(IMPORT_LIMITS.faults),
        'Changes of many contacts': `${CONTACT_JOBS.page} in ${seconds(CONTACT_JOBS.pageEveryMs)}`,
      },
    ],
    [
      'Broadcasts',
      {
        'Name of a broadcast': characters(BROADCAST_LIMITS.nameChars),
        'Broadcasts that are not over': `${BROADCAST_LIMITS.open}`,
        'Contacts named by their ids': text(BROADCAST_LIMITS.contacts),
        Pace: `${BROADCAST_LIMITS.perSecond} a second unless said`,
        'Pace, at most': `${BROADCAST_LIMITS.perSecondMost} a second`,
        'Pace in coexistence': `${BROADCAST_LIMITS.perSecondInCoexistence} a second`,
        'A start ahead': days(BROADCAST_LIMITS.aheadMs),
        'Failures in a row that pause it': `${BROADCAST_LIMITS.failuresInRow}`,
      },
    ],
    [
      'Signing in',
      {
        'Code of a second factor': `${SIGN_IN_LIMITS.codeDigits} digits of ${seconds(SIGN_IN_LIMITS.codeMs)}, those next to it too`,
        'Wrong codes': `${SIGN_IN_LIMITS.codesPerSignIn} of a sign-in, ${SIGN_IN_LIMITS.wrongCodes} of a person in ${minutes(SIGN_IN_LIMITS.failuresWithinMs)}`,
        'A sign-in that waits for its code': minutes(SIGN_IN_LIMITS.begunSignInMs),
        'Recovery codes': `${SIGN_IN_LIMITS.recoveryCodes}, each good once`,
        'Link to a new password': minutes(SIGN_IN_LIMITS.passwordResetMs),
        'Such links that are asked for': `${SIGN_IN_LIMITS.resetsPerEmail} for an e-mail address, ${SIGN_IN_LIMITS.resetsPerAddress} from a client, in ${minutes(SIGN_IN_LIMITS.failuresWithinMs)}`,
      },
    ],
    [
      'Leads',
      {
        'Score of a lead': `${LEAD_LIMITS.scoreMost}`,
        'Summary of a lead': characters(LEAD_LIMITS.summaryChars),
        'Reason for losing a lead': characters(LEAD_LIMITS.lostReasonChars),
        'Counts of leads by status stop at': text(LEAD_LIMITS.countedMost),
      },
    ],
    [
      'Appointments',
      {
        'Services of a company': `${SETUP.services}, of ${SETUP.needs} people and rooms in ${SETUP.roles} roles each`,
        'People and rooms of a company': `${SETUP.resources}`,
        'Length of a service': `${SETUP.leastMinutes} min to ${SETUP.minutes / 60} h`,
        'Kept free before and after, each': `${SETUP.bufferMin / 60} h`,
        'Step from one start to the next': `${SETUP.leastStepMin} min to ${SETUP.stepMin / 60} h`,
        'Rows of hours of a weekday': `${SETUP.hoursOfDay}, to ${SETUP.lastMin / 60}:00`,
        'Rows of other days of a company': text(SETUP.openingChanges),
        'Notice of the booking page': `${SETUP.minNoticeMin / 60 / 24} days, ${BOOKING_DEFAULTS.minNoticeMin} min unless said`,
        'Days ahead that customers book': `${SETUP.maxDays}, ${BOOKING_DEFAULTS.maxDays} unless said`,
        "Until when the customer's link cancels": `${SETUP.cancelUntilMin / 60 / 24} days before, ${BOOKING_DEFAULTS.cancelUntilMin} min unless said`,
        'Coming appointments that one customer made': `${APPOINTMENT_LIMITS.comingOfCustomer}`,
        'Bookings of an address on the network': `${APPOINTMENT_LIMITS.bookingsPerAddressPerHour} an hour`,
        'Days from now that members book and move': `${APPOINTMENT_LIMITS.memberDays}`,
        'Reason for cancelling': characters(APPOINTMENT_LIMITS.reasonChars),
        'Days of slots asked for at once': `${APPOINTMENT_LIMITS.slotDays}`,
        'Reminders that begin in one transaction': `${REMINDER_LIMITS.page}`,
        'Calendar links of a member': `${CALENDAR_LIMITS.links}`,
        'Readings of calendars from an address': `${CALENDAR_LIMITS.readsPerAddressPerMinute} a minute`,
        'What a calendar shows': `${CALENDAR_LIMITS.pastDays} days back, ${CALENDAR_LIMITS.comingDays} ahead, ${text(CALENDAR_LIMITS.appointments)} appointments`,
      },
    ],
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
        'Options of a question': `${FLOW_LIMITS.options}`,
        'Free times that are offered at once': `${FLOW_LIMITS.timesOffered}, of ${FLOW_LIMITS.timesLookDays} days`,
        'A reminder before an appointment': `${REMINDER_LIMITS.leastMinutesBefore} minutes to ${days(REMINDER_LIMITS.minutesBefore * MINUTE_MS)}`,
        'Wrong answers to a question': `${FLOW_LIMITS.retries}`,
        'A wait of a flow': days(FLOW_LIMITS.waitMinutes * MINUTE_MS),
        'Branches of a step': `${FLOW_LIMITS.branches}`,
        'Sent and failed of a template': `${text(TEMPLATE_LIMITS.weekCountsStopAt)} each, in ${days(TEMPLATE_LIMITS.countedDaysMs)}`,
        'Flows looked through for templates': `${FLOW_LIMITS.flowsLookedThrough}`,
        'Runs whose steps are counted': `${text(FLOW_LIMITS.runsCounted)}, of ${days(RETENTION.runStepMs)}`,
        'Texts of a customer': `${BURST_LIMITS.textsInMinute} a minute, ${BURST_LIMITS.textsInMinutes} in ten minutes`,
        'Conversation id': bytes(CONVERSATION_ID_BYTES),
      },
    ],
    [
      'Inbox',
      {
        'Words of a handover': characters(INBOX_LIMITS.reasonTextChars),
        'Last message, as the lists show it': characters(INBOX_LIMITS.lastTextChars),
        'Key of a reply': characters(INBOX_LIMITS.keyChars),
        Note: `${characters(INBOX_LIMITS.noteChars)}, ${INBOX_LIMITS.mentions} people named`,
        'Ready replies of a company': `${INBOX_LIMITS.cannedReplies}, of ${characters(INBOX_LIMITS.cannedChars)}`,
        'Conversations closed by their ids': `${INBOX_LIMITS.closedAtOnce}`,
        'Counts of tabs stop at': text(INBOX_LIMITS.countedMost),
      },
    ],
    [
      'Files',
      {
        'A file': bytes(FILE_LIMITS.bytes),
        'Uploads of an account': bytes(FILE_LIMITS.uploadedBytesOfAccount),
        'An upload that nobody sends, kept': hours(FILE_LIMITS.unsentKeptMs),
        'Name of a file': characters(FILE_LIMITS.nameChars),
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
      days(RETENTION.contactImportMs),
      days(RETENTION.noticeMs),
      `${days(RETENTION.closeJobMs)} after the end`,
      `${days(RETENTION.recipientMs)} after the end`,
      days(RETENTION.auditMs),
      `${days(RETENTION.reminderMs)} after they were due`,
      `${days(RETENTION.appointmentLinkMs)} after its end`,
      hours(FILE_LIMITS.unsentKeptMs),
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
