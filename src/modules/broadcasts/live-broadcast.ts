import type { Clock } from '../../core/clock.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { rowsOf } from '../live-updates/rows-of.ts'
import type { LiveEntity } from '../live-updates/change-stream.ts'
import { parseBroadcastRow } from './require-broadcast.ts'
import { viewBroadcast } from './view-broadcast.ts'

/**
 * Returns how the stream of live changes reports broadcasts: their view, and the roles that get it.
 * @param formatFact formats facts in the language of the stream.
 */
export function liveBroadcast({
  clock,
  formatFact,
}: {
  clock: Clock
  formatFact: FormatFact
}): LiveEntity {
  return {
    roles: ['owner', 'admin'],
    async load(db, of) {
      const rows = await rowsOf(db, 'broadcast', of)
      return rows.map((row) => viewBroadcast(parseBroadcastRow(row), clock.now(), formatFact))
    },
  }
}
