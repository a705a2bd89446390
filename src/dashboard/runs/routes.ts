import { page } from '../frame/routes.tsx'
import { searchReader } from '../app/search-params.ts'
import { readRunSearch } from './search.ts'

export const runsRoutes = [
  page('runs', () => import('./Runs.tsx'), 'Runs', readRunSearch),
  page('runs/$run', () => import('./Run.tsx'), 'Run', searchReader({ view: ['map'] })),
] as const
