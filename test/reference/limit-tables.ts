/** The tables of docs/reference/limits.md, as the constants of the code have them. */
import * as signIn from '../../src/core/limits/sign-in.ts'
import * as accounts from '../../src/core/limits/accounts.ts'
import * as appointments from '../../src/core/limits/appointments.ts'
import * as broadcasts from '../../src/core/limits/broadcasts.ts'
import * as calls from '../../src/core/limits/calls.ts'
import * as contacts from '../../src/core/limits/contacts.ts'
import * as deliveries from '../../src/core/limits/deliveries.ts'
import * as httpLimits from '../../src/core/limits/http.ts'
import * as files from '../../src/core/limits/files.ts'
import * as flows from '../../src/core/limits/flows.ts'
import * as hooks from '../../src/core/limits/hooks.ts'
import * as inbox from '../../src/core/limits/inbox.ts'
import * as leads from '../../src/core/limits/leads.ts'
import * as messaging from '../../src/core/limits/messaging.ts'
import * as overview from '../../src/core/limits/overview.ts'
import * as pages from '../../src/core/limits/pages.ts'
import * as retention from '../../src/core/limits/retention.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { PLANS } from '../../src/core/vocabulary/accounts.ts'
import { ASSISTANT_TABLES, MODEL_TABLES } from './assistant-limit-tables.ts'
import { CHANNEL_TABLES } from './channel-limit-tables.ts'
import type { LimitTables } from './limit-words.ts'
import { bytes, characters, days, hours, minutes, seconds, text } from './limit-words.ts'
import { watched } from './watched-limits.ts'

const { PLAN_LIMITS } = accounts
const {
  APPOINTMENT_LIMITS,
  APPOINTMENT_NOTICE_LIMITS,
  BOOKING_DEFAULTS,
  BOOKING_SETUP_LIMITS: SETUP,
  CALENDAR_LIMITS,
  REMINDER_LIMITS,
} = watched(appointments)
const { BROADCAST_LIMITS } = watched(broadcasts)
const { ACTION_LIMITS, CALL_LIMITS } = watched(calls)
const {
  CONTACT_JOBS,
  CONTACT_LIMITS,
  DUPLICATE_LIMITS,
  IMPORT_LIMITS,
  SEARCH_LIMITS,
  SEGMENT_LIMITS,
  WHOLE_READS,
} = watched(contacts)
const { DELIVERY_ENGINE, DELIVERY_LIMITS, HEALTH_GRAPH, LIVE_LIMITS, LOG_LIMITS, RESEND_JOB } =
  watched(deliveries)
const { DASHBOARD_LIMITS, FILE_LIMITS } = { ...watched(httpLimits), ...watched(files) }
const { FLOW_LIMITS, HOOK_LIMITS, RUN_LIMITS } = { ...watched(flows), ...watched(hooks) }
const { CLOSE_JOB, INBOX_LIMITS, LEAD_LIMITS } = { ...watched(inbox), ...watched(leads) }
const { BURST_LIMITS, OPTED_OUT_REPLY_LIMITS, TEMPLATE_LIMITS } = watched(messaging)
const { CONVERSATION_ID_BYTES } = messaging
const { HOME_LIMITS, PAGE_LIMITS } = { ...watched(overview), ...watched(pages) }
const { RETENTION, SIGN_IN_LIMITS } = { ...watched(retention), ...watched(signIn) }

const name = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

export const LIMIT_TABLES: LimitTables = {
  'Public pages': {
    'Pages that an address reads': `${PAGE_LIMITS.viewsPerMinute} in ${seconds(MINUTE_MS)}`,
    'Views of one booking page, by all': `${text(PAGE_LIMITS.bookingViewsPerMinute)} in ${seconds(MINUTE_MS)}`,
    'Views of all booking pages of an account': `${text(PAGE_LIMITS.bookingViewsOfAccountPerMinute)} in ${seconds(MINUTE_MS)}`,
    'Forms that an address sends': `${PAGE_LIMITS.formsPerMinute} in ${seconds(MINUTE_MS)}`,
    Form: bytes(PAGE_LIMITS.formBytes),
    'Address of a page, with all that is in it': characters(PAGE_LIMITS.urlChars),
    'Days that are shown together': text(PAGE_LIMITS.daysShown),
    'Contrast of text to its background, and of edges': `${PAGE_LIMITS.textContrast}, ${PAGE_LIMITS.edgeContrast}`,
  },
  Contacts: {
    'Tags of a contact': `${CONTACT_LIMITS.tags}, of ${characters(CONTACT_LIMITS.tagChars)} each`,
    'Custom fields of a company': `${CONTACT_LIMITS.fields}, archived ones among them`,
    'Value of a custom field': characters(CONTACT_LIMITS.fieldValueChars),
    'Choices of a field': `${CONTACT_LIMITS.choices}`,
    'Reason for opting in': characters(CONTACT_LIMITS.reasonChars),
    "Letters of a name's search": `${SEARCH_LIMITS.minLetters} at least`,
    'Time of a search': seconds(SEARCH_LIMITS.statementMs),
    'Segments of a company': `${SEGMENT_LIMITS.segments}, names of ${characters(SEGMENT_LIMITS.nameChars)}`,
    "Days in a segment's filter": text(SEGMENT_LIMITS.days),
    "Time of a segment's count": seconds(SEGMENT_LIMITS.countMs),
    'File of an import': `${bytes(IMPORT_LIMITS.bytes)}, ${text(IMPORT_LIMITS.rows)} rows`,
    'First sheet of a workbook, as CSV': bytes(IMPORT_LIMITS.sheetBytes),
    'Changes of many contacts': `${CONTACT_JOBS.page} in ${seconds(CONTACT_JOBS.pageEveryMs)}`,
    'Key of a custom field, its label': `${CONTACT_LIMITS.fieldKeyChars}, ${characters(CONTACT_LIMITS.fieldLabelChars)}`,
    'Name of a contact': characters(CONTACT_LIMITS.nameChars),
    'Phone as it was written': characters(CONTACT_LIMITS.rawPhoneChars),
    'Words of a search': characters(SEARCH_LIMITS.queryChars),
    'Found by the search over all of a company': `${SEARCH_LIMITS.found}, ${SEARCH_LIMITS.foundOfKind} of a kind`,
    'Possible duplicates of a contact by one value': `${DUPLICATE_LIMITS.nextOfValue} newer ones`,
    'Time to look for duplicates': seconds(DUPLICATE_LIMITS.statementMs),
    'Counts and searches over all contacts': `${WHOLE_READS.maxConcurrent} concurrently for a company`,
    'Columns of an import': `${IMPORT_LIMITS.headers}, named by ${characters(IMPORT_LIMITS.headerChars)} each`,
    'Name of the file of an import': characters(IMPORT_LIMITS.nameChars),
  },
  Broadcasts: {
    'Name of a broadcast': characters(BROADCAST_LIMITS.nameChars),
    'Unfinished broadcasts': `${BROADCAST_LIMITS.open}`,
    'Contacts named by their ids': text(BROADCAST_LIMITS.contacts),
    Rate: `${BROADCAST_LIMITS.perSecond} a second by default`,
    'Rate, at most': `${BROADCAST_LIMITS.maxPerSecond} a second`,
    'Rate in coexistence': `${BROADCAST_LIMITS.perSecondInCoexistence} a second`,
    'A start ahead': days(BROADCAST_LIMITS.aheadMs),
    'Failures in a row that pause it': `${BROADCAST_LIMITS.failuresInRow}`,
  },
  'Signing in': {
    'Code of a second factor': `${SIGN_IN_LIMITS.codeDigits} digits of ${seconds(SIGN_IN_LIMITS.codeMs)}, those next to it too`,
    'Wrong codes': `${SIGN_IN_LIMITS.codesPerSignIn} of a sign-in, ${SIGN_IN_LIMITS.wrongCodes} of a person in ${minutes(SIGN_IN_LIMITS.failuresWithinMs)}`,
    'A sign-in that waits for its code': minutes(SIGN_IN_LIMITS.begunSignInMs),
    'Recovery codes': `${SIGN_IN_LIMITS.recoveryCodes}, each valid once`,
    'Link to a new password': minutes(SIGN_IN_LIMITS.passwordResetMs),
    'Requests for such links': `${SIGN_IN_LIMITS.resetsPerEmail} for an e-mail address, ${SIGN_IN_LIMITS.resetsPerAddress} from a client, in ${minutes(SIGN_IN_LIMITS.failuresWithinMs)}`,
    Password: `${SIGN_IN_LIMITS.minPasswordChars} to ${characters(SIGN_IN_LIMITS.maxPasswordChars)}, ${bytes(SIGN_IN_LIMITS.passwordBytes)}`,
    'Wrong passwords': `${SIGN_IN_LIMITS.failuresPerEmail} for an e-mail address, ${SIGN_IN_LIMITS.failuresPerAddress} from a client, in ${minutes(SIGN_IN_LIMITS.failuresWithinMs)}`,
    'A session': `${days(SIGN_IN_LIMITS.sessionMs)}, ${hours(SIGN_IN_LIMITS.sessionIdleMs)} without use`,
    'Changes that need a fresh password': minutes(SIGN_IN_LIMITS.passwordFreshMs),
    Invitation: days(SIGN_IN_LIMITS.invitationMs),
    'Invitations by e-mail': `${SIGN_IN_LIMITS.invitationMailsPerMinute} a minute`,
  },
  Leads: {
    'Score of a lead': `${LEAD_LIMITS.maxScore}`,
    'Summary of a lead': characters(LEAD_LIMITS.summaryChars),
    'Reason for losing a lead': characters(LEAD_LIMITS.lostReasonChars),
    'Counts of leads by status stop at': text(LEAD_LIMITS.maxCounted),
  },
  ...ASSISTANT_TABLES,
  Appointments: {
    'Services of a company': `${SETUP.services}, of ${SETUP.needs} people and rooms in ${SETUP.roles} roles each`,
    'People and rooms of a company': `${SETUP.resources}`,
    'Length of a service': `${SETUP.minMinutes} min to ${SETUP.minutes / 60} h`,
    'Kept free before and after, each': `${SETUP.bufferMin / 60} h`,
    'Step from one start to the next': `${SETUP.minStepMin} min to ${SETUP.stepMin / 60} h`,
    'Rows of hours of a weekday': `${SETUP.hoursOfDay}, to ${SETUP.lastMin / 60}:00`,
    'Rows of other days of a company': text(SETUP.openingChanges),
    'Notice of the booking page': `${SETUP.minNoticeMin / 60 / 24} days, ${BOOKING_DEFAULTS.minNoticeMin} min by default`,
    'Days ahead that customers book': `${SETUP.maxDays}, ${BOOKING_DEFAULTS.maxDays} by default`,
    "Until when the customer's link cancels": `${SETUP.cancelUntilMin / 60 / 24} days before, ${BOOKING_DEFAULTS.cancelUntilMin} min by default`,
    'Upcoming appointments that one customer made': `${APPOINTMENT_LIMITS.comingOfCustomer}`,
    'Bookings of an address on the network': `${APPOINTMENT_LIMITS.bookingsPerAddressPerHour} an hour`,
    'Notifications of bookings and moves by customers': `${APPOINTMENT_NOTICE_LIMITS.toRecipientPerDay} a day to one, ${APPOINTMENT_NOTICE_LIMITS.ofCompanyPerHour} an hour by a company`,
    'Days from now that members book and move': `${APPOINTMENT_LIMITS.memberDays}`,
    'Reason for cancelling': characters(APPOINTMENT_LIMITS.reasonChars),
    'Days of slots in one request': `${APPOINTMENT_LIMITS.slotDays}`,
    'Reminders that begin in one transaction': `${REMINDER_LIMITS.page}`,
    'Calendar links of a member': `${CALENDAR_LIMITS.links}`,
    'Reads of calendars from an address': `${CALENDAR_LIMITS.readsPerAddressPerMinute} a minute`,
    'Appointments that a calendar shows': `${CALENDAR_LIMITS.pastDays} days back, ${CALENDAR_LIMITS.comingDays} ahead, ${text(CALENDAR_LIMITS.appointments)} appointments`,
    'Names of services, people, rooms, the page': characters(SETUP.nameChars),
    'Name of a role': characters(SETUP.roleChars),
    'Address of the booking page': `${SETUP.minSlugChars} to ${characters(SETUP.slugChars)}`,
    'Introduction, where it is, phone': `${text(SETUP.introChars)}, ${SETUP.addressChars}, ${characters(SETUP.phoneChars)}`,
    'Name of the customer who books': characters(APPOINTMENT_LIMITS.nameChars),
    'Key of a booking': `${APPOINTMENT_LIMITS.minRequestKeyChars} to ${characters(APPOINTMENT_LIMITS.requestKeyChars)}`,
  },
  Hooks: {
    'Body of a hook request': bytes(HOOK_LIMITS.bodyBytes),
    '`Idempotency-Key`': characters(HOOK_LIMITS.idempotencyKeyChars),
    'Requests to one hook URL': `${HOOK_LIMITS.requestsPerUrlPerMinute} a minute of the clock`,
    'Requests to all hook URLs of a company': `${text(HOOK_LIMITS.requestsPerCompanyPerHour)} an hour of the clock`,
    'Requests from one address': `${HOOK_LIMITS.requestsPerAddressPerMinute} in any minute`,
    'Hook URLs of a company': `${HOOK_LIMITS.urlsPerCompany}`,
    Path: `${characters(HOOK_LIMITS.pathChars)}, ${HOOK_LIMITS.pathSteps} steps`,
    Name: characters(HOOK_LIMITS.nameChars),
    'Values kept': `${HOOK_LIMITS.keptValues}, of ${characters(HOOK_LIMITS.keptValueChars)} each`,
    'Time for a request to arrive': `${seconds(HOOK_LIMITS.requestMs)}, ${seconds(HOOK_LIMITS.headersMs)} for its headers`,
  },
  'Templates and flows': {
    'Automated templates of an account': `${text(PLAN_LIMITS.business.templatesPerDay)} a UTC day`,
    'Automated templates to a customer': `${TEMPLATE_LIMITS.perCustomer} in any ${hours(TEMPLATE_LIMITS.perCustomerMs)}`,
    Flows: PLANS.map((plan) => `${name(plan)} ${PLAN_LIMITS[plan].flows}`).join(', '),
    'Flows of a company, drafts included': `${FLOW_LIMITS.perCompany}`,
    'Options of a question': `${FLOW_LIMITS.options}`,
    'Free times in one offer': `${FLOW_LIMITS.timesOffered}, of ${FLOW_LIMITS.timesLookDays} days`,
    'A reminder before an appointment': `${REMINDER_LIMITS.minMinutesBefore} minutes to ${days(REMINDER_LIMITS.minutesBefore * MINUTE_MS)}`,
    'Wrong answers to a question': `${FLOW_LIMITS.retries}`,
    'A wait of a flow': days(FLOW_LIMITS.waitMinutes * MINUTE_MS),
    'Branches of a step': `${FLOW_LIMITS.branches}`,
    'Sent and failed of a template': `${text(TEMPLATE_LIMITS.weekCountsStopAt)} each, in ${days(TEMPLATE_LIMITS.countedDaysMs)}`,
    'Runs whose steps are counted': `${text(FLOW_LIMITS.runsCounted)}, of ${days(RETENTION.runStepMs)}`,
    'Texts of a customer': `${BURST_LIMITS.textsInMinute} a minute, ${BURST_LIMITS.textsInMinutes} in ten minutes`,
    'Conversation id': bytes(CONVERSATION_ID_BYTES),
    'Name of a flow': characters(FLOW_LIMITS.nameChars),
    'Steps of a flow': `${FLOW_LIMITS.steps}`,
    'Text of a step': characters(FLOW_LIMITS.textChars),
    'Value that a condition compares with': characters(FLOW_LIMITS.comparedChars),
    'Text of an option': characters(FLOW_LIMITS.optionChars),
    'Conditions of a branch': `${FLOW_LIMITS.conditions}`,
    'Tags that a step adds or removes': `${FLOW_LIMITS.tagsOfStep}`,
    'Note of a step': characters(FLOW_LIMITS.noteChars),
    'Words of a keyword trigger': `${FLOW_LIMITS.keywords}, of ${characters(FLOW_LIMITS.keywordChars)} each`,
    'Words of a message that are compared with them': `${FLOW_LIMITS.keywordsLookedFor}`,
    'Lines counted of the history of a run': `${FLOW_LIMITS.linesCounted}`,
    'Steps of a run between two waits': `${RUN_LIMITS.stepsBetweenWaits}`,
    'Waits of a run': `${RUN_LIMITS.waits}`,
    'Variables of a run': `${RUN_LIMITS.variables}, of ${characters(RUN_LIMITS.variableChars)} each`,
  },
  Inbox: {
    'Words of a handover': characters(INBOX_LIMITS.reasonTextChars),
    'Last message, as the lists show it': characters(INBOX_LIMITS.lastTextChars),
    'Key of a reply': characters(INBOX_LIMITS.keyChars),
    Note: `${characters(INBOX_LIMITS.noteChars)}, ${INBOX_LIMITS.mentions} people named`,
    'Ready replies of a company': `${INBOX_LIMITS.cannedReplies}, of ${characters(INBOX_LIMITS.cannedChars)}`,
    'Conversations closed by their ids': `${INBOX_LIMITS.closedPerRequest}`,
    'Counts of tabs stop at': text(INBOX_LIMITS.maxCounted),
    'Reply that is checked': characters(INBOX_LIMITS.replyChars),
    'Values of a template that is sent': `${INBOX_LIMITS.templateValues}, of ${characters(INBOX_LIMITS.templateValueChars)} each`,
    'Tag to narrow by': characters(INBOX_LIMITS.tagChars),
    'Words of a search in the inbox': characters(INBOX_LIMITS.searchChars),
    'Conversation id that is asked for': characters(INBOX_LIMITS.conversationIdChars),
    'Minutes to narrow by': text(INBOX_LIMITS.maxMinutes),
    'Conversations that a job closes': `${CLOSE_JOB.page} in ${seconds(CLOSE_JOB.everyMs)}`,
    'Answering a customer who opted out and wrote again': hours(
      OPTED_OUT_REPLY_LIMITS.afterOptOutMs,
    ),
  },
  Files: {
    'A file': bytes(FILE_LIMITS.bytes),
    'Uploads of an account': bytes(FILE_LIMITS.uploadedBytesOfAccount),
    'An unsent upload is kept': hours(FILE_LIMITS.unsentKeptMs),
    'Name of a file': characters(FILE_LIMITS.nameChars),
  },
  Deliveries: {
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
    'Opening a connection': seconds(DELIVERY_LIMITS.connectMs),
    'Warned after': `${DELIVERY_LIMITS.warnAfterFailuresInRow} failures in a row, ${days(DELIVERY_LIMITS.warnAfterFailingMs)} of failing`,
    'One delivery at a time after': `${DELIVERY_ENGINE.oneSlotAfterFailuresInRow} failures in a row`,
    'Concurrent attempts to an endpoint, of an account': `${DELIVERY_ENGINE.inFlightPerEndpoint}, ${DELIVERY_ENGINE.inFlightPerAccount}`,
    'Rate of a job of resends': `${RESEND_JOB.minPace} to ${RESEND_JOB.maxPace} a second, ${RESEND_JOB.paceDefault} by default`,
    'Counts of the log and of jobs stop at': text(LOG_LIMITS.maxCounted),
    'An attempt is slow after': seconds(LOG_LIMITS.slowMs),
    'Deliveries of an export': text(LOG_LIMITS.maxExported),
    'Wait for a test': seconds(LOG_LIMITS.testWaitMs),
    'Phone, conversation id to search by': `${LOG_LIMITS.phoneChars}, ${characters(LOG_LIMITS.conversationIdChars)}`,
    'Resends, attempts that are shown': `${LOG_LIMITS.resendsShown}, ${LOG_LIMITS.attemptsShown}`,
    "Hours of an endpoint's health": `${HEALTH_GRAPH.maxHours}, ${HEALTH_GRAPH.hoursDefault} by default, ${HEALTH_GRAPH.listHours} in the list`,
    'Newest deliveries that causes are read from': `${text(HEALTH_GRAPH.sampledDeliveries)}, ${HEALTH_GRAPH.causesShown} causes`,
  },
  Calls: {
    'Connections of a company': `${CALL_LIMITS.connectionsPerCompany}`,
    'Tests of connections': `${CALL_LIMITS.testsPerMinute} a minute`,
    'Base URL': characters(CALL_LIMITS.baseUrlChars),
    Credential: characters(CALL_LIMITS.credentialChars),
    'Credential that is removed anywhere': `from ${characters(CALL_LIMITS.credentialHiddenFromChars)}`,
    Timeout: `${CALL_LIMITS.timeoutMinMs / SECOND_MS} to ${seconds(CALL_LIMITS.timeoutMaxMs)}, ${CALL_LIMITS.timeoutDefaultMs / SECOND_MS} by default`,
    'Opening the connection': seconds(CALL_LIMITS.connectMs),
    'Calls between two messages of the customer': `${CALL_LIMITS.inOneGo}, ${seconds(CALL_LIMITS.inOneGoMs)} in all`,
    'Calls of an account': `${text(CALL_LIMITS.perAccountPerDay)} a UTC day`,
    'Body once filled in': bytes(CALL_LIMITS.bodyBytes),
    'Path and query once filled in': characters(CALL_LIMITS.pathAndQueryChars),
    Answer: bytes(CALL_LIMITS.answerBytes),
    'Query parameters': `${CALL_LIMITS.queryParameters}`,
    Headers: `${CALL_LIMITS.headers}`,
    'Default headers': `${CALL_LIMITS.defaultHeaders}`,
    'Values kept from an answer': `${CALL_LIMITS.keptValues}`,
    'Name of a connection': characters(CALL_LIMITS.nameChars),
    'Name of a header or query parameter with a key': characters(CALL_LIMITS.keyNameChars),
    'Header once filled in': characters(CALL_LIMITS.headerValueChars),
    'Answer that a person is shown': characters(CALL_LIMITS.answerShownChars),
    'Figures of a connection cover': hours(CALL_LIMITS.figuresMs),
    'Latest calls that decide whether each fails': `${CALL_LIMITS.evaluatedCalls}`,
  },
  'AI actions': {
    'Actions of a company': `${ACTION_LIMITS.perCompany}`,
    'Calls in a reply': `${ACTION_LIMITS.callsPerReply}`,
    'Calls of a customer': `${ACTION_LIMITS.callsPerCustomerPerDay} a UTC day`,
    Parameters: `${ACTION_LIMITS.parameters}`,
    'Value of a parameter': characters(ACTION_LIMITS.valueChars),
    'Tool name': characters(ACTION_LIMITS.toolNameChars),
    Description: characters(ACTION_LIMITS.descriptionChars),
    'Time to confirm': `${ACTION_LIMITS.confirmationMs / MINUTE_MS} min`,
    'A proposal is stated': ACTION_LIMITS.statedTimes === 2 ? 'twice at most' : '',
    'Own sentence of an action': characters(ACTION_LIMITS.statementChars),
    'Name of a parameter, its description': `${ACTION_LIMITS.parameterNameChars}, ${characters(ACTION_LIMITS.parameterDescriptionChars)}`,
    'Choices of a parameter': `${ACTION_LIMITS.choices}`,
    'Fields of an answer that are shown': `${ACTION_LIMITS.shownFields}, named by ${characters(ACTION_LIMITS.labelChars)} each`,
    'Answer that the assistant reads': characters(ACTION_LIMITS.answerChars),
  },
  ...CHANNEL_TABLES,
  "The dashboard's API": {
    'Body of a request': `${bytes(DASHBOARD_LIMITS.bodyBytes)}, ${text(DASHBOARD_LIMITS.bodyBytesWithoutSession)} without a session`,
    'Values in a body, levels of nesting': `${text(DASHBOARD_LIMITS.bodyValues)}, ${DASHBOARD_LIMITS.bodyDepth}`,
    'Fields that a refusal lists': `${DASHBOARD_LIMITS.fieldErrors}`,
    'Items of a page': `${DASHBOARD_LIMITS.pageItems}, ${DASHBOARD_LIMITS.pageItemsDefault} by default`,
    'Names of accounts, projects, people': [
      DASHBOARD_LIMITS.accountNameChars,
      DASHBOARD_LIMITS.companyNameChars,
      characters(DASHBOARD_LIMITS.personNameChars),
    ].join(', '),
    'E-mail address': characters(DASHBOARD_LIMITS.emailChars),
    'Opening hours of a day': `${DASHBOARD_LIMITS.openRangesOfDay} rows`,
    'Id in a query of the audit log': characters(DASHBOARD_LIMITS.auditSubjectChars),
    'Live streams: session, account, process': `${LIVE_LIMITS.watchersPerSession}, ${LIVE_LIMITS.watchersPerAccount}, ${LIVE_LIMITS.watchersInAll}`,
    'Projects that one stream reports': `${LIVE_LIMITS.companiesPerStream}`,
    'Live updates are kept': minutes(LIVE_LIMITS.keptMs),
    'Heartbeat of a stream': `every ${seconds(LIVE_LIMITS.heartbeatMs)}`,
    'Conversations that wait, on the first page': `${HOME_LIMITS.waitingShown}`,
    'Runs of the first page': `${HOME_LIMITS.runHours} h, ${text(HOME_LIMITS.runsCounted)} of them`,
    'Part of a day after which a rate is shown': minutes(HOME_LIMITS.paceAfterMinutes * MINUTE_MS),
    'Days of usage': `${RETENTION.usageDayMs / DAY_MS}`,
  },
  ...MODEL_TABLES,
}
