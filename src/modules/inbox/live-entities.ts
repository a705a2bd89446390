/** The live entities of the inbox: conversations, messages and handovers in their current state. */
import type { Clock } from '../../core/clock.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { rowsOf } from '../live-updates/rows-of.ts'
import type { LiveEntity } from '../live-updates/change-stream.ts'
import { viewMessages } from './view-messages.ts'
import { viewConversations } from './view-conversations.ts'

/**
 * Returns the entities of the inbox that the stream of live changes reports, each with its view.
 * @param formatFact formats facts in the single language of the stream
 */
export function liveEntities({
  clock,
  formatFact,
}: {
  clock: Clock
  formatFact: FormatFact
}): Record<'conversation' | 'message' | 'handover', LiveEntity> {
  return {
    conversation: {
      roles: ['owner', 'admin', 'agent'],
      async load(db, of) {
        const rows = await rowsOf(db, 'conversation', of)
        return viewConversations(db, rows, clock.now())
      },
    },
    message: {
      roles: ['owner', 'admin', 'agent'],
      async load(db, of) {
        const rows = await rowsOf(db, 'message', of)
        return viewMessages({ db: { kysely: db }, formatFact }, of.companyId, rows)
      },
    },
    handover: {
      roles: ['owner', 'admin', 'agent'],
      async load(db, of) {
        const rows = await rowsOf(db, 'handover', of)
        return rows.map((row) => ({
          id: row.id,
          conversationId: row.conversationId,
          reason: row.reason,
          reasonText: row.reasonText,
          openedAt: row.openedAt.toISOString(),
          closedAt: row.closedAt?.toISOString() ?? null,
          closedHow: row.closedHow,
        }))
      },
    },
  }
}
