import type { Role } from '../../core/vocabulary/accounts.ts'
import type { LiveEntity } from './change-stream.ts'

/** Returns an entity that reports only ids, also of deleted rows. A client reads what it shows again. */
function reportedById(...roles: Role[]): LiveEntity {
  return {
    roles,
    // The change was recorded with its company, so nothing is looked up.
    load: async (_db, { ids }) => ids.map((id) => ({ id })),
  }
}

/**
 * Entities that change rarely, such as services and flows, reported to the roles that may read their lists. The id of a
 * booking page is its company's.
 */
export const RECORDED_ENTITIES = {
  service: reportedById('owner', 'admin', 'agent'),
  resource: reportedById('owner', 'admin', 'agent'),
  booking_page: reportedById('owner', 'admin', 'agent'),
  flow: reportedById('owner', 'admin'),
  hook_url: reportedById('owner', 'admin'),
  contact_import: reportedById('owner', 'admin'),
} satisfies Record<string, LiveEntity>
