import type { Transaction } from 'kysely'
import { noteWork } from '../../database/commit-notes.ts'
import type { DB } from '../../database/tables.ts'

/**
 * Makes the open runs of contacts or a conversation due at once: they find that the customer has
 * opted out or that staff has taken over, and end.
 */
export async function wakeRuns(
  tx: Transaction<DB>,
  now: Date,
  of: { contactIds: readonly string[] } | { conversationId: string },
): Promise<void> {
  noteWork(tx, 'runs')
  const open = tx
    .updateTable('flowRun')
    .set({ wakeAt: now })
    .where('status', 'in', ['queued', 'running', 'waiting'])
  await (
    'contactIds' in of
      ? open.where('conversationId', 'in', (eb) =>
          eb
            .selectFrom('conversation')
            .select('id')
            .where('contactId', '=', eb.fn.any(eb.val(of.contactIds))),
        )
      : open.where('conversationId', '=', of.conversationId)
  ).execute()
}
