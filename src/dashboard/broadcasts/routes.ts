import { RECIPIENT_OUTCOMES } from '../../core/vocabulary/broadcasts.ts'
import { page } from '../frame/routes.tsx'
import { searchReader } from '../app/search-params.ts'

/** Reads the outcome by which recipients are filtered, and whether the draft is being edited. */
const readSearch = searchReader({ outcome: RECIPIENT_OUTCOMES, edit: 'flag' })

export const broadcastsRoutes = [
  page('broadcasts', () => import('./Broadcasts.tsx'), 'Broadcasts'),
  page('broadcasts/new', () => import('./NewBroadcast.tsx'), 'NewBroadcast'),
  page('broadcasts/$broadcast', () => import('./Broadcast.tsx'), 'Broadcast', readSearch),
] as const
