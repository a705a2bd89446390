import type { LiveEntity } from '../live-updates/change-stream.ts'
import { viewDelivery } from './list-deliveries.ts'
import { loadDeliveries } from './search-deliveries.sql.ts'

/** The live-update entity of a delivery, for members who watch the log. */
export const LIVE_DELIVERY: LiveEntity = {
  roles: ['owner', 'admin'],
  load: async (db, of) => (await loadDeliveries(db, of)).map(viewDelivery),
}
