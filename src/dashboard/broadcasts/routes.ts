import { RECIPIENT_OUTCOMES } from '../../core/vocabulary/broadcasts.ts'
import { page } from '../frame/routes.tsx'
import { searchReader } from '../app/search-params.ts'

/** Recipients of which outcome are shown, and whether the draft is being written. */
const readSearch = searchReader({ outcome: RECIPIENT_OUTCOMES, edit: 'flag' })

export const broadcastsRoutes = [
  page('broadcasts', () => import('./Broadcasts.tsx'), 'Broadcasts'),
  page('broadcasts/new', () => import('./NewBroadcast.tsx'), 'NewBroadcast'),
  page('broadcasts/$broadcast', () => import('./Broadcast.tsx'), 'Broadcast', readSearch),
] as const
