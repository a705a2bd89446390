import { page } from '../frame/routes.tsx'
import { readToolSearch } from './search.ts'

export const developerToolsRoutes = [
  page('developer-tools', () => import('./DeveloperTools.tsx'), 'DeveloperTools', readToolSearch),
] as const
