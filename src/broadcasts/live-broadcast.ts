import type { Clock } from '../clock.ts'
import type { Tell } from '../contract/dashboard/told.ts'
import type { LiveNoun } from '../live/watch-changes.ts'
import { readRow } from './require-broadcast.ts'
import { viewBroadcast } from './view-broadcast.ts'

/** Broadcasts as those who may send them watch them. @param tell in the one language of what is streamed. */
export function liveBroadcast({ clock, tell }: { clock: Clock; tell: Tell }): LiveNoun {
  return {
    roles: ['owner', 'admin'],
    async load(db, { companyId, ids }) {
      const rows = await db
        .selectFrom('broadcast')
        .selectAll()
        .where('companyId', '=', companyId)
        .where('id', 'in', ids)
        .execute()
      return rows.map((row) => viewBroadcast(readRow(row), clock.now(), tell))
    },
  }
}
