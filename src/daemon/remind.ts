/** The duty that begins reminders of appointments at their times, and ends those of cancelled ones. */
import type { Context } from '../context.ts'
import type { ReadVersion } from '../flows/design/load-version.ts'
import { nextReminder } from '../flows/runs/due-reminders.sql.ts'
import { startReminders } from '../flows/runs/start-reminders.ts'
import { turnByTurn, type WorkingDuty } from './loop.ts'

export function createRemindDuty(
  context: Pick<Context, 'db' | 'clock' | 'ids' | 'log'>,
  deps: { readVersion: ReadVersion; publicUrl(): string },
): WorkingDuty {
  return turnByTurn({
    name: 'remind',
    work: async () => (await startReminders(context, deps)) > 0,
    nextDue: () => nextReminder(context.db.kysely),
  })
}
