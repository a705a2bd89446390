/** The calls in the source that raise events, or return what their caller raises. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SOURCE = path.join(import.meta.dirname, '../../src')

/** Functions that lead to events. A new one is added here. */
const RAISING = [
  'raiseEvent',
  'raiseEvents',
  'raiseQualified',
  'raiseOrDefer',
  'transitionConversations',
  'editContacts',
  'createContacts',
  'planCustomerResolution',
  'resolveCustomers',
  'resolveVisitors',
  'receiveMessages',
  'bookAppointments',
  'cancelAppointments',
  'endRun',
]

/** Calls that another test covers, each with its file: their worlds have faults, other providers or much time. */
export const RAISED_ELSEWHERE: Readonly<Record<string, string>> = {
  'modules/flows/runs/run-retries.ts endRun': 'test/flows/batched-advances.test.ts',
  'modules/flows/runs/start-reminders.ts resolveCustomers': 'test/appointments/reminders.test.ts',
  'modules/flows/runs/start-reminders.ts raiseEvents': 'test/appointments/reminders.test.ts',
  'modules/identity/settle-identity.ts transitionConversations':
    'test/contacts/identity-resolution.test.ts',
  'modules/messaging/profile-lookup-queue.sql.ts editContacts':
    'test/workers/profile-lookups.test.ts',
}

const NEEDS_STAFF = 'no event reports that a conversation needs staff'
const KNOWN_ALREADY = 'the receiver is a contact already, and the business writes first'

/** Calls whose changes no event reports, each with the reason. */
export const RAISES_NOTHING: Readonly<Record<string, string>> = {
  'modules/appointments/notice-template.ts resolveCustomers': KNOWN_ALREADY,
  'modules/appointments/notice-template.ts raiseEvents': KNOWN_ALREADY,
  'modules/assistant/flag-for-staff.ts transitionConversations': NEEDS_STAFF,
  'modules/broadcasts/write-to-recipients.ts resolveCustomers': KNOWN_ALREADY,
  'modules/broadcasts/write-to-recipients.ts raiseEvents': KNOWN_ALREADY,
  'workers/messages.ts transitionConversations': NEEDS_STAFF,
  'modules/flows/runs/run-retries.ts transitionConversations': NEEDS_STAFF,
  'modules/hooks/warm-up-hooks.ts raiseEvents': 'rolled back, and of a company that does not exist',
  'modules/inbox/start-conversation.ts resolveCustomers': KNOWN_ALREADY,
  'modules/inbox/start-conversation.ts raiseEvents': KNOWN_ALREADY,
  'modules/messaging/record-blocked.ts transitionConversations': 'a line for staff alone',
}

/** Returns all of them as "file function", each once, in their order. */
export function callsThatRaise(): string[] {
  const call = new RegExp(`(?<!function )\\b(${RAISING.join('|')})\\(`, 'g')
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter(
    (file) => !/\.test\.ts$|node_modules|^modules\/events\//.test(file),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(path.join(SOURCE, file), 'utf8').matchAll(call)].map(
      ([, name]) => `${file} ${name}`,
    ),
  )
  return [...new Set(found)].toSorted()
}
