import type { LiveNoun } from '../live/watch-changes.ts'
import { viewDelivery } from './list-deliveries.ts'
import { loadDeliveries } from './search-deliveries.sql.ts'

/** A delivery, to who watches the log. */
export const LIVE_DELIVERY: LiveNoun = {
  roles: ['owner', 'admin'],
  load: async (db, of) => (await loadDeliveries(db, of)).map(viewDelivery),
}
