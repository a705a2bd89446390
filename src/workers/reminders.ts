/** The worker that begins reminders of appointments at their times, and ends those of cancelled ones. */
import type { Context } from '../infra/context.ts'
import type { ReadVersion } from '../modules/flows/design/load-version.ts'
import { nextReminderDueAt } from '../modules/flows/runs/due-reminders.sql.ts'
import { startReminders } from '../modules/flows/runs/start-reminders.ts'
import { withoutConcurrency, type ConcurrentWorker } from './worker-loop.ts'

/** Creates the worker that starts flows which remind customers of appointments. */
export function createRemindersWorker(
  context: Pick<Context, 'db' | 'clock' | 'ids' | 'log'>,
  deps: { readVersion: ReadVersion; publicUrl(): string },
): ConcurrentWorker {
  return withoutConcurrency({
    name: 'remind',
    work: async () => (await startReminders(context, deps)) > 0,
    nextDue: () => nextReminderDueAt(context.db.kysely),
  })
}
