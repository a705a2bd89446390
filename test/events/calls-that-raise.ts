/** The calls in the source that raise events, or make what is raised by their caller. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SOURCE = path.join(import.meta.dirname, '../../src')

/** Functions by which events come about. Whoever writes another one adds it here. */
const RAISING = [
  'raiseEvent',
  'raiseEvents',
  'raiseQualified',
  'raiseOrHold',
  'changeConversations',
  'editContacts',
  'createContacts',
  'planMeetings',
  'meetCustomers',
  'meetVisitors',
  'receiveMessages',
  'bookAppointments',
  'cancelAppointments',
  'endRun',
]

/** Calls that another test goes by, each with its file: their worlds have faults, other providers or much time. */
export const RAISED_ELSEWHERE: Readonly<Record<string, string>> = {
  'flows/runs/set-run-aside.ts endRun': 'test/flows/turns-in-batches.test.ts',
  'flows/runs/start-reminders.ts meetCustomers': 'test/appointments/reminders.test.ts',
  'flows/runs/start-reminders.ts raiseEvents': 'test/appointments/reminders.test.ts',
  'identity/settle-identity.ts changeConversations': 'test/contacts/who-a-customer-is.test.ts',
  'messaging/name-queue.sql.ts editContacts': 'test/daemon/ask-names.test.ts',
}

const NEEDS_STAFF = 'that somebody is to look at a conversation is told of by no event'
const KNOWN_ALREADY = 'who is written to is a contact already, and the business writes first'

/** Calls that change what no event tells of, each with why. */
export const RAISES_NOTHING: Readonly<Record<string, string>> = {
  'appointments/notice-template.ts meetCustomers': KNOWN_ALREADY,
  'appointments/notice-template.ts raiseEvents': KNOWN_ALREADY,
  'assistant/leave-to-staff.ts changeConversations': NEEDS_STAFF,
  'broadcasts/write-to-recipients.ts meetCustomers': KNOWN_ALREADY,
  'broadcasts/write-to-recipients.ts raiseEvents': KNOWN_ALREADY,
  'daemon/send-messages.ts changeConversations': NEEDS_STAFF,
  'flows/runs/set-run-aside.ts changeConversations': NEEDS_STAFF,
  'inbox/start-conversation.ts meetCustomers': KNOWN_ALREADY,
  'inbox/start-conversation.ts raiseEvents': KNOWN_ALREADY,
  'messaging/change-reach.ts changeConversations': 'a line for staff alone',
}

/** Returns all of them as "file function", each once, in their order. */
export function callsThatRaise(): string[] {
  const call = new RegExp(`(?<!function )\\b(${RAISING.join('|')})\\(`, 'g')
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter(
    (file) => !/\.test\.ts$|node_modules|^events\//.test(file),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(path.join(SOURCE, file), 'utf8').matchAll(call)].map(
      ([, name]) => `${file} ${name}`,
    ),
  )
  return [...new Set(found)].toSorted()
}
