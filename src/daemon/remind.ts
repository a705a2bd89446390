/** The duty that begins reminders of appointments at their times, and ends those of cancelled ones. */
import type { Context } from '../context.ts'
import type { ReadVersion } from '../flows/design/load-version.ts'
import { nextReminder } from '../flows/runs/due-reminders.sql.ts'
import { startReminders } from '../flows/runs/start-reminders.ts'
import type { WorkingDuty } from './loop.ts'

export function createRemindDuty(
  context: Pick<Context, 'db' | 'clock' | 'ids' | 'log'>,
  deps: { readVersion: ReadVersion; publicUrl(): string },
): WorkingDuty {
  return {
    name: 'remind',
    work: async () => (await startReminders(context, deps)) > 0,
    nextDue: () => nextReminder(context.db.kysely),
    inFlight: () => 0,
    drain: () => Promise.resolve(),
  }
}
